import { afterAll, beforeAll, expect, test } from 'vitest';
import { fundCall } from '../../../../src/contexts/calls/index.ts';
import { billingOfCall } from '../../../harness/fixtures/billing.ts';
import {
  answerCall,
  type CallingAccount,
  createCallingAccount,
  destinations,
  startCallLimitPlatform,
  tally,
} from '../../../harness/fixtures/call-limits.ts';
import { nextBody } from '../../../harness/fixtures/extensions.ts';
import type { Platform } from '../../../harness/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startCallLimitPlatform();
});
afterAll(() => platform.close());

const times = <T>(count: number, work: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, work));

/** Advances to a second in which no call was started. */
const nextSecond = (): void => platform.clock.advance(1);

test('CALL-39 accepts exactly five calls per second, however many arrive concurrently', async () => {
  const account = await createCallingAccount(platform);
  const answers = await times(20, () => account.call());
  expect(tally(answers)).toEqual({ accepted: 5, CAPACITY_EXCEEDED: 15 });
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.headers['retry-after']).toBe('1');
  expect(await account.running()).toBe(5);

  nextSecond();
  expect(tally(await times(6, () => account.call()))).toEqual({ accepted: 5, CAPACITY_EXCEEDED: 1 });
});

test('CALL-39 a call that ended within its second still counts', async () => {
  const account = await createCallingAccount(platform);
  await times(5, () => account.call());
  await account.endCalls();
  expect(tally([await account.call()])).toEqual({ CAPACITY_EXCEEDED: 1 });
});

test('CALL-39 a rejected call does not count, holds no credit and leaves no record', async () => {
  const account = await createCallingAccount(platform, 6);
  const answers = await times(8, () => account.call());
  expect(tally(answers)).toEqual({ accepted: 5, CAPACITY_EXCEEDED: 3 });
  expect((await account.admin.client.get('/accounts/balance')).body.held).toBe(5);
  const listed = await account.admin.client.list('/calls', undefined, { page: '1' });
  expect(listed.body.meta.totalItemCount).toBe(5);
  nextSecond();
  expect(tally(await times(4, () => account.call('190')))).toEqual({ DESTINATION_NOT_ALLOWED: 4 });
  expect(tally(await times(5, () => account.call(destinations.free)))).toEqual({ accepted: 5 });
});

test('CALL-39 accepts exactly ten concurrent calls, even if they are free', async () => {
  for (const called of [destinations.ordinary, destinations.free]) {
    const account = await createCallingAccount(platform);
    await account.cap({ callsPerSecond: 100 });
    const answers = await times(25, () => account.call(called));
    expect(tally(answers)).toEqual({ accepted: 10, CAPACITY_EXCEEDED: 15 });
    expect(Number(answers.find(({ status }) => status === 429)?.headers['retry-after'])).toBeGreaterThan(1);
    expect(await account.running()).toBe(10);
    await account.endCalls();
    expect(tally([await account.call(called)])).toEqual({ accepted: 1 });
  }
});

test('CALL-39 an account with more than ten extensions gets one concurrent call per extension', async () => {
  const account = await createCallingAccount(platform);
  await account.cap({ callsPerSecond: 100 });
  await times(11, () => account.admin.client.post('/extensions/next-available', nextBody()));
  expect(tally(await times(15, () => account.call()))).toEqual({ accepted: 12, CAPACITY_EXCEEDED: 3 });
});

test('CALL-39 the operator sets calls per second and concurrent calls per account', async () => {
  const [account, other] = [await createCallingAccount(platform), await createCallingAccount(platform)];
  await account.cap({ callsPerSecond: 2, concurrentCalls: 3 });
  expect(tally(await times(4, () => account.call()))).toEqual({ accepted: 2, CAPACITY_EXCEEDED: 2 });
  nextSecond();
  expect(tally(await times(4, () => account.call()))).toEqual({ accepted: 1, CAPACITY_EXCEEDED: 3 });
  expect(tally(await times(5, () => other.call()))).toEqual({ accepted: 5 });
  nextSecond();
  await account.cap({ callsPerSecond: null, concurrentCalls: null });
  expect(tally(await times(5, () => account.call()))).toEqual({ accepted: 5 });
  nextSecond();
  await account.cap({ callsPerSecond: 0 });
  expect(tally([await account.call()])).toEqual({ CAPACITY_EXCEEDED: 1 });
});

test('CALL-39 nodes whose clocks differ by a few seconds count the same second', async () => {
  const account = await createCallingAccount(platform);
  await times(5, () => account.call());
  platform.clock.advance(-3);
  expect(tally([await account.call()])).toEqual({ CAPACITY_EXCEEDED: 1 });
  platform.clock.advance(3);
  // A call that was counted with a clock far ahead does not block the account until that time.
  platform.clock.advance(-60);
  expect(tally([await account.call()])).toEqual({ accepted: 1 });
  platform.clock.advance(60);
});

