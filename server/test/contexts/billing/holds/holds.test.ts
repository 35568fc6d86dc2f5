import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLedger, holdForCall } from '../../../../src/contexts/billing/index.ts';
import { statusOf } from '../../../../src/http/problems.ts';
import {
  addDeck,
  billingOfCall,
  billingOfCharge,
  destination,
  giveCredit,
  readBalance,
  within,
} from '../../../harness/fixtures/billing.ts';
import { createAccount, type TestAccount } from '../../../harness/people.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';

const freeOfCharge = '5598765432';
const hourlySteps = '5612345678';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  platform.clock.freeze();
  await addDeck(platform, [
    { prefix: '55', price: 0.12 },
    { prefix: '5511', price: 0.1 },
    { prefix: '55119', price: 0.3 },
    { prefix: '559', price: 0 },
    { prefix: '56', price: 0.02, step: 3600 },
  ]);
});
afterAll(async () => {
  expect(await auditLedger(platform.api.base)).toEqual([]);
  await platform.close();
});

async function accountWith(reais: number): Promise<TestAccount> {
  const account = await createAccount(platform);
  if (reais > 0) await giveCredit(platform, account.id, reais);
  return account;
}

const listEntries = async (account: TestAccount) =>
  (await account.admin.client.list('/accounts/statement', undefined, { page: '1' })).body.data;

test('LEDGER-02 LEDGER-05 LEDGER-06 a call holds one minute ahead, renews and is charged once', async () => {
  const account = await accountWith(10);
  const call = billingOfCall(platform, account);
  expect(await call.hold()).toMatchObject({ fundedSeconds: 60, isLast: false });
  expect(await readBalance(account)).toEqual({ balance: 10, held: 0.3, available: 9.7, currency: 'BRL' });
  expect(await call.renew(30)).toMatchObject({ fundedSeconds: 90, isLast: false });
  expect(await readBalance(account)).toEqual({ balance: 10, held: 0.45, available: 9.55, currency: 'BRL' });
  expect(await call.settle(61)).toMatchObject({ usedSeconds: 61, billedSeconds: 66, priceMicros: 330_000 });
  expect(await call.settle(61)).toMatchObject({ usedSeconds: 61, billedSeconds: 66, priceMicros: 330_000 });
  expect(await readBalance(account)).toEqual({ balance: 9.67, held: 0, available: 9.67, currency: 'BRL' });
  const price = await account.admin.client.get(`/calls/${call.callId}/price`);
  expect(price.body).toMatchObject({ prefix: '55119', callPrice: 0.33, billedDuration: 66 });
  expect((await listEntries(account)).map((line: { amount: number }) => line.amount)).toEqual([-0.33, 10]);
});

test('LEDGER-05 renewing 30 s before the funding ends funds a minute again; idempotent', async () => {
  const account = await accountWith(10);
  const call = billingOfCall(platform, account);
  await call.hold();
  for (const used of [30, 60, 90, 120]) {
    const renewals = await Promise.all([call.renew(used), call.renew(used), call.renew(used)]);
    for (const funding of renewals)
      expect(funding).toMatchObject({ fundedSeconds: used + 60, isLast: false });
  }
  expect(await readBalance(account)).toMatchObject({ held: 0.9, available: 9.1 });
});

test('LEDGER-06 concurrent requests for one call hold once and charge once', async () => {
  const account = await accountWith(10);
  const call = billingOfCall(platform, account);
  const times = Array.from({ length: 8 }, (_, index) => index);
  const holds = await Promise.allSettled(times.map(() => call.hold()));
  const made = holds.filter((hold) => hold.status === 'fulfilled');
  expect(made.map(({ value }) => value.fundedSeconds)).toEqual([60]);
  expect(await readBalance(account)).toMatchObject({ held: 0.3, available: 9.7 });
  const ends = await Promise.all(times.map((index) => call.settle(10 + index * 6)));
  expect(new Set(ends.map((settlement) => JSON.stringify(settlement))).size).toBe(1);
  const price = (ends[0]?.priceMicros ?? 0) / 1e6;
  expect(await readBalance(account)).toMatchObject({ held: 0, balance: 10 - price });
  expect(await listEntries(account)).toHaveLength(2);
});

