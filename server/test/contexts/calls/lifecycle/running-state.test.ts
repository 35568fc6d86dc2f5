import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readTable } from '../../../../src/contexts/accounts/export.store.ts';
import {
  type AudioFault,
  type AudioNote,
  advanceCall,
  claimCalls,
  createAudioNotes,
  createMover,
  endCall,
  type LiveCall,
  type Step,
} from '../../../../src/contexts/calls/index.ts';
import { type Database, inAccount } from '../../../../src/platform/db/database.ts';
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
let account: CallingAccount;
const lease = { node: 'm1', epoch: 0 };

beforeAll(async () => {
  platform = await startCallLimitPlatform();
  db = platform.api.base.db;
  account = await createCallingAccount(platform);
  await platform.database.query(
    `insert into media_nodes (name, secret_hash, sip_address, created_at) values ('m1', $1, '127.9.0.1:5060', now())`,
    [Buffer.alloc(32)],
  );
});
afterAll(() => platform.close());

async function placeClaimed(): Promise<LiveCall> {
  platform.clock.advance(1);
  const { callId } = await placeLive(platform, account);
  const claimed = await claimCalls(db, lease, new Date(0), platform.clock.now(), 1_000);
  return claimed.find((call) => call.callId === callId) as LiveCall;
}

/** Advances the call one second later. */
async function advance(call: LiveCall, ...to: Step['to'][]): Promise<LiveCall> {
  platform.clock.advance(1);
  const steps = to.map((state) => ({ to: state, at: platform.clock.now(), onNode: 10 }));
  return (await advanceCall(createMover(db, lease), call, steps)) as LiveCall;
}

const noteMissing = ({ callId }: LiveCall, reason: AudioFault['reason'] = 'no_packets') =>
  createAudioNotes(
    db,
    lease,
  )({
    callId,
    at: platform.clock.now(),
    what: 'audio_missing',
    from: 'extension',
    reason,
  } satisfies AudioNote);

const end = (call: LiveCall) => {
  const report = {
    ...busyEnd,
    endedOnNode: 30,
    answeredOnNode: 10,
    cause: 16,
    sipStatus: 200,
    dialStatus: 'ANSWER',
  };
  platform.clock.advance(report.endedOnNode - report.answeredOnNode);
  return endCall(platform.api.base, call, report, platform.clock.now());
};

const open = async ({ callId }: LiveCall) => (await account.admin.client.get(`/calls/${callId}`)).body;
const entriesOf = async (call: LiveCall) =>
  (await open(call)).timeline.map(({ what }: { what: string }) => what);

/** Returns what every reader shows of the call. */
async function readEverywhere({ callId }: LiveCall, status: string) {
  const { client } = account.admin;
  const filter = { where: { id: callId, status }, include: ['timeline'] };
  const exported = await client.list('/calls/export', {
    where: filter.where,
    fields: ['status', 'answered_at'],
  });
  const rows: unknown[] = [];
  await inAccount(db, account.id, async (tx) => {
    for await (const row of readTable(tx, 'calls', account.id)) rows.push(row);
  });
  return {
    opened: (await client.get(`/calls/${callId}`)).body,
    listed: (await client.list('/calls', filter, { page: '1' })).body.data[0],
    found: (await client.list('/calls/search', filter)).body.data[0],
    exported: exported.text.trim().split('\r\n')[1],
    exportedRow: rows.find((row) => (row as { id: string }).id === callId),
  };
}

test('CALL-50 a running call changes in live_calls only, and every reader shows its current state', async () => {
  const placed = await placeClaimed();
  const writer = async () =>
    await platform.database.query('select xmin::text, ctid::text from calls where id = $1', [placed.callId]);
  const written = await writer();

  const ringing = await advance(placed, 'ringing');
  const rings = await readEverywhere(ringing, 'ringing');
  const ringingFields = { status: 'ringing', answered_at: null };
  expect(rings).toMatchObject({ opened: ringingFields, listed: ringingFields, found: ringingFields });
  expect(rings).toMatchObject({ exported: 'ringing,', exportedRow: { ...ringingFields, node: 'm1' } });

  const answered = await advance(ringing, 'dialing', 'answered');
  expect([await noteMissing(answered), await noteMissing(answered)]).toEqual([true, false]);
  const at = platform.clock.now().toISOString();
  const talks = await readEverywhere(answered, 'answered');
  const fields = { status: 'answered', answered_at: at };
  const whats = ['queued', 'ringing', 'dialing', 'answered', 'audio_missing'];
  const timeline = whats.map((what) => expect.objectContaining({ what }));
  expect(talks.opened).toMatchObject({ ...fields, media_node: 'm1', timeline });
  expect(talks).toMatchObject({ listed: { ...fields, timeline }, found: { ...fields, timeline } });
  expect(talks).toMatchObject({ exported: `answered,${at}`, exportedRow: { status: 'answered', timeline } });
  expect(await writer()).toEqual(written);

  const events = await platform.database.query(
    `select type, data->'call'->>'status' as status, data->'call'->'answered_at' <> 'null' as answered
       from event_outbox where subject_id = $1 order by id`,
    [answered.callId],
  );
  expect(events).toEqual([
    { type: 'channel-create', status: 'queued', answered: false },
    { type: 'channel-ringing', status: 'ringing', answered: false },
    { type: 'channel-answer', status: 'answered', answered: true },
  ]);

  platform.clock.advance(20);
  expect(await end(answered)).toBe(true);
  expect(await writer()).not.toEqual(written);
  const over = await open(answered);
  expect(over).toMatchObject({ status: 'ended', answered_at: at, media_node: 'm1', duration: 20 });
  expect(over.timeline).toEqual([...timeline, expect.objectContaining({ what: 'ended' })]);
});

