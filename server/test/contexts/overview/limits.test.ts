import { afterAll, beforeAll, expect, test } from 'vitest';
import { setCaps } from '../../../src/contexts/calls/index.ts';
import { addDeck, billingOfCall, giveCredit } from '../../harness/fixtures/billing.ts';
import { extensionBody } from '../../harness/fixtures/extensions.ts';
import { openOperator, type TestOperator } from '../../harness/operator.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;
let operator: TestOperator;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '2' });
  await addDeck(platform, [{ prefix: '55', price: 0.6 }]);
  account = await createAccount(platform);
  operator = openOperator(platform);
});
afterAll(async () => {
  await operator.close();
  await platform.close();
});

const limits = async () => (await account.admin.client.get('/accounts/limits')).body;

test('LIMIT-16 an account has the default caps, initially unused', async () => {
  expect((await limits()).calls).toEqual({
    perSecond: { limit: 5, isSet: false },
    atOnce: { limit: 10, isSet: false, used: 0 },
    spendPerDay: { limit: 500, isSet: false, used: 0 },
    pricePerMinute: { limit: 1, isSet: false },
    countries: { allowed: ['BR'], isSet: false },
  });
});

test('LIMIT-16 returns the operator’s caps and their current use', async () => {
  await giveCredit(platform, account.id, 100);
  const [talked, talking] = [billingOfCall(platform, account), billingOfCall(platform, account)];
  await talked.hold();
  await talked.settle(60);
  await talking.hold();
  await platform.database.query(
    `insert into live_calls (call_id, account_id, book, kind, state, requested_at, order_data, funded_seconds)
     values ($2, $1, 'test', 'click', 'answered', now(), '{}', 60)`,
    [account.id, talking.callId],
  );
  await setCaps(operator, account.id, {
    callsPerSecond: 7,
    dailySpendMicros: 42_500_000,
    countries: ['BR', 'PT'],
  });
  expect((await limits()).calls).toEqual({
    perSecond: { limit: 7, isSet: true },
    atOnce: { limit: 10, isSet: false, used: 1 },
    spendPerDay: { limit: 42.5, isSet: true, used: 1.2 },
    pricePerMinute: { limit: 1, isSet: false },
    countries: { allowed: ['BR', 'PT'], isSet: true },
  });
  platform.clock.advance(24 * 3600);
  // Yesterday's spending no longer counts; current holds do.
  expect((await limits()).calls.spendPerDay.used).toBe(0.6);
});

test('LIMIT-16 more extensions allow more concurrent calls, unless the operator set a cap', async () => {
  const rows = Array.from({ length: 12 }, () => extensionBody());
  await account.admin.client.post('/extensions/bulk', { extensions: rows });
  expect((await limits()).calls.atOnce).toMatchObject({ limit: 12, isSet: false });
  await setCaps(operator, account.id, { concurrentCalls: 3 });
  expect((await limits()).calls.atOnce).toMatchObject({ limit: 3, isSet: true });
});

test('LIMIT-16 returns the configured rate limits', async () => {
  interface Bucket {
    by: string;
    requests: number;
    windowSeconds: number;
    routes: string[];
  }
  const { requests } = (await limits()) as { requests: Bucket[] };
  const of = (route: string) => requests.filter(({ routes }) => routes.includes(route));
  const minute = { windowSeconds: 60 };
  expect(of('POST /calls')).toEqual([{ by: 'extension', requests: 30, ...minute, routes: ['POST /calls'] }]);
  expect(of('GET /calls')).toMatchObject([{ by: 'user', requests: 30, ...minute }]);
  expect(of('POST /calls/:id/hangup')).toMatchObject([{ by: 'user', requests: 60, ...minute }]);
  expect(of('POST /users/login')).toMatchObject([{ by: 'address', requests: 20, ...minute }]);
  expect(of('GET /users')).toMatchObject([{ by: 'address', requests: 120, ...minute }]);
  expect(requests.at(-1)).toEqual({ by: 'user', requests: 120, ...minute, routes: [] });
  const answer = await account.admin.client.get('/accounts/limits');
  expect(answer.headers['ratelimit-limit']).toBe('120');
});

test('LIMIT-16 a USER is rejected', async () => {
  const { client } = await account.addUser();
  expect((await client.get('/accounts/limits')).status).toBe(403);
});
