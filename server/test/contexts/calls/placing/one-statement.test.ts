import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  billableSeconds,
  priceMicros,
  wholeSteps,
} from '../../../../src/contexts/billing/rates/rating.rules.ts';
import { claimCalls, endCall, type LiveCall } from '../../../../src/contexts/calls/index.ts';
import { endUnclaimedCall } from '../../../../src/contexts/calls/lifecycle/end-call.ts';
import { findLiveCall } from '../../../../src/contexts/calls/lifecycle/live-call.store.ts';
import { type Database, inAccount, inTransaction } from '../../../../src/platform/db/database.ts';
import { uuidv7 } from '../../../../src/platform/ids.ts';
import { addDeck } from '../../../harness/fixtures/billing.ts';
import {
  busyEnd,
  type CallingAccount,
  createCallingAccount,
  placeLive,
  startCallLimitPlatform,
} from '../../../harness/fixtures/call-limits.ts';
import type { Platform } from '../../../harness/platform.ts';

let platform: Platform;
let db: Database;
let own: CallingAccount;
let other: CallingAccount;
beforeAll(async () => {
  platform = await startCallLimitPlatform();
  db = platform.api.base.db;
  own = await createCallingAccount(platform);
  other = await createCallingAccount(platform);
  await platform.database.query(
    `insert into media_nodes (name, secret_hash, sip_address, created_at) values ('m1', $1, '127.9.0.1:5060', now())`,
    [Buffer.alloc(32)],
  );
});
afterAll(() => platform.close());

/** Returns the statements that the work sends, without those that look up the token. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  await work();
  const sent = spy.mock.calls.map(([first]: unknown[]) =>
    typeof first === 'string' ? first : (first as { text: string }).text,
  );
  spy.mockRestore();
  return sent.filter((text) => /_calls?\(|begin|commit|rollback/.test(text));
}

/** Places a call in the next second, because the rate is limited. */
function placeNext(account: CallingAccount): Promise<LiveCall> {
  platform.clock.advance(1);
  return placeLive(platform, account);
}

const endBusy = (call: LiveCall) => endCall(platform.api.base, call, busyEnd, platform.clock.now());

test('a call is placed, refused and ended by one statement without a transaction block', async () => {
  platform.clock.advance(1);
  const placing = await statementsOf(() => own.call());
  expect(placing).toEqual([expect.stringContaining('place_call(')]);
  const refusing = await statementsOf(() => own.call('190'));
  expect(refusing).toEqual([expect.stringContaining('place_call(')]);
  const call = await placeNext(own);
  const ending = await statementsOf(() => endBusy(call));
  expect(ending).toEqual([expect.stringContaining('end_calls(')]);
  expect((await own.admin.client.get(`/calls/${call.callId}`)).body.status).toBe('ended');
});

test('CALL-20 HANGUP-05 the functions place and end no call of another account', async () => {
  const foreign = await placeNext(other);
  const place = (accountId: number, ramal: string) => sql<{ outcome: string }>`
    select outcome from place_call(${accountId}, ${JSON.stringify({ id: uuidv7(new Date()), kind: 'click', ramal, country: 'BR', must_own: false, prefixes: ['55'], metadata: {} })})`;
  const write = sql`select write_call(${other.id}, ${JSON.stringify({
    id: uuidv7(platform.clock.now()),
    kind: 'click',
    book: 'test',
    call_type: 'outbound',
    at: platform.clock.now(),
    order: { ...foreign.order },
    email: '',
    first_name: '',
    last_name: '',
    metadata: {},
    moments: [],
    funded_seconds: 60,
    event_id: uuidv7(new Date()),
  })})`;
  const finish = {
    call_id: foreign.callId,
    state: foreign.state,
    funded_seconds: foreign.fundedSeconds,
    ended_at: platform.clock.now(),
    duration: 0,
  };
  const end = (accountId: number) => sql<{ isEnded: boolean }>`
    select end_call(${accountId}, ${JSON.stringify(finish)}) as "isEnded"`;
  const endTwice = (accountId: number) => sql<{ areEnded: boolean[] }>`
    select end_calls(${accountId}, ${JSON.stringify([finish, finish])}) as "areEnded"`;
  await inAccount(db, own.id, async (tx) => {
    // Rows of the other account are invisible, by either account's id.
    for (const accountId of [own.id, other.id]) {
      expect((await place(accountId, 'none').execute(tx)).rows).toEqual([{ outcome: 'extension' }]);
      expect((await end(accountId).execute(tx)).rows).toEqual([{ isEnded: false }]);
      expect((await endTwice(accountId).execute(tx)).rows).toEqual([{ areEnded: [false, false] }]);
    }
    expect((await place(other.id, other.ramal).execute(tx)).rows).toEqual([{ outcome: 'extension' }]);
  });
  await expect(inAccount(db, own.id, (tx) => write.execute(tx))).rejects.toThrow(/row-level security/);
  await expect(inTransaction(db, (tx) => write.execute(tx))).rejects.toThrow(/row-level security/);
  expect(await other.running()).toBe(1);
  expect(await findLiveCall(db, { accountId: own.id, callId: foreign.callId })).toBeUndefined();
});

