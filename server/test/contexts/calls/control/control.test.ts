import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLedger } from '../../../../src/contexts/billing/index.ts';
import {
  claimLeg,
  endCall,
  endLostCall,
  type FundDeps,
  findLegsOfNode,
  findWantedLegs,
  fundCall,
  type LiveCall,
  noObserver,
  reportLegs,
} from '../../../../src/contexts/calls/index.ts';
import { correctRunningCalls } from '../../../../src/contexts/calls/lifecycle/live-call.store.ts';
import { uuidv7 } from '../../../../src/platform/ids.ts';
import {
  type CallingAccount,
  createCallingAccount,
  placeLive,
  startCallLimitPlatform,
} from '../../../harness/fixtures/call-limits.ts';
import { nextBody } from '../../../harness/fixtures/extensions.ts';
import type { Platform } from '../../../harness/platform.ts';
import {
  answeredCall,
  command,
  doWanted,
  endInDial,
  endOf,
  lease,
  legOf,
  onNode,
  report,
} from './running-call.ts';

let platform: Platform;
let account: CallingAccount;
let funder: FundDeps;

beforeAll(async () => {
  platform = await startCallLimitPlatform();
  account = await createCallingAccount(platform);
  funder = { ...platform.api.app, observer: noObserver };
});
afterAll(() => platform.close());

const open = async (callId: string) => (await account.admin.client.get(`/calls/${callId}`)).body;
const codeOf = ({ status, body }: Awaited<ReturnType<typeof command>>) =>
  `${status} ${body.error?.errorCode}`;

/** Returns the events of the call, as the feed shows them. */
async function eventsOf(callId: string) {
  await platform.database.query('select number_events(1000, now())');
  const { body } = await account.admin.client.get('/events?limit=500');
  return body.data.filter(({ data }: { data: { id: string } }) => data.id === callId);
}

/** Whether the call is listed with this `on_hold`. */
async function isListed(callId: string, onHold: boolean): Promise<boolean> {
  const { body, status, text } = await account.admin.client.list(
    '/calls',
    { where: { id: callId, on_hold: onHold } },
    { page: '1' },
  );
  expect(status, text).toBe(200);
  return body.data.length === 1 && body.data[0].on_hold === onHold;
}

async function expectConsistent(): Promise<void> {
  expect(await auditLedger(platform.api.base)).toEqual([]);
  expect(await correctRunningCalls(platform.api.base.db)).toBe(0);
}

test('CTRL-01 CTRL-02 CTRL-03 CTRL-08 holds and resumes the other party', async () => {
  const { callId } = await answeredCall(platform, account);
  const answer = await command(account, callId, 'hold');
  const held = { id: callId, status: 'accepted', on_hold: false };
  expect(answer).toMatchObject({ status: 200, body: held });
  expect(answer.body.legs).toEqual([
    {
      leg: 'a',
      role: 'extension',
      number: account.ramal,
      status: 'answered',
      on_hold: false,
      muted: false,
      answered_at: expect.any(String),
      ended_at: null,
    },
    expect.objectContaining({ leg: 'b', role: 'destination', status: 'answered' }),
  ]);
  expect(await isListed(callId, false)).toBe(true);

  // Both legs leave the Dial; only the other party hears music.
  expect(await doWanted(platform)).toEqual(['a to room', 'b to music']);
  expect(await doWanted(platform)).toEqual([]);
  expect([await isListed(callId, true), await isListed(callId, false)]).toEqual([true, false]);
  const again = await command(account, callId, 'hold', {});
  expect(again.body).toMatchObject({
    status: 'done',
    on_hold: true,
    legs: [{ on_hold: false }, { on_hold: true }],
  });
  expect(await findWantedLegs(platform.api.base.db, 'm1')).toEqual([]);

  expect((await command(account, callId, 'unhold')).body).toMatchObject({
    status: 'accepted',
    on_hold: true,
  });
  expect(await doWanted(platform)).toEqual(['b to room']);
  expect((await command(account, callId, 'unhold')).body).toMatchObject({ status: 'done', on_hold: false });
  const { on_hold: onHold, timeline } = await open(callId);
  expect(onHold).toBe(false);
  expect(timeline.slice(-2)).toMatchObject([
    { what: 'held', party: 'destination', leg: 'b' },
    { what: 'resumed', party: 'destination', leg: 'b' },
  ]);
  // A report that is repeated changes nothing.
  expect(await report(platform, await legOf(platform, callId, 'b'), { kind: 'placed', place: 'room' })).toBe(
    false,
  );
  const events = await eventsOf(callId);
  expect(events.map(({ type, data }: { type: string; data: object }) => [type, data])).toEqual([
    ['channel-create', expect.objectContaining({ sequence: 1 })],
    ['channel-answer', expect.objectContaining({ sequence: 2 })],
    ['channel-hold', expect.objectContaining({ sequence: 3, party: 'destination' })],
    ['channel-unhold', expect.objectContaining({ sequence: 4, party: 'destination' })],
  ]);
  const [, answered, hold] = events;
  const names = [...Object.keys(answered.data), 'party'];
  expect(Object.keys(hold.data).sort()).toEqual(names.sort());
});

