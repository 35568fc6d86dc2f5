import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWatch } from '../../../src/contexts/abuse/watch-accounts.ts';
import { sumCalls } from '../../../src/contexts/calls/summary/sum-calls.ts';
import { giveCredit } from '../../harness/fixtures/billing.ts';
import {
  type CallingAccount,
  createCallingAccount,
  destinations,
  startCallLimitPlatform,
} from '../../harness/fixtures/call-limits.ts';
import { insertCalls } from '../../harness/fixtures/call-rows.ts';
import { setMode } from '../../harness/fixtures/charges.ts';
import { mailsTo } from '../../harness/mailbox.ts';
import { runOperator } from '../../harness/operator-cli.ts';
import type { Platform } from '../../harness/platform.ts';

let platform: Platform;
const raised: string[] = [];
const never = new AbortController().signal;

beforeAll(async () => {
  platform = await startCallLimitPlatform();
});
afterAll(() => platform.close());

const watch = (actions = {}) => {
  const observer = { signalRaised: (kind: string, action: string) => raised.push(`${kind} ${action}`) };
  const { base, money } = platform.api;
  return createWatch({ ...money, db: base.db, clock: platform.clock, observer, actions })(never);
};

/** Creates a live account that has called São Paulo at this hour of every day for three weeks, for R$ 0.12 per minute. */
async function addAccount(): Promise<CallingAccount> {
  const account = await createCallingAccount(platform, 0);
  await setMode(platform, account, 'live');
  await giveCredit(platform, account.id, 1_000);
  const days = Array.from({ length: 21 }, (_, day) => day + 1);
  const calls = days.flatMap((day) =>
    Array.from({ length: 5 }, (_, index) => ({
      startedAt: new Date(platform.clock.now().getTime() - day * 86_400_000 + index * 60_000),
    })),
  );
  await insertCalls(platform.database, account, calls);
  await platform.database.query("update calls set book = 'live' where account_id = $1", [account.id]);
  await account.cap({ concurrentCalls: 1_000, callsPerSecond: 1_000, pricePerMinuteMicros: 10_000_000 });
  await platform.database.query(
    `insert into call_words (account_id, word, id) select account_id, "to", id from calls where account_id = $1`,
    [account.id],
  );
  await platform.database.query('delete from call_sums');
  await platform.database.query('update calls_summed set until = null');
  await sumCalls({ db: platform.api.base.db, clock: platform.clock }, never);
  return account;
}

const review = async (account: CallingAccount) =>
  JSON.parse((await runOperator(platform, ['account', 'review', String(account.id), '--json'])).out);

const signalMailsTo = async ({ admin }: CallingAccount) =>
  (await mailsTo(platform, admin.email))
    .filter(({ template }) => template === 'abuse-signal')
    .map(({ data }) => data);

test('ABUSE-01 ordinary calls raise nothing', async () => {
  const account = await addAccount();
  for (let placed = 0; placed < 10; placed += 1) expect((await account.call()).status).toBe(200);
  await watch();
  expect(await review(account)).toEqual({ signals: [] });
});

test('ABUSE-01 ABUSE-02 ABUSE-05 ABUSE-06 three calls to a new and expensive destination suspend the account and end the calls', async () => {
  const [account, other] = [await addAccount(), await addAccount()];
  raised.length = 0;
  expect((await account.call()).status).toBe(200);
  for (let placed = 0; placed < 3; placed += 1)
    expect((await account.call(destinations.dear)).status).toBe(200);
  expect((await other.call()).status).toBe(200);
  await watch();
  expect(raised).toEqual(['new_destinations suspend']);
  expect(await account.running()).toBe(1);
  expect(await other.running()).toBe(1);
  expect((await account.call()).body.error.errorCode).toBe('CALLING_SUSPENDED');
  expect((await other.call()).status).toBe(200);

  const found = await review(account);
  expect(found.signals).toMatchObject([{ kind: 'new_destinations', action: 'suspend', liftedAt: null }]);
  expect(found.suspension.reason).toContain('3 calls in 15 minutes to numbers beginning with 5521');
  expect(await signalMailsTo(account)).toMatchObject([
    { facts: { kind: 'new_destinations', calls: 3, prefixes: ['5521'] }, isSuspended: true },
  ]);
  expect(await signalMailsTo(other)).toEqual([]);
  const { body } = await account.admin.client.list('/audit', undefined, { page: '1' });
  expect(JSON.stringify(body.data)).toContain('account.signal');
  const list = JSON.parse((await runOperator(platform, ['account', 'review', '--json'])).out);
  expect(list).toMatchObject([{ domain: account.domain, isSuspended: true }]);

  await runOperator(platform, ['account', 'review', String(account.id), '--lift']);
  expect((await account.call(destinations.dear)).status).toBe(200);
  // Accepted by the operator for a week.
  platform.clock.advance(60);
  await watch();
  expect((await account.call(destinations.dear)).status).toBe(200);
  expect(raised).toEqual(['new_destinations suspend']);
  await platform.database.query(
    `update abuse_signals set at = at - interval '8 days', lifted_at = lifted_at - interval '8 days' where account_id = $1`,
    [account.id],
  );
  for (let placed = 0; placed < 3; placed += 1)
    expect((await account.call(destinations.dear)).status).toBe(200);
  await watch();
  expect(raised).toEqual(['new_destinations suspend', 'new_destinations suspend']);
  await Promise.all([account.endCalls(), other.endCalls()]);
});

