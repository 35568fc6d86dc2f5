import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancel, chargeBody, create, post, read, runDueChecks } from '../../harness/fixtures/charges.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
});
afterAll(() => platform.close());

const openChargeExists = { status: 409, body: { error: { errorCode: 'OPEN_CHARGE_EXISTS' } } };

async function countCharges(account: TestAccount): Promise<number> {
  const { body } = await account.admin.client.list('/charges', undefined, { page: '1' });
  return body.meta.totalItemCount;
}

test('CHARGE-06 CHARGE-13 rejects a second charge while one is PENDING, including from another ADMIN', async () => {
  const account = await createAccount(platform);
  const other = await account.addUser('ADMIN');
  await create(platform, account);
  expect(await post(platform, account)).toMatchObject(openChargeExists);
  expect(await other.client.post('/charges', chargeBody(platform, { amount: 70 }))).toMatchObject(
    openChargeExists,
  );
  expect(await countCharges(account)).toBe(1);
});

test('CHARGE-06 accounts do not block each other', async () => {
  const [one, other] = [await createAccount(platform), await createAccount(platform)];
  await create(platform, one);
  expect((await post(platform, other)).status).toBe(200);
});

test('CHARGE-07 creates exactly one of twenty concurrent charges', async () => {
  const account = await createAccount(platform);
  const other = await account.addUser('ADMIN');
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      (index % 2 ? other : account.admin).client.post(
        '/charges',
        chargeBody(platform, { amount: 10 + index }),
      ),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    expect(answer).toMatchObject(openChargeExists);
  }
  expect(await countCharges(account)).toBe(1);
  const payments = await platform.database.query(
    'select from sandbox_payments p join charges c on c.reference::text = p.reference where c.account_id = $1',
    [account.id],
  );
  expect(payments).toHaveLength(1);
});

test('CHARGE-13 rejects a second charge while one is OVERDUE', async () => {
  const account = await createAccount(platform);
  const { id } = await create(platform, account);
  platform.clock.advance(4 * 86_400);
  await runDueChecks(platform);
  expect(await read(account, id)).toMatchObject({ status: 'OVERDUE' });
  expect(await post(platform, account)).toMatchObject(openChargeExists);
});

test.each(['CONFIRMED', 'RECEIVED', 'CANCELED', 'REFUNDED', 'CHARGEBACK'])(
  'CHARGE-13 a charge that is %s does not block a new one',
  async (status) => {
    const account = await createAccount(platform);
    const { id } = await create(platform, account);
    await platform.database.query('update charges set status = $2 where id = $1', [id, status]);
    expect((await post(platform, account)).status).toBe(200);
  },
);

test('CHARGE-13 a new charge is possible as soon as the open one is cancelled', async () => {
  const account = await createAccount(platform);
  const { id } = await create(platform, account);
  await cancel(account, id);
  expect((await post(platform, account)).status).toBe(200);
  expect(await countCharges(account)).toBe(2);
});