test('CTRL-04 mute and unmute the extension without moving a leg', async () => {
  const { callId } = await answeredCall(platform, account);
  expect((await command(account, callId, 'mute')).body).toMatchObject({
    status: 'accepted',
    legs: [{ muted: false }, {}],
  });
  expect(await doWanted(platform)).toEqual(['a muted']);
  expect((await command(account, callId, 'mute')).body).toMatchObject({
    status: 'done',
    legs: [{ muted: true }, { muted: false }],
  });
  await command(account, callId, 'unmute');
  expect(await doWanted(platform)).toEqual(['a unmuted']);
  expect((await open(callId)).timeline.slice(-2)).toMatchObject([
    { what: 'muted', party: 'extension', leg: 'a' },
    { what: 'unmuted', party: 'extension', leg: 'a' },
  ]);
  expect((await legOf(platform, callId, 'a')).place).toBe('dial');
});

test('CTRL-05 the caller acts for the own extension of an internal call', async () => {
  const { callId } = await answeredCall(platform, account);
  const { body: called } = await account.admin.client.post('/extensions/next-available', nextBody());
  await platform.database.query(
    `update extensions set user_id = (select id from users where uuid = $2) where id = $1`,
    [called.id, account.admin.uuid],
  );
  await platform.database.query(
    `with live as (update live_calls set kind = 'internal' where call_id = $1)
     update calls set call_type = 'internal', user_id = null, "to" = $2 where id = $1`,
    [callId, called.ramal],
  );
  await command(account, callId, 'hold');
  expect(await doWanted(platform)).toEqual(['a to music', 'b to room']);
});

test('CTRL-05 an ADMIN names the party that acts', async () => {
  const { callId } = await answeredCall(platform, account);
  await command(account, callId, 'mute', { by: 'to' });
  expect(await doWanted(platform)).toEqual(['b muted']);
  await command(account, callId, 'hold', { by: 'to' });
  expect(await doWanted(platform)).toEqual(['a to music', 'b to room']);
  const [agent, stranger] = [await account.addUser(), await account.addUser()];
  await platform.database.query(
    'update calls set user_id = (select id from users where uuid = $2) where id = $1',
    [callId, agent.uuid],
  );
  const by = (admin: typeof agent, body?: object) => command({ admin }, callId, 'unhold', body);
  expect(codeOf(await by(agent, { by: 'to' }))).toBe('403 ACCESS_DENIED');
  expect((await by(agent, { by: 'from' })).status).toBe(200);
  expect(codeOf(await by(stranger))).toBe('404 NOT_FOUND');
  expect(codeOf(await command(account, callId, 'hold', { by: 'other' }))).toBe('422 VALIDATION_ERROR');
});