test('ABUSE-01 ABUSE-06 a signal of a kind is recorded and mailed at most once a day for an account', async () => {
  const account = await addAccount();
  raised.length = 0;
  const callOut = async () => {
    for (let placed = 0; placed < 3; placed += 1) await account.call(destinations.dear);
    await watch({ new_destinations: 'alert' });
  };
  const makeOlder = (hours: number) =>
    platform.database.query(
      'update abuse_signals set at = at - make_interval(hours => $2) where account_id = $1',
      [account.id, hours],
    );
  await callOut();
  expect(await signalMailsTo(account)).toHaveLength(1);
  await makeOlder(23);
  await callOut();
  expect(raised).toEqual(['new_destinations alert']);
  expect(await signalMailsTo(account)).toHaveLength(1);
  await makeOlder(2);
  await callOut();
  expect(raised).toEqual(['new_destinations alert', 'new_destinations alert']);
  expect((await review(account)).signals).toHaveLength(2);
  expect(await signalMailsTo(account)).toHaveLength(2);
  await account.endCalls();
});

test('ABUSE-05 the operator can change the action of a signal, or switch it off', async () => {
  const [alerted, ignored] = [await addAccount(), await addAccount()];
  raised.length = 0;
  for (let placed = 0; placed < 3; placed += 1) await alerted.call(destinations.dear);
  await watch({ new_destinations: 'alert' });
  expect(raised).toEqual(['new_destinations alert']);
  expect((await alerted.call()).status).toBe(200);
  await alerted.endCalls();
  for (let placed = 0; placed < 3; placed += 1) await ignored.call(destinations.dear);
  await watch({ new_destinations: 'off' });
  expect(raised).toEqual(['new_destinations alert']);
  expect(await review(ignored)).toEqual({ signals: [] });
  expect(await signalMailsTo(ignored)).toEqual([]);
  await ignored.endCalls();
});

test('ABUSE-04 a login from a new network is a signal once the account has used another one for a week', async () => {
  const account = await addAccount();
  const logIn = (address: string) =>
    platform.database.query(
      `insert into edge.known_phones (key_name, expires) values ($1, extract(epoch from $2::timestamptz) + 86400)
       on conflict (key_name) do update set expires = excluded.expires`,
      [`${address}|${account.ramal}@${account.domain}`, platform.clock.now()],
    );
  raised.length = 0;
  await logIn('203.0.113.7');
  await watch();
  await logIn('198.51.100.7');
  await watch();
  expect(raised).toEqual([]);
  platform.clock.advance(8 * 86_400);
  await logIn('203.0.113.99');
  await logIn('198.51.100.7');
  await watch();
  expect(raised).toEqual([]);
  await logIn('2001:db8:1:2::7');
  await watch();
  expect(raised).toEqual(['new_network alert']);
  expect((await review(account)).signals[0].explanation).toContain(
    `the extensions ${account.ramal} logged in from the network 2001:db8:1::/48`,
  );
  await logIn('2001:db8:1:3::7');
  await watch();
  expect(raised).toEqual(['new_network alert']);
});
