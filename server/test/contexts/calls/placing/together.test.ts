import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { claimCalls, endCall, type LiveCall } from '../../../../src/contexts/calls/index.ts';
import { placeCall } from '../../../../src/contexts/calls/placing/place-call.ts';
import type { Caller } from '../../../../src/platform/caller.ts';
import {
  addNode,
  busyEnd,
  type CallingAccount,
  createCallingAccount,
  destinations,
  placeLive,
  startCallLimitPlatform,
  tally,
} from '../../../harness/fixtures/call-limits.ts';
import type { Platform } from '../../../harness/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startCallLimitPlatform();
});
afterAll(() => platform.close());

/** Returns the work's result and how many statements contained the text. */
async function counting<T>(text: string, work: () => Promise<T>): Promise<{ result: T; statements: number }> {
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  const result = await work();
  const statements = spy.mock.calls.filter(([query]: unknown[]) =>
    (query as { text?: string }).text?.includes(text),
  ).length;
  spy.mockRestore();
  return { result, statements };
}

async function createFastAccount(reais: number): Promise<CallingAccount> {
  const account = await createCallingAccount(platform, reais);
  await account.cap({ callsPerSecond: 1_000, concurrentCalls: 1_000 });
  return account;
}

test('LIMIT-18 calls requested together each get their own response, and no more than the credit allows', async () => {
  // Credit for 20 calls of R$ 1 each.
  const account = await createFastAccount(20);
  const result = await Promise.all([
    ...Array.from({ length: 30 }, () => account.call()),
    account.call(destinations.free),
    account.call('190'),
    account.call(undefined, { extension: '999999' }),
  ]);
  expect(tally(result.slice(0, 30))).toEqual({ accepted: 20, INSUFFICIENT_CREDIT: 10 });
  expect(tally(result.slice(30))).toEqual({ accepted: 1, DESTINATION_NOT_ALLOWED: 1, NOT_FOUND: 1 });
  const ids = result.filter(({ status }) => status === 200).map(({ body }) => body.id);
  expect(new Set(ids).size).toBe(21);
  expect(await account.running()).toBe(21);
});

test('LIMIT-18 CALL-31 of requests with one key that arrive together, one places the call', async () => {
  const account = await createFastAccount(100);
  const keyed = { headers: { 'idempotency-key': 'together' } };
  const body = { called: destinations.ordinary, extension: account.ramal, metadata: {} };
  const request = () => account.admin.client.request('POST', '/calls', { body, ...keyed });
  const [, ...answers] = await Promise.all([account.call(), request(), request(), request()]);
  const placed = answers.filter(({ status }) => status === 200);
  expect(new Set(placed.map(({ body: { id } }) => id)).size).toBe(1);
  const others = answers.filter(({ status }) => status !== 200);
  expect(others.every(({ body: { error } }) => error.errorCode === 'IDEMPOTENCY_CONFLICT')).toBe(true);
  expect((await request()).body.id).toBe(placed[0]?.body.id);
  expect(await account.running()).toBe(2);
});

test('ERR-15 a call that was placed after a wait for a connection is dialled', async () => {
  const account = await createFastAccount(100);
  const { query } = platform.database;
  const [user] = await query('select id from users where uuid = $1', [account.admin.uuid]);
  const caller = { accountId: account.id, userId: Number(user?.id), role: 'ADMIN' } as Caller;
  const { pool } = platform.api.base.db;
  const connections = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  const request = {
    calledField: 'called' as const,
    called: destinations.ordinary,
    extension: account.ramal,
    metadata: {},
  };
  const requestedAt = platform.clock.now();
  const placing = placeCall(platform.api.app, caller, request, {
    route: 'POST /calls',
    withDialerId: false,
    key: undefined,
  });
  await sleep(2_000);
  for (const connection of connections) connection.release();
  const { id } = await placing;
  const lease = await addNode(platform);
  const requestedAfter = new Date(requestedAt.getTime() + 1_000);
  const claimed = await claimCalls(platform.api.base.db, lease, requestedAfter, platform.clock.now(), 100);
  expect(claimed.map(({ callId }) => callId)).toContain(id);
});

test('LIMIT-18 calls that end together share statements; one that has ended already changes nothing', async () => {
  const account = await createFastAccount(100);
  const calls = await Promise.all(Array.from({ length: 10 }, () => placeLive(platform, account)));
  const [first, ...others] = calls as [LiveCall, ...LiveCall[]];
  const end = (call: LiveCall) => endCall(platform.api.base, call, busyEnd, platform.clock.now());
  expect(await end(first)).toBe(true);
  const { result, statements } = await counting('end_calls(', () =>
    Promise.all([...others, first].map((call) => end(call))),
  );
  expect(statements).toBe(1);
  expect(result).toEqual([...others.map(() => true), false]);
  expect(await account.running()).toBe(0);
});

test('LIMIT-18 ends wait for a transaction that has locked one of the calls and needs the balance', async () => {
  const account = await createFastAccount(100);
  const calls = await Promise.all(Array.from({ length: 4 }, () => placeLive(platform, account)));
  const lockedCall = calls.toSorted((one, other) => (one.callId < other.callId ? -1 : 1)).at(-1) as LiveCall;
  const other = new pg.Client({ connectionString: platform.database.ownerUrl });
  await other.connect();
  await other.query('begin');
  await other.query('select from live_calls where call_id = $1 for update', [lockedCall.callId]);
  const ends = Promise.all(
    calls.map((call) => endCall(platform.api.base, call, busyEnd, platform.clock.now())),
  );
  await vi.waitUntil(async () => {
    const waiting = await platform.database.query(
      `select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%end_calls%'`,
    );
    return waiting.length > 0;
  }, 120_000);
  await other.query('select from ledger_balances where account_id = $1 for update', [account.id]);
  await other.query('commit');
  await other.end();
  expect(await ends).toEqual([true, true, true, true]);
});