test('CALL-39 rejects rates above R$ 1.00 per minute until the operator allows them', async () => {
  const account = await createCallingAccount(platform);
  const refused = await account.call(destinations.dear);
  expect([refused.status, refused.body.error.errorCode]).toEqual([403, 'SPEND_LIMIT_REACHED']);
  expect((await account.call(destinations.ordinary)).status).toBe(200);
  await account.cap({ pricePerMinuteMicros: 1_010_000 });
  expect((await account.call(destinations.dear)).status).toBe(200);
});

test('CALL-39 the daily limit counts the cost of today’s calls and current holds, in Sao Paulo days', async () => {
  const account = await createCallingAccount(platform);
  await account.cap({ dailySpendMicros: 5_000_000 });
  const talk = billingOfCall(platform, account);
  await talk.hold();
  await talk.renew(120);
  await talk.settle(180);
  expect(tally(await times(3, () => account.call()))).toEqual({ accepted: 2, SPEND_LIMIT_REACHED: 1 });
  nextSecond();
  expect((await account.call(destinations.free)).status).toBe(200);

  platform.clock.advance(24 * 3600);
  expect(tally([await account.call()])).toEqual({ accepted: 1 });
  nextSecond();
  await account.cap({ dailySpendMicros: null });
  expect(tally(await times(4, () => account.call()))).toEqual({ accepted: 4 });
});

test('CALL-39 the default limit is exactly R$ 500 per day, however many calls arrive concurrently', async () => {
  const account = await createCallingAccount(platform);
  await account.cap({ callsPerSecond: 100, concurrentCalls: 100 });
  await platform.database.query(
    `update ledger_balances set spent_on = ($2::timestamptz at time zone 'America/Sao_Paulo')::date,
            spent_micros = 493000000 where account_id = $1`,
    [account.id, platform.clock.now()],
  );
  expect(tally(await times(15, () => account.call()))).toEqual({ accepted: 7, SPEND_LIMIT_REACHED: 8 });
});

test('CALL-33 CALL-39 the spending cap is checked before the credit, the credit before capacity', async () => {
  const account: CallingAccount = await createCallingAccount(platform, 0);
  await account.cap({ dailySpendMicros: 0, callsPerSecond: 0 });
  expect(tally([await account.call()])).toEqual({ SPEND_LIMIT_REACHED: 1 });
  await account.cap({ dailySpendMicros: null, pricePerMinuteMicros: 0 });
  expect(tally([await account.call()])).toEqual({ SPEND_LIMIT_REACHED: 1 });
  await account.cap({ pricePerMinuteMicros: null });
  expect(tally([await account.call()])).toEqual({ INSUFFICIENT_CREDIT: 1 });
  expect(tally([await account.call('190')])).toEqual({ DESTINATION_NOT_ALLOWED: 1 });
});

test('CALL-38 CALL-39 the operator enables countries individually', async () => {
  const account = await createCallingAccount(platform);
  expect(tally([await account.call('351912345678')])).toEqual({ DESTINATION_NOT_ALLOWED: 1 });
  await account.cap({ countries: ['PT'] });
  expect(tally([await account.call('351912345678')])).toEqual({ accepted: 1 });
  expect(tally([await account.call()])).toEqual({ DESTINATION_NOT_ALLOWED: 1 });
  await account.cap({ countries: null });
  expect(tally([await account.call()])).toEqual({ accepted: 1 });
});

test('CALL-39 LEDGER-08 a running call is not renewed beyond the daily spending limit', async () => {
  const account = await createCallingAccount(platform);
  await account.cap({ dailySpendMicros: 2_000_000 });
  const { id } = (await account.call()).body;
  const call = await answerCall(platform, id);
  const { db } = platform.api.base;
  const deps = { ...platform.api.app, db, clock: platform.clock };
  platform.clock.advance(30);
  expect(await fundCall(deps, call)).toMatchObject({ fundedSeconds: 120, renewAt: expect.any(Date) });
  platform.clock.advance(60);
  // A third minute would reach the limit of R$ 3.00.
  expect(await fundCall(deps, call)).toEqual({ fundedSeconds: 120, renewAt: null });
  const [balance] = await platform.database.query<{ held_micros: string }>(
    'select held_micros from ledger_balances where account_id = $1',
    [account.id],
  );
  expect(Number(balance?.held_micros)).toBe(2_000_000);
  await account.cap({ dailySpendMicros: 5_000_000 });
  expect(await fundCall(deps, call)).toMatchObject({ fundedSeconds: 180 });
});
