import { afterAll, beforeAll, expect, test } from 'vitest';
import { holdForCall } from '../../../src/contexts/billing/index.ts';
import { uuidv7 } from '../../../src/platform/ids.ts';
import { addDeck, destination, within } from '../../harness/fixtures/billing.ts';
import { createAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';
import { until } from '../../harness/until.ts';

let platform: Platform;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  await addDeck(platform, [{ prefix: '55', price: 0.12 }]);
});
afterAll(() => platform.close());

test('LEDGER-16 a test account gets exactly the requested test credit, shown in its statement', async () => {
  const { admin } = await createAccount(platform);
  for (const available of [25, 0.0501, 0.0501, 0]) {
    const set = await admin.client.post('/sandbox/credit', { available });
    expect(set).toMatchObject({ status: 200, body: { available, balance: available, held: 0 } });
    expect((await admin.client.get('/accounts/balance')).body.available).toBe(available);
  }
  const { data } = (await admin.client.get('/accounts/statement?page=1')).body;
  expect(data.map((line: { amount: number; type: string }) => [line.type, line.amount])).toEqual([
    ['adjustment', -0.0501],
    ['adjustment', -24.9499],
    ['adjustment', 25],
  ]);
});

test('LEDGER-16 concurrent requests each return the amount they requested', async () => {
  const { admin } = await createAccount(platform);
  const amounts = Array.from({ length: 20 }, (_, index) => (index * 7) % 20);
  const answers = await Promise.all(
    amounts.map((available) => admin.client.post('/sandbox/credit', { available })),
  );
  expect(answers.map(({ body }) => body.available)).toEqual(amounts);
  const { available } = (await admin.client.get('/accounts/balance')).body;
  const { data } = (await admin.client.get('/accounts/statement?page=1')).body;
  expect(amounts).toContain(available);
  expect(data.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0)).toBe(available);
});

test.each([0, 25])('LEDGER-16 sets R$ %d exactly while a call holds credit', async (available) => {
  const { id: accountId, admin } = await createAccount(platform);
  await admin.client.post('/sandbox/credit', { available: 10 });
  const setting = await within(platform, accountId, async (tx) => {
    const at = platform.clock.now();
    await holdForCall(tx, platform.api.app, { accountId, callId: uuidv7(at), destination, at });
    const asked = admin.client.post('/sandbox/credit', { available });
    await until(async () => {
      const [row] = await platform.database.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return row;
    }, 'the request waits for the call');
    return { asked };
  });
  const { status, body } = await setting.asked;
  expect({ status, body }).toMatchObject({ status: 200, body: { available } });
  expect(body.held).toBeGreaterThan(0);
  expect((await admin.client.get('/accounts/balance')).body).toMatchObject(body);
});

test('LEDGER-16 rejects an invalid amount', async () => {
  const { admin } = await createAccount(platform);
  for (const available of [-1, 0.00001, 1e9, '5,00', '', null, undefined]) {
    const refused = await admin.client.post('/sandbox/credit', { available });
    expect(refused.status, String(available)).toBe(422);
  }
});

test('LEDGER-16 a USER cannot set it', async () => {
  const account = await createAccount(platform);
  const user = await account.addUser('USER');
  const refused = await user.client.post('/sandbox/credit', { available: 5 });
  expect(refused).toMatchObject({ status: 403, body: { error: { errorCode: 'ACCESS_DENIED' } } });
});

test('LEDGER-16 live credit cannot be set', async () => {
  const account = await createAccount(platform);
  await platform.database.query(`update accounts set mode = 'live' where id = ${account.id}`);
  const refused = await account.admin.client.post('/sandbox/credit', { available: 5 });
  expect(refused).toMatchObject({ status: 404, body: { error: { errorCode: 'NOT_FOUND' } } });
  expect((await account.admin.client.get('/accounts/balance')).body.available).toBe(0);
});