test('LEDGER-06 a repeated hold fails and holds nothing, even after the call ended', async () => {
  const account = await accountWith(10);
  const call = billingOfCall(platform, account);
  await call.hold();
  await expect(call.hold()).rejects.toMatchObject({ code: '23505' });
  await call.settle(20);
  await expect(call.hold()).rejects.toMatchObject({ code: '23505' });
  expect(await call.renew(30)).toMatchObject({ isLast: true });
  expect(await readBalance(account)).toMatchObject({ held: 0, balance: 9.85 });
});

test('LEDGER-08 LEDGER-14 the last renewal funds the whole steps left, the billing maximum', async () => {
  const account = await accountWith(0.5);
  const call = billingOfCall(platform, account);
  await call.hold();
  expect(await call.renew(30)).toMatchObject({ fundedSeconds: 90, isLast: false });
  // R$ 0.05 are left: 10 s at R$ 0.30 per minute, which covers one whole step.
  expect(await call.renew(60)).toMatchObject({ fundedSeconds: 96, isLast: true });
  expect(await call.renew(66)).toMatchObject({ fundedSeconds: 96, isLast: true });
  expect(await readBalance(account)).toMatchObject({ held: 0.48, available: 0.02 });
  // Talked longer than funded, because the engine was slow to hang up.
  expect(await call.settle(103)).toMatchObject({ usedSeconds: 103, billedSeconds: 96, priceMicros: 480_000 });
  expect(await readBalance(account)).toMatchObject({ held: 0, available: 0.02 });
});

test('LEDGER-08 a call about to end continues when credit arrives in time', async () => {
  const account = await accountWith(0.3);
  const call = billingOfCall(platform, account);
  await call.hold();
  expect(await call.renew(30)).toMatchObject({ fundedSeconds: 60, isLast: true });
  await giveCredit(platform, account.id, 1);
  expect(await call.renew(35)).toMatchObject({ fundedSeconds: 96, isLast: false });
});

test('LEDGER-07 rejects credit R$ 0.0001 below the first minute, and holds nothing', async () => {
  const account = await accountWith(0.2999);
  await expect(billingOfCall(platform, account).hold()).rejects.toMatchObject({
    code: 'INSUFFICIENT_CREDIT',
  });
  expect(await readBalance(account)).toMatchObject({ held: 0, available: 0.2999 });
  await giveCredit(platform, account.id, 0.0001);
  expect(await billingOfCall(platform, account).hold()).toMatchObject({ fundedSeconds: 60 });
  expect(await readBalance(account)).toMatchObject({ held: 0.3, available: 0 });
});

test('a rejected hold leaves nothing behind, even if its transaction commits', async () => {
  const account = await accountWith(0.1);
  const callId = randomUUID();
  const call = { accountId: account.id, callId, destination, at: platform.clock.now() };
  await within(platform, account.id, async (tx) => {
    await expect(holdForCall(tx, platform.api.app, call)).rejects.toMatchObject({
      code: 'INSUFFICIENT_CREDIT',
    });
  });
  expect((await account.admin.client.get(`/calls/${callId}/price`)).status).toBe(404);
  expect(await platform.database.query('select from call_holds where call_id = $1', [callId])).toEqual([]);
});

test('LEDGER-12 refunds and chargebacks can take credit below zero; new calls then return 402', async () => {
  for (const kind of ['refund', 'chargeback'] as const) {
    const account = await accountWith(0);
    const charge = billingOfCharge(platform, account, account.id * 10, 10);
    await charge.credit();
    await charge.credit();
    expect(await readBalance(account)).toMatchObject({ balance: 10 });
    const call = billingOfCall(platform, account);
    await call.hold();
    await call.settle(60);
    const running = billingOfCall(platform, account);
    await running.hold();
    await charge.takeBack(kind);
    await charge.takeBack(kind);
    expect(await readBalance(account)).toEqual({
      balance: -0.3,
      held: 0.3,
      available: -0.6,
      currency: 'BRL',
    });
    for (const to of [destination, freeOfCharge]) {
      await expect(billingOfCall(platform, account).hold(to)).rejects.toMatchObject({
        code: 'INSUFFICIENT_CREDIT',
      });
    }
    expect(statusOf('INSUFFICIENT_CREDIT')).toBe(402);
    // The running call keeps its funding and is not extended.
    expect(await running.renew(30)).toMatchObject({ fundedSeconds: 60, isLast: true });
    await running.settle(60);
    expect(await readBalance(account)).toMatchObject({ balance: -0.6, held: 0, available: -0.6 });
    expect((await listEntries(account))[1]).toMatchObject({ type: kind, amount: -10 });
    await giveCredit(platform, account.id, 1);
    expect(await billingOfCall(platform, account).hold()).toMatchObject({ fundedSeconds: 60 });
  }
});

