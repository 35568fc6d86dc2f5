import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { billingJobs, expireHoldsQueue } from '../../../../src/contexts/billing/billing.jobs.ts';
import { renewHold } from '../../../../src/contexts/billing/index.ts';
import { jobSchedule } from '../../../../src/main/jobs.ts';
import {
  addDeck,
  billingOfCall,
  giveCredit,
  readBalance,
  within,
} from '../../../harness/fixtures/billing.ts';
import { createAccount, type TestAccount } from '../../../harness/people.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;
beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  platform.clock.freeze();
  await addDeck(platform, [{ prefix: '55', price: 0.3 }]);
});
beforeEach(async () => {
  account = await createAccount(platform);
  await giveCredit(platform, account.id, 100);
});
afterAll(() => platform.close());

const blockedSessions = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

const expire = (signal = AbortSignal.timeout(120_000)) =>
  billingJobs(platform.api.base)[expireHoldsQueue.name]?.({}, { id: 'expire', signal });

test('a hold neither renewed nor settled is released uncharged 5 min after its funding ends', async () => {
  const call = billingOfCall(platform, account);
  await call.hold();
  platform.clock.advance(359);
  await expire();
  expect(await readBalance(account)).toMatchObject({ held: 0.3 });
  platform.clock.advance(1);
  await expire();
  expect(await readBalance(account)).toEqual({ balance: 100, held: 0, available: 100, currency: 'BRL' });
  expect(jobSchedule[expireHoldsQueue.name]).toBe('* * * * *');
});

test('LEDGER-06 a call whose hold expired is no longer charged', async () => {
  const call = billingOfCall(platform, account);
  await call.hold();
  platform.clock.advance(400);
  await Promise.all([expire(), expire()]);
  expect(await call.settle(50)).toMatchObject({ usedSeconds: 0, billedSeconds: 0, priceMicros: 0 });
  expect(await call.renew(50)).toMatchObject({ isLast: true });
  expect(await readBalance(account)).toMatchObject({ balance: 100, held: 0 });
});

test('a renewal keeps a hold alive', async () => {
  const call = billingOfCall(platform, account);
  await call.hold();
  platform.clock.advance(300);
  await call.renew(30);
  platform.clock.advance(300);
  await expire();
  expect(await readBalance(account)).toMatchObject({ held: 0.45 });
  platform.clock.advance(60);
  await expire();
  expect(await readBalance(account)).toMatchObject({ held: 0 });
});

test('a hold renewed while the sweep is processing it does not expire', async () => {
  const call = billingOfCall(platform, account);
  await call.hold();
  platform.clock.advance(400);
  let expiring: Promise<void> | undefined;
  await within(platform, account.id, async (tx) => {
    const renewal = { accountId: account.id, callId: call.callId, usedSeconds: 30, at: platform.clock.now() };
    await renewHold(tx, platform.api.app, renewal);
    expiring = expire();
    await expect.poll(() => platform.database.query(blockedSessions)).not.toEqual([]);
  });
  await expiring;
  expect(await readBalance(account)).toMatchObject({ held: 0.45 });
  await call.settle(60);
});

test('LEDGER-06 settling and expiring concurrently end a call once', async () => {
  for (let round = 0; round < 10; round += 1) {
    const call = billingOfCall(platform, account);
    await call.hold();
    const before = await readBalance(account);
    platform.clock.advance(400);
    const [settlement] = await Promise.all([call.settle(60), expire(), call.renew(60), expire()]);
    const after = await readBalance(account);
    expect(after.held).toBe(0);
    expect(Math.round((before.balance - after.balance) * 1e6)).toBe(settlement.priceMicros);
  }
});

test('one run expires more orphaned holds than one batch', async () => {
  for (let orphan = 0; orphan < 130; orphan += 1) await billingOfCall(platform, account).hold();
  platform.clock.advance(400);
  await expire();
  expect(await readBalance(account)).toEqual({ balance: 100, held: 0, available: 100, currency: 'BRL' });
});

test('a hold that cannot be expired is reported and does not block others', async () => {
  const broken = await createAccount(platform);
  await giveCredit(platform, broken.id, 1);
  await billingOfCall(platform, broken).hold();
  await billingOfCall(platform, account).hold();
  const setHeld = (micros: number) =>
    platform.database.query('update ledger_balances set held_micros = $2 where account_id = $1', [
      broken.id,
      micros,
    ]);
  await setHeld(0);
  platform.clock.advance(400);
  await expect(expire()).rejects.toThrow('1 holds could not be expired');
  expect(await readBalance(account)).toMatchObject({ held: 0 });
  await setHeld(300_000);
  await expire();
  expect(await readBalance(broken)).toMatchObject({ held: 0, balance: 1 });
});

test('a run stops when aborted', async () => {
  await billingOfCall(platform, account).hold();
  platform.clock.advance(400);
  await expire(AbortSignal.abort());
  expect(await readBalance(account)).toMatchObject({ held: 0.3 });
  await expire();
  expect(await readBalance(account)).toMatchObject({ held: 0 });
});
