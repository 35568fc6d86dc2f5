import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer } from '../../harness/client.ts';
import { dayAhead, queuedEvents } from '../../harness/fixtures/sandbox.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  // Starts the worker, which sends notifications to the API over a socket.
  await platform.mail();
});
afterAll(() => platform.close());

const newCharge = async ({ admin }: TestAccount, paymentMethod = 'PIX') => {
  const dueDate = dayAhead(platform.clock.now(), 3);
  const body = { paymentMethod, dueDate, amount: 150, description: 'Crédito' };
  const created = await admin.client.post('/charges', body);
  expect(created.status).toBe(200);
  return created.body as { id: number; paymentId: string; paymentLink: string };
};

const reaches = (account: TestAccount, id: number, status: string) =>
  expect.poll(async () => (await account.admin.client.get(`/charges/${id}`)).body.status).toBe(status);

const readBalance = async ({ admin }: TestAccount): Promise<number> =>
  (await admin.client.get('/accounts/balance')).body.balance;

const drive = (
  { admin }: TestAccount,
  id: number | string,
  action: string,
  body?: unknown,
): Promise<Answer> => admin.client.post(`/sandbox/charges/${id}/${action}`, body);

test('CHARGE-24 pay and refund change a charge through notifications of the gateway', async () => {
  const account = await createAccount(platform);
  const { id, paymentId } = await newCharge(account);
  const paid = await drive(account, id, 'pay');
  expect(paid).toMatchObject({ status: 200, body: { id, paymentId, status: 'RECEIVED' } });
  await reaches(account, id, 'RECEIVED');
  expect(await readBalance(account)).toBe(150);
  const refunded = await drive(account, id, 'refund');
  expect(refunded).toMatchObject({ status: 200, body: { id, paymentId, status: 'REFUNDED' } });
  await reaches(account, id, 'REFUNDED');
  expect(await readBalance(account)).toBe(0);
});

test('CHARGE-19 CHARGE-24 duplicate and reordered events credit once', async () => {
  const account = await createAccount(platform);
  const { id, paymentId } = await newCharge(account, 'CREDIT_CARD');
  const paid = await drive(account, id, 'pay', { notifications: 5, shuffled: true });
  expect(paid.body.status).toBe('RECEIVED');
  expect(await queuedEvents(platform.database, paymentId)).toHaveLength(10);
  await reaches(account, id, 'RECEIVED');
  await expect
    .poll(
      () =>
        platform.database.query(
          `select name from pgboss.job where name in ('sandbox.notify', 'charges.read-payment')
             and state in ('created', 'retry', 'active')`,
        ),
      { timeout: 120_000 },
    )
    .toEqual([]);
  expect(await readBalance(account)).toBe(150);
});

test('CHARGE-24 actions on the payment page reach the charge, a card in two steps', async () => {
  const account = await createAccount(platform);
  const { id, paymentLink } = await newCharge(account, 'CREDIT_CARD');
  const { pathname } = new URL(paymentLink);
  const pressed = await platform.app.inject({ method: 'POST', url: `${pathname}/pay` });
  expect(pressed.statusCode).toBe(303);
  await reaches(account, id, 'RECEIVED');
  const { body } = await account.admin.client.get(`/charges/${id}`);
  expect(body.paidAt < body.receivedAt).toBe(true);
  expect(await readBalance(account)).toBe(150);
});

test('CHARGE-20 CHARGE-24 a cancelled charge can be paid late', async () => {
  const account = await createAccount(platform);
  const { id } = await newCharge(account, 'BOLETO');
  expect((await account.admin.client.patch(`/charges/${id}/cancel`)).body.status).toBe('CANCELED');
  await drive(account, id, 'pay');
  await reaches(account, id, 'RECEIVED');
  expect(await readBalance(account)).toBe(150);
});

test('CHARGE-24 unknown and foreign charges cannot be paid or refunded, and a USER can do neither', async () => {
  const account = await createAccount(platform);
  const other = await createAccount(platform);
  const { id } = await newCharge(other);
  const missing = await drive(account, 999_999_999, 'pay');
  expect(missing.status).toBe(404);
  for (const wrong of [id, 'x', '0', '-1', '1e3', '9'.repeat(30)]) {
    for (const action of ['pay', 'refund']) {
      const answer = await drive(account, wrong, action);
      expect(answer).toMatchObject({ status: 404, body: missing.body });
    }
  }
  const user = await other.addUser('USER');
  expect((await user.client.post(`/sandbox/charges/${id}/pay`)).status).toBe(403);
  expect((await other.admin.client.get(`/charges/${id}`)).body.status).toBe('PENDING');
});

test('refunding an unpaid charge changes nothing and returns an error', async () => {
  const account = await createAccount(platform);
  const { id } = await newCharge(account);
  expect(await drive(account, id, 'refund')).toMatchObject({ status: 200, body: { status: 'PENDING' } });
});

test.each([
  [{ notifications: 6 }, 'notifications'],
  [{ notifications: -1 }, 'notifications'],
  [{ notifications: 1.5 }, 'notifications'],
  [{ delaySeconds: 3601 }, 'delaySeconds'],
  [{ delaySeconds: '1s' }, 'delaySeconds'],
  [{ shuffled: 1 }, 'shuffled'],
  [{ shufled: true }, 'shufled'],
])('%o is rejected with 422', async (body, path) => {
  const account = await createAccount(platform);
  const { id } = await newCharge(account);
  const answer = await drive(account, id, 'pay', body);
  expect(answer.status).toBe(422);
  expect(answer.body.error.details).toMatchObject([{ path }]);
  expect((await account.admin.client.get(`/charges/${id}`)).body.status).toBe('PENDING');
});