test('CTRL-06 refuses in the documented order and changes nothing', async () => {
  const queued = (await placeLive(platform, account)).callId;
  expect(codeOf(await command(account, queued, 'hold'))).toBe('409 CALL_NOT_ANSWERED');
  expect(codeOf(await command(account, queued, 'hold', { legs: 2 }))).toBe('422 VALIDATION_ERROR');
  await command(account, queued, 'hangup');
  expect(codeOf(await command(account, queued, 'hold'))).toBe('409 CALL_ENDED');
  const code = await answeredCall(platform, account);
  await platform.database.query(`update live_calls set kind = 'code' where call_id = $1`, [code.callId]);
  expect(codeOf(await command(account, code.callId, 'mute'))).toBe('409 CALL_NOT_ANSWERED');

  const { callId } = await answeredCall(platform, account);
  const other = await createCallingAccount(platform);
  for (const name of ['hold', 'unhold', 'mute', 'unmute']) {
    const foreign = await command(other, callId, name);
    const missing = await command(other, uuidv7(platform.clock.now()), name);
    expect([codeOf(foreign), codeOf(missing)], name).toEqual(['404 NOT_FOUND', '404 NOT_FOUND']);
    expect(codeOf(await command(account, 'no-uuid', name))).toBe('404 NOT_FOUND');
  }
  await command(account, callId, 'hangup');
  expect(codeOf(await command(account, callId, 'mute'))).toBe('409 CALL_ENDED');
  expect(
    await platform.database.query('select from live_legs where call_id in ($1, $2, $3)', [
      queued,
      code.callId,
      callId,
    ]),
  ).toEqual([]);
});

test('CTRL-07 a node that cannot control calls refuses commands with 503', async () => {
  const { callId } = await answeredCall(platform, account);
  await platform.database.query('update media_nodes set controls_calls = false');
  const refused = await command(account, callId, 'hold');
  expect([codeOf(refused), refused.headers['retry-after']]).toEqual(['503 SERVICE_UNAVAILABLE', '60']);
  expect(await platform.database.query('select from live_legs where call_id = $1', [callId])).toEqual([]);
});

/** Talks for a while, with time on hold, and returns the call. */
async function heldCall(): Promise<LiveCall> {
  const call = await answeredCall(platform, account);
  platform.clock.advance(20);
  await command(account, call.callId, 'hold');
  await doWanted(platform);
  return call;
}

const legEvents = async (callId: string) =>
  (await eventsOf(callId)).map(({ type }: { type: string }) => type).slice(2);

test('CTRL-09 CTRL-10 a held call ends once, with its last leg, and time on hold is charged', async () => {
  const call = await heldCall();
  const { callId } = call;
  platform.clock.advance(50);
  // The extension hangs up; the other leg ends a moment later. Both are reported twice, and in the order of arrival.
  expect(await endOf(platform, callId, 'a')).toBe('leg');
  expect([
    await endOf(platform, callId, 'a'),
    await endCall(platform.api.base, call, endInDial(platform, call), platform.clock.now()),
  ]).toEqual(['unknown', false]);
  expect(await open(callId)).toMatchObject({ status: 'answered', on_hold: true, call_price: null });
  expect(codeOf(await command(account, callId, 'unhold'))).toBe('409 CALL_ENDED');
  expect(await fundCall(funder, call)).toMatchObject({ fundedSeconds: 180 });
  platform.clock.advance(2);
  expect(await endOf(platform, callId, 'b', { endedBy: null })).toBe('last');
  expect([
    await endOf(platform, callId, 'b'),
    await endLostCall(platform.api.base, call, platform.clock.now()),
  ]).toEqual(['unknown', false]);
  const record = await open(callId);
  expect(record).toMatchObject({
    status: 'ended',
    on_hold: false,
    duration: 72,
    billed_duration: 120,
    call_price: 2,
    hangup_cause: 'NORMAL_CLEARING',
    ended_by: 'extension',
    ended_at: platform.clock.now().toISOString(),
  });
  expect(record.timeline.at(-1)).toEqual({
    at: record.ended_at,
    what: 'ended',
    cause: 'NORMAL_CLEARING',
    by: 'extension',
  });
  expect(await legEvents(callId)).toEqual(['channel-hold', 'channel-hangup', 'call-priced']);
  const [row] = await platform.database.query<{ legs: object[] }>('select legs from calls where id = $1', [
    callId,
  ]);
  expect(row?.legs).toMatchObject([
    {
      leg: 'a',
      role: 'extension',
      number: account.ramal,
      duration: 70,
      ended_by: 'extension',
      price_micros: 0,
    },
    {
      leg: 'b',
      role: 'destination',
      duration: 72,
      billed_duration: 120,
      ended_by: 'system',
      price_micros: 2_000_000,
    },
  ]);
  expect(await platform.database.query('select from live_legs where call_id = $1', [callId])).toEqual([]);
  await expectConsistent();
});