test('the operator cannot take more than the available credit', async () => {
  const account = await accountWith(1);
  await billingOfCall(platform, account).hold();
  await expect(giveCredit(platform, account.id, -0.71)).rejects.toMatchObject({
    code: 'INSUFFICIENT_CREDIT',
  });
  await giveCredit(platform, account.id, -0.7);
  expect(await readBalance(account)).toMatchObject({ balance: 0.3, held: 0.3, available: 0 });
});

test('a number without a rate is rejected', async () => {
  const account = await accountWith(1);
  await expect(billingOfCall(platform, account).hold('4930123456')).rejects.toMatchObject({
    code: 'DESTINATION_NOT_ALLOWED',
  });
  await expect(billingOfCall(platform, account).hold('')).rejects.toMatchObject({
    code: 'DESTINATION_NOT_ALLOWED',
  });
});

test('a free call is held and settled without an entry', async () => {
  const account = await accountWith(0);
  const call = billingOfCall(platform, account);
  expect(await call.hold(freeOfCharge)).toMatchObject({ fundedSeconds: 60 });
  expect(await call.renew(45)).toMatchObject({ fundedSeconds: 108, isLast: false });
  expect(await call.settle(90)).toMatchObject({ usedSeconds: 90, billedSeconds: 90, priceMicros: 0 });
  const price = await account.admin.client.get(`/calls/${call.callId}/price`);
  expect(price.body).toMatchObject({ callPrice: 0, entries: [] });
});

test('LEDGER-10 a call of 3 s releases its whole hold, one of 4 s costs the minimum', async () => {
  const account = await accountWith(1);
  for (const [used, billed, balance] of [
    [0, 0, 1],
    [3, 0, 1],
    [4, 30, 0.85],
    [31, 36, 0.67],
  ] as const) {
    const call = billingOfCall(platform, account);
    await call.hold();
    expect(await call.settle(used)).toMatchObject({ billedSeconds: billed });
    expect(await readBalance(account)).toMatchObject({ held: 0, balance });
  }
});

test('one call id in two accounts is two calls', async () => {
  const [one, other] = [await accountWith(1), await accountWith(2)];
  const callId = randomUUID();
  await Promise.all([
    billingOfCall(platform, one, callId).hold(),
    billingOfCall(platform, other, callId).hold(),
  ]);
  await billingOfCall(platform, one, callId).settle(60);
  expect(await readBalance(one)).toMatchObject({ held: 0, balance: 0.7 });
  expect(await readBalance(other)).toMatchObject({ held: 0.3, balance: 2 });
});

test('test and live are separate books, and a call settles in the book it started in', async () => {
  const account = await accountWith(1);
  const call = billingOfCall(platform, account);
  await call.hold();
  await platform.database.query(`update accounts set mode = 'live' where id = $1`, [account.id]);
  expect(await readBalance(account)).toMatchObject({ balance: 0, held: 0, available: 0 });
  expect(await listEntries(account)).toEqual([]);
  await expect(billingOfCall(platform, account).hold()).rejects.toMatchObject({
    code: 'INSUFFICIENT_CREDIT',
  });
  await giveCredit(platform, account.id, 5);
  await call.renew(30);
  await call.settle(90);
  expect(await readBalance(account)).toMatchObject({ balance: 5, held: 0 });
  await platform.database.query(`update accounts set mode = 'test' where id = $1`, [account.id]);
  expect(await readBalance(account)).toMatchObject({ balance: 0.55, held: 0 });
});

test('a call funded in hourly steps does not expire within the hour', async () => {
  const account = await accountWith(10);
  const call = billingOfCall(platform, account);
  expect(await call.hold(hourlySteps)).toMatchObject({ fundedSeconds: 3630 });
  expect(await call.renew(3600)).toMatchObject({ fundedSeconds: 7230 });
  const [row] = await platform.database.query<{ seconds: number }>(
    `select extract(epoch from expires_at - $2)::int as seconds from call_holds where call_id = $1`,
    [call.callId, platform.clock.now()],
  );
  expect(row?.seconds).toBeGreaterThanOrEqual(3630);
});