test('CALL-27 an end that was computed from an outdated call is computed again', async () => {
  const call = await placeNext(own);
  await claimCalls(db, { node: 'm1', epoch: 0 }, new Date(0), platform.clock.now(), 1_000);
  await platform.database.query('update live_calls set hangup_asked_at = $2 where call_id = $1', [
    call.callId,
    platform.clock.now(),
  ]);
  // The call as it was before a node claimed it and before the hang-up request.
  expect(await endBusy(call)).toBe(true);
  const { body } = await own.admin.client.get(`/calls/${call.callId}`);
  expect(body).toMatchObject({ hangup_cause: 'ORIGINATOR_CANCEL', ended_by: 'system' });
  expect(await endBusy(call)).toBe(false);
});

test('CALL-27 a call that a node has claimed is not ended as unclaimed', async () => {
  const call = await placeNext(own);
  await claimCalls(db, { node: 'm1', epoch: 0 }, new Date(0), platform.clock.now(), 1_000);
  expect(await endUnclaimedCall(platform.api.base, call)).toBe(false);
  expect(await findLiveCall(db, call)).toMatchObject({ node: 'm1' });
});

test('LEDGER-05 the statement funds a call as renewals do, for every kind of rate', async () => {
  const rates = [
    { price: 0.3, minimum: 30, step: 6, free: 3 },
    { price: 0.07, minimum: 1, step: 1, free: 0 },
    { price: 0.0333, minimum: 90, step: 30, free: 10 },
    { price: 0.01, minimum: 60, step: 3600, free: 61 },
    { price: 0, minimum: 6, step: 6, free: 0 },
  ];
  await addDeck(
    platform,
    rates.map((rate, index) => ({ prefix: `55${11 + index}`, ...rate })),
    new Date(1_000),
  );
  for (const [index, { price, minimum, step, free }] of rates.entries()) {
    const rate = {
      pricePerMinuteMicros: Math.round(price * 1e6),
      minimumSeconds: minimum,
      stepSeconds: step,
      freeSeconds: free,
    };
    platform.clock.advance(1);
    const placed = await other.call(`55${11 + index}987654321`);
    expect(placed.status, placed.text).toBe(200);
    const [hold] = await platform.database.query(
      'select funded_seconds, held_micros::integer from call_holds where call_id = $1',
      [placed.body.id],
    );
    const fundedSeconds = wholeSteps(rate, 60);
    expect(hold).toEqual({ funded_seconds: fundedSeconds, held_micros: priceMicros(rate, fundedSeconds) });
    const seconds = Array.from({ length: 200 }, (_, used) => used);
    const billed = await platform.database.query<{ billed: number }>(
      'select billable_seconds(used, $2, $3, $4) as billed from unnest($1::integer[]) as used',
      [seconds, minimum, step, free],
    );
    expect(billed.map((row) => row.billed)).toEqual(seconds.map((used) => billableSeconds(rate, used)));
  }
});