test('CTRL-09 CTRL-10 the destination that ends first stops the funding; a call in its Dial ends as a whole', async () => {
  const held = await heldCall();
  platform.clock.advance(10);
  expect(await endOf(platform, held.callId, 'b')).toBe('leg');
  // Nothing more is funded, however long the other leg stays.
  expect(await fundCall(funder, held)).toBeUndefined();
  expect(
    await endOf(platform, held.callId, 'a', { endedBy: 'limit', endedOnNode: onNode(platform) + 1 }),
  ).toBe('last');
  expect(await open(held.callId)).toMatchObject({ duration: 30, call_price: 1, ended_by: 'destination' });

  const muted = await answeredCall(platform, account);
  await command(account, muted.callId, 'mute');
  await doWanted(platform);
  platform.clock.advance(10);
  // Voice follows the call as it was before the command.
  const end = endInDial(platform, muted);
  expect(await endCall(platform.api.base, muted, end, platform.clock.now())).toBe(true);
  expect(await endCall(platform.api.base, muted, end, platform.clock.now())).toBe(false);
  expect(await open(muted.callId)).toMatchObject({
    status: 'ended',
    duration: 10,
    ended_by: 'extension',
    call_price: 1,
  });
  expect(await legEvents(muted.callId)).toEqual(['channel-hangup', 'call-priced']);
  await expectConsistent();
});

test('CTRL-10 a lost engine and a hang-up end all legs', async () => {
  const lost = await heldCall();
  const aliveAt = platform.clock.now();
  platform.clock.advance(40);
  expect(await endLostCall(platform.api.base, lost, aliveAt)).toBe(true);
  expect(await open(lost.callId)).toMatchObject({
    duration: 20,
    hangup_cause: 'NORMAL_TEMPORARY_FAILURE',
    ended_by: 'system',
  });
  const asked = await heldCall();
  expect((await command(account, asked.callId, 'hangup')).body.status).toBe('ending');
  for (const letter of ['b', 'a']) await endOf(platform, asked.callId, letter);
  expect(await open(asked.callId)).toMatchObject({ status: 'ended', duration: 20, ended_by: 'system' });
  await expectConsistent();
});

test('CTRL-11 the next controller does what is left, and a fenced one changes nothing', async () => {
  const { db } = platform.api.base;
  const { callId } = await answeredCall(platform, account);
  await command(account, callId, 'hold');
  const [a] = await findWantedLegs(db, 'm1');
  if (!a) throw new Error('Nothing is wanted.');
  await report(platform, a, { kind: 'engine-leg', engineLeg: 'sip.1' }, { kind: 'placed', place: 'room' });
  await platform.database.query('update media_nodes set epoch = 1');
  const b = await legOf(platform, callId, 'b');
  expect(await report(platform, b, { kind: 'placed', place: 'music' })).toBe(false);
  expect(await claimLeg(db, lease, b.id, platform.clock.now())).toBe(false);
  expect((await findWantedLegs(db, 'm1')).map(({ letter, wanted }) => [letter, wanted])).toEqual([
    ['b', 'music'],
  ]);
  const next = { node: 'm1', epoch: 1 };
  const placed = {
    kind: 'placed',
    legId: b.id,
    place: 'music',
    at: platform.clock.now(),
    onNode: 1,
  } as const;
  expect(await reportLegs(db, next, [placed])).toEqual(new Set([b.id]));
  const legs = (await findLegsOfNode(db, 'm1')).filter((leg) => leg.callId === callId);
  expect(legs).toMatchObject([
    { letter: 'a', engineLeg: 'sip.1', place: 'room', answeredOnNode: expect.any(Number) },
    { letter: 'b', engineLeg: null, place: 'music' },
  ]);
  await platform.database.query('update media_nodes set epoch = 0');
});