test('CALL-50 another account sees neither the call nor its state', async () => {
  const call = await advance(await placeClaimed(), 'ringing');
  const other = await createCallingAccount(platform);
  const rowsOf = (accountId: number) =>
    inAccount(db, accountId, async (tx) => {
      const query = sql`select status from call_records where id = ${call.callId}`;
      return (await query.execute(tx)).rows;
    });
  expect(await rowsOf(account.id)).toEqual([{ status: 'ringing' }]);
  expect(await rowsOf(other.id)).toEqual([]);
});

test('CALL-52 a call that the previous release advanced ends with each entry once', async () => {
  const placed = await placeClaimed();
  const dialing = await advance(placed, 'ringing', 'dialing');
  // The functions of the previous release wrote the state of a running call to calls.
  await platform.database.query(
    `with live as (update live_calls set state = 'answered', answered_on_node = 10, answered_at = $2, timeline = '[]'
                    where call_id = $1)
     update calls c set status = 'answered', answered_at = $2, node = 'm1', timeline = c.timeline || l.timeline || $3
       from live_calls l where c.id = $1 and l.call_id = c.id`,
    [
      dialing.callId,
      platform.clock.now(),
      JSON.stringify([
        { at: platform.clock.now(), what: 'answered' },
        { at: platform.clock.now(), what: 'audio_missing', from: 'extension', reason: 'no_packets' },
      ]),
    ],
  );
  const whats = ['queued', 'ringing', 'dialing', 'answered', 'audio_missing'];
  expect(await entriesOf(placed)).toEqual(whats);
  expect(await noteMissing(placed)).toBe(false);
  expect(await end(placed)).toBe(true);
  expect(await entriesOf(placed)).toEqual([...whats, 'ended']);
});

test('EXT-28 diverted audio is in the timeline once, even if audio was missing before', async () => {
  const call = await advance(await placeClaimed(), 'ringing', 'dialing', 'answered');
  expect(await noteMissing(call)).toBe(true);
  expect(await noteMissing(call, 'other_address')).toBe(true);
  expect(await noteMissing(call, 'other_address')).toBe(false);
  expect(await noteMissing(call)).toBe(false);
  expect(await end(call)).toBe(true);
  const { timeline } = await open(call);
  const reasons = timeline.map(({ reason }: { reason?: string }) => reason).filter(Boolean);
  expect(reasons).toEqual(['no_packets', 'other_address']);
});

test('CALL-52 a call that the previous release ends keeps the entries of this one', async () => {
  const call = await advance(await placeClaimed(), 'ringing');
  const finish = {
    call_id: call.callId,
    ended_at: platform.clock.now(),
    duration: 0,
    moment: { at: platform.clock.now(), what: 'ended' },
    hangup_event: crypto.randomUUID(),
    price_event: crypto.randomUUID(),
  };
  await inAccount(db, account.id, (tx) =>
    sql`select finish_call(${account.id}, ${JSON.stringify(finish)})`.execute(tx),
  );
  expect(await entriesOf(call)).toEqual(['queued', 'ringing', 'ended']);
  expect(await open(call)).toMatchObject({ status: 'ended', media_node: 'm1' });
});

test('HOOK-02 CALL-50 an answer that was not reported before the end is published with it', async () => {
  const call = await advance(await placeClaimed(), 'ringing', 'dialing');
  expect(await end(call)).toBe(true);
  expect((await entriesOf(call)).slice(-2)).toEqual(['answered', 'ended']);
  const events = await platform.database.query(
    `select type, (data ->> 'sequence')::int as sequence, data -> 'call' as call
       from recorded_events where subject_id = $1 order by sequence`,
    [call.callId],
  );
  expect(events.map(({ type }) => type)).toEqual([
    'channel-create',
    'channel-ringing',
    'channel-answer',
    'channel-hangup',
    'call-priced',
  ]);
  expect(new Set(events.map(({ sequence }) => sequence)).size).toBe(events.length);
  const [, , answer, hangup] = events;
  expect(answer?.call).toMatchObject({ status: 'answered', ended_at: null, hangup_cause: null });
  expect(answer?.call.answered_at).toBe(hangup?.call.answered_at);
});
