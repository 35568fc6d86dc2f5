import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLedger } from '../../../../src/contexts/billing/index.ts';
import {
  endCall,
  endLostCall,
  type FundDeps,
  findLegsOfCall,
  fundCall,
  fundLeg,
  noObserver,
} from '../../../../src/contexts/calls/index.ts';
import { correctRunningCalls } from '../../../../src/contexts/calls/lifecycle/live-call.store.ts';
import {
  type CallingAccount,
  createCallingAccount,
  destinations,
  startCallLimitPlatform,
} from '../../../harness/fixtures/call-limits.ts';
import { markRegistered, nextBody } from '../../../harness/fixtures/extensions.ts';
import type { Platform } from '../../../harness/platform.ts';
import {
  answer,
  answeredCall,
  carryOut,
  command,
  end,
  endInDial,
  endOf,
  isBusy,
  legOf,
  notAnswered,
  report,
  ring,
} from './running-call.ts';

let platform: Platform;
let account: CallingAccount;
let funder: FundDeps;
/** An extension of the account whose phone is registered. */
let colleague: string;

beforeAll(async () => {
  platform = await startCallLimitPlatform();
  account = await createCallingAccount(platform);
  funder = { ...platform.api.app, observer: noObserver };
  colleague = await addExtension();
  await account.cap({ callsPerSecond: 100, concurrentCalls: 100 });
});
afterAll(() => platform.close());

const third = '5511955550005';

async function addExtension(isRegistered = true): Promise<string> {
  const { body } = await account.admin.client.post('/extensions/next-available', nextBody());
  if (isRegistered) await markRegistered(platform, body.id, 3 * 24 * 3600);
  return body.ramal;
}

const codeOf = ({ status, body }: Awaited<ReturnType<typeof command>>) =>
  `${status} ${body.error?.errorCode}`;

const transfer = (callId: string, to: string, kind: 'blind' | 'attended') =>
  command(account, callId, 'transfer', { to, kind });

const open = async (callId: string) => (await account.admin.client.get(`/calls/${callId}`)).body;

/** Starts a transfer and lets voice dial the called party. */
async function transferring(to: string, kind: 'blind' | 'attended'): Promise<string> {
  const { callId } = await answeredCall(platform, account);
  const { status, text } = await transfer(callId, to, kind);
  expect(status, text).toBe(200);
  expect(await carryOut(platform, callId)).toEqual(['a to room', 'b to music', 'dial c']);
  return callId;
}

const statesOf = async (callId: string): Promise<string[]> =>
  (await findLegsOfCall(platform.api.base.db, callId)).map(({ letter, state, place }) =>
    [letter, state === 'answered' ? place : state].join(' '),
  );

const timelineOf = async (callId: string): Promise<string[]> =>
  (await open(callId)).timeline
    .slice(2)
    .map(({ what, leg }: { what: string; leg?: string }) => (leg === undefined ? what : `${what} ${leg}`));

async function eventsOf(callId: string): Promise<{ type: string; data: Record<string, unknown> }[]> {
  await platform.database.query('select number_events(1000, now())');
  const { body } = await account.admin.client.get('/events?limit=500');
  return body.data.filter(({ data }: { data: { id: string } }) => data.id === callId);
}

/** Ends the call, with all legs. */
async function hangUpAll(callId: string): Promise<void> {
  for (const { letter, state } of await findLegsOfCall(platform.api.base.db, callId))
    if (state !== 'ended') await endOf(platform, callId, letter, state === 'answered' ? {} : notAnswered);
}

async function expectConsistent(): Promise<void> {
  expect(await auditLedger(platform.api.base)).toEqual([]);
  expect(await correctRunningCalls(platform.api.base.db)).toBe(0);
  expect(
    await platform.database.query(`select from live_legs g where not exists (
    select from live_calls l where l.call_id = g.call_id)`),
  ).toEqual([]);
}

/** Returns held and available reais, and the slots that are taken. */
async function money() {
  const { held, available } = (await account.admin.client.get('/accounts/balance')).body;
  const [row] = await platform.database.query<{ slots: number }>(
    'select sum(running_calls)::integer as slots from ledger_balances where account_id = $1',
    [account.id],
  );
  return { held, available, slots: row?.slots };
}

test('CTRL-14 transfer and conference return the legs, and a key makes them safe to repeat', async () => {
  for (const [name, body] of [
    ['transfer', { to: colleague, kind: 'attended' }],
    ['conference', { to: third }],
  ] as const) {
    const { callId } = await answeredCall(platform, account);
    const headers = { 'idempotency-key': randomUUID() };
    const first = await command(account, callId, name, body, headers);
    expect(first, first.text).toMatchObject({
      status: 200,
      body: {
        id: callId,
        status: 'accepted',
        on_hold: false,
        legs: [{ leg: 'a' }, { leg: 'b' }, { leg: 'c' }],
      },
    });
    expect(first.body.legs[2]).toMatchObject({
      role: name === 'transfer' ? 'extension' : 'destination',
      number: body.to,
      status: 'dialing',
      answered_at: null,
    });
    const again = await command(account, callId, name, body, headers);
    expect([again.status, again.headers['idempotency-replayed'], again.body]).toEqual([
      200,
      'true',
      first.body,
    ]);
    const other = await command(account, callId, name, { ...body, to: destinations.free }, headers);
    expect(codeOf(other)).toBe('422 IDEMPOTENCY_KEY_REUSED');
    expect(await statesOf(callId)).toEqual(['a dial', 'b dial', 'c pending']);
    await carryOut(platform, callId);
    await hangUpAll(callId);
    const late = await command(account, callId, name, body, headers);
    expect([late.status, late.body]).toEqual([200, { id: callId, status: 'done', on_hold: false, legs: [] }]);
  }
  await expectConsistent();
});

test('CTRL-15 CTRL-23 CTRL-24 a blind transfer connects the other party with the called one', async () => {
  const callId = await transferring(colleague, 'blind');
  expect((await open(callId)).on_hold).toBe(true);
  expect(await legOf(platform, callId, 'c')).toMatchObject({
    engineLeg: `${callId}.c`,
    fetches: 'b',
    order: { callerId: destinations.ordinary },
  });
  expect(await ring(platform, callId)).toEqual(['a to leave']);
  expect(codeOf(await command(account, callId, 'transfer/cancel'))).toBe('409 CALL_ENDED');
  expect(await answer(platform, callId)).toEqual([]);
  expect(await statesOf(callId)).toEqual(['a ended', 'b room', 'c room']);
  platform.clock.advance(10);
  expect(await endOf(platform, callId, 'c')).toBe('leg');
  platform.clock.advance(1);
  expect(await carryOut(platform, callId)).toEqual(['end b']);
  expect(await timelineOf(callId)).toEqual([
    'transfer_started c',
    'held b',
    'party_left a',
    'party_joined c',
    'transfer_completed c',
    'resumed b',
    'ended',
  ]);
  const transfers = (await eventsOf(callId)).filter(({ type }) => type === 'channel-transfer');
  expect(transfers.map(({ data }) => data)).toMatchObject([
    { sequence: 3, kind: 'blind', to: colleague, result: 'started', hangupCause: null },
    { sequence: 5, kind: 'blind', to: colleague, result: 'completed', hangupCause: null },
  ]);
  expect(await open(callId)).toMatchObject({ duration: 11, call_price: 1, ended_by: 'extension' });
  await expectConsistent();
});

test('CTRL-15 a party that answers without ringing is connected as well, in whatever order it is reported', async () => {
  const callId = await transferring(colleague, 'blind');
  expect(await answer(platform, callId)).toEqual(['a to leave']);
  expect(await statesOf(callId)).toEqual(['a ended', 'b room', 'c room']);
  await hangUpAll(callId);

  // The next controller reads the legs from the engine, in the order of their letters.
  const adopted = await transferring(colleague, 'blind');
  await report(platform, await legOf(platform, adopted, 'b'), { kind: 'placed', place: 'room' });
  const c = await legOf(platform, adopted, 'c');
  await report(platform, c, { kind: 'answered' }, { kind: 'placed', place: 'room' });
  expect(await carryOut(platform, adopted)).toEqual(['a to leave']);
  expect(await statesOf(adopted)).toEqual(['a ended', 'b room', 'c room']);
  await hangUpAll(adopted);
  await expectConsistent();
});

test('CTRL-16 CTRL-19 an attended transfer is completed after the called party has answered', async () => {
  const callId = await transferring(colleague, 'attended');
  expect(await ring(platform, callId)).toEqual([]);
  expect(codeOf(await command(account, callId, 'transfer/complete'))).toBe('409 CALL_NOT_ANSWERED');
  expect(await answer(platform, callId)).toEqual([]);
  expect(await statesOf(callId)).toEqual(['a room', 'b music', 'c room']);
  // The party that waits stays on hold.
  await command(account, callId, 'unhold');
  expect(await carryOut(platform, callId)).toEqual([]);
  for (const _ of [1, 2]) {
    const completed = await command(account, callId, 'transfer/complete');
    expect(completed.status, completed.text).toBe(200);
  }
  expect(await carryOut(platform, callId)).toEqual(['a to leave', 'b to room']);
  expect((await command(account, callId, 'transfer/complete')).body).toMatchObject({ status: 'done' });
  expect(await statesOf(callId)).toEqual(['a ended', 'b room', 'c room']);
  await hangUpAll(callId);
  expect(await timelineOf(callId)).toEqual([
    ...['transfer_started c', 'held b', 'party_joined c', 'party_left a', 'transfer_completed c'],
    ...['resumed b', 'ended'],
  ]);
  expect(codeOf(await command(account, callId, 'transfer/complete'))).toBe('409 CALL_ENDED');
  await expectConsistent();
});

test('CTRL-17 CTRL-19 a cancelled transfer releases the called party and returns the other one', async () => {
  for (const isAnswered of [false, true]) {
    const callId = await transferring(third, 'attended');
    if (isAnswered) await answer(platform, callId);
    for (const _ of [1, 2]) {
      const cancelled = await command(account, callId, 'transfer/cancel');
      expect(cancelled.status, cancelled.text).toBe(200);
    }
    const released = isAnswered ? 'c to leave' : 'end c';
    expect(await carryOut(platform, callId)).toEqual(['b to room', released]);
    expect((await command(account, callId, 'transfer/cancel')).body.status).toBe('done');
    expect(codeOf(await command(account, callId, 'transfer/complete'))).toBe('409 NO_TRANSFER');
    expect(await statesOf(callId)).toEqual(['a room', 'b room', 'c ended']);
    expect(await timelineOf(callId)).toContain('transfer_cancelled c');
    // Another one may follow.
    expect((await transfer(callId, colleague, 'blind')).status).toBe(200);
    expect(await carryOut(platform, callId)).toEqual(['b to music', 'dial d']);
    expect((await command(account, callId, 'transfer/cancel')).status).toBe(200);
    expect(await carryOut(platform, callId)).toEqual(['b to room', 'end d']);
    await hangUpAll(callId);
    const results = (await eventsOf(callId)).flatMap(({ type, data }) =>
      type === 'channel-transfer' ? data.result : [],
    );
    expect(results).toEqual(['started', 'cancelled', 'started', 'cancelled']);
  }
  // Before it is dialled, too.
  const { callId } = await answeredCall(platform, account);
  await transfer(callId, third, 'blind');
  await command(account, callId, 'transfer/cancel');
  expect(await carryOut(platform, callId)).toEqual(['a to room', 'b to room', 'end c']);
  await hangUpAll(callId);
  await expectConsistent();
});

test('CTRL-18 CTRL-23 a party that does not answer lets the other one return, or ends the call', async () => {
  const busy = await transferring(third, 'blind');
  expect(await end(platform, busy, 'c', isBusy)).toEqual(['b to room']);
  expect(await statesOf(busy)).toEqual(['a room', 'b room', 'c ended']);
  const [, failed] = (await eventsOf(busy)).filter(({ type }) => type === 'channel-transfer');
  expect(failed?.data).toMatchObject({ result: 'failed', hangupCause: 'USER_BUSY', to: third });
  expect(codeOf(await command(account, busy, 'transfer/cancel'))).toBe('409 NO_TRANSFER');
  await hangUpAll(busy);

  const declined = await transferring(third, 'attended');
  await ring(platform, declined);
  expect(await end(platform, declined, 'c', isBusy)).toEqual(['b to room']);
  await hangUpAll(declined);

  const left = await transferring(third, 'blind');
  await ring(platform, left);
  platform.clock.advance(1);
  expect(await end(platform, left, 'c', isBusy)).toEqual(['end b']);
  expect(await open(left)).toMatchObject({ status: 'ended', call_price: 1 });

  // The transferring party has not left yet.
  const slow = await transferring(third, 'blind');
  await report(platform, await legOf(platform, slow, 'c'), { kind: 'ringing' });
  expect(await end(platform, slow, 'c', isBusy)).toEqual(['b to room']);
  expect(await statesOf(slow)).toEqual(['a room', 'b room', 'c ended']);
  await hangUpAll(slow);
  await expectConsistent();
});

test('CTRL-18 an extension whose owner does not take calls is not rung', async () => {
  const [person, ramal] = [await account.addUser(), await addExtension(false)];
  await platform.database.query(
    `update extensions set user_id = (select id from users where uuid = $2) where account_id = $1 and ramal = $3`,
    [account.id, person.uuid, ramal],
  );
  for (const [status, cause] of [
    ['away', 'SUBSCRIBER_ABSENT'],
    ['do_not_disturb', 'INCOMING_CALL_BARRED'],
  ] as const) {
    await platform.database.query('update users set availability = $2 where uuid = $1', [
      person.uuid,
      status,
    ]);
    const callId = await transferring(ramal, 'attended');
    expect((await legOf(platform, callId, 'c')).order).toMatchObject({ unavailability: status });
    expect(await end(platform, callId, 'c', { endedBy: null, cause: 41, sipStatus: null })).toEqual([
      'b to room',
    ]);
    await hangUpAll(callId);
    const failed = (await open(callId)).timeline.find(
      ({ what }: { what: string }) => what === 'transfer_failed',
    );
    expect(failed).toMatchObject({ cause, leg: 'c', by: 'a', kind: 'attended' });
  }
});

test('CTRL-19 refuses commands that the state of the call does not allow', async () => {
  const { callId } = await answeredCall(platform, account);
  for (const name of ['transfer/complete', 'transfer/cancel'])
    expect(codeOf(await command(account, callId, name)), name).toBe('409 NO_TRANSFER');
  expect(await statesOf(callId)).toEqual([]);
  await transfer(callId, colleague, 'attended');
  expect(codeOf(await transfer(callId, third, 'blind'))).toBe('409 TRANSFER_IN_PROGRESS');
  expect(codeOf(await command(account, callId, 'conference', { to: third }))).toBe(
    '409 TRANSFER_IN_PROGRESS',
  );
  await command(account, callId, 'transfer/cancel');
  await carryOut(platform, callId);
  for (let party = 3; party <= 8; party += 1)
    expect((await command(account, callId, 'conference', { to: third })).status).toBe(200);
  expect(codeOf(await command(account, callId, 'conference', { to: third }))).toBe('409 TOO_MANY_PARTIES');
  expect(codeOf(await transfer(callId, third, 'blind'))).toBe('409 TOO_MANY_PARTIES');
  await hangUpAll(callId);
  for (const [name, body] of [
    ['transfer', { to: third, kind: 'blind' }],
    ['conference', { to: third }],
    ['transfer/complete', undefined],
    ['transfer/cancel', undefined],
  ] as const)
    expect(codeOf(await command(account, callId, name, body)), name).toBe('409 CALL_ENDED');

  const queued = (await account.call()).body.id;
  expect(codeOf(await transfer(queued, third, 'blind'))).toBe('409 CALL_NOT_ANSWERED');
  await command(account, queued, 'hangup');
  const other = await createCallingAccount(platform);
  const { callId: foreign } = await answeredCall(platform, other);
  expect(codeOf(await transfer(foreign, third, 'blind'))).toBe('404 NOT_FOUND');
  await other.endCalls();
  await expectConsistent();
});

test('CTRL-20 CTRL-23 a conference joins, and ends with the last but one party', async () => {
  const { callId } = await answeredCall(platform, account);
  await command(account, callId, 'conference', { to: colleague });
  await command(account, callId, 'conference', { to: third });
  expect(await carryOut(platform, callId)).toEqual(['a to room', 'b to room', 'dial c', 'dial d']);
  await answer(platform, callId, 'c');
  expect(await end(platform, callId, 'd', isBusy)).toEqual([]);
  expect(await statesOf(callId)).toEqual(['a room', 'b room', 'c room', 'd ended']);
  expect(await end(platform, callId, 'a')).toEqual([]);
  expect(await end(platform, callId, 'c')).toEqual(['end b']);
  expect(await timelineOf(callId)).toEqual(['party_joined c', 'party_left d', 'party_left a', 'ended']);
  const conferences = (await eventsOf(callId)).filter(({ type }) => type === 'channel-conference');
  expect(conferences.map(({ data: { to, result, hangupCause } }) => [to, result, hangupCause])).toEqual([
    [colleague, 'started', null],
    [third, 'started', null],
    [colleague, 'completed', null],
    [third, 'failed', 'USER_BUSY'],
  ]);
  await expectConsistent();
});

test('CTRL-21 CTRL-24 CTRL-26 each further number has its own hold, price, renewal and slot', async () => {
  const before = await money();
  const call = await answeredCall(platform, account);
  const { callId } = call;
  await transfer(callId, third, 'attended');
  await carryOut(platform, callId);
  expect(await money()).toEqual({ held: 2, available: before.available - 2, slots: (before.slots ?? 0) + 2 });
  platform.clock.advance(20);
  await answer(platform, callId);
  platform.clock.advance(35);
  const c = await legOf(platform, callId, 'c');
  expect(c).toMatchObject({ fundedSeconds: 60, renewAt: new Date(platform.clock.now().getTime() - 5_000) });
  expect(await fundLeg(funder, c)).toMatchObject({ fundedSeconds: 120 });
  expect(await fundCall(funder, call)).toMatchObject({ fundedSeconds: 120 });
  expect((await money()).held).toBe(4);
  await command(account, callId, 'transfer/complete');
  await carryOut(platform, callId);
  platform.clock.advance(30);
  // The legs end 85 s after the first answer and 65 s after that of the further one.
  expect(await end(platform, callId, 'b')).toEqual(['end c']);
  expect(await money()).toEqual({ held: 0, available: before.available - 4, slots: before.slots });
  const record = await open(callId);
  expect(record).toMatchObject({
    status: 'ended',
    from: account.ramal,
    to: destinations.ordinary,
    duration: 85,
    billed_duration: 120,
    minute_price: 1,
    call_price: 4,
    legs: [
      {
        leg: 'a',
        role: 'extension',
        purpose: null,
        started_at: null,
        duration: 55,
        price: 0,
        minute_price: null,
      },
      { leg: 'b', role: 'destination', duration: 85, billed_duration: 120, minute_price: 1, price: 2 },
      {
        leg: 'c',
        number: third,
        purpose: 'attended',
        duration: 65,
        billed_duration: 120,
        minute_price: 1,
        price: 2,
      },
    ],
  });
  const price = (await account.admin.client.get(`/calls/${callId}/price`)).body;
  expect(price).toMatchObject({
    callId,
    to: destinations.ordinary,
    callPrice: 4,
    duration: 85,
    legs: [
      {
        to: third,
        callPrice: 2,
        duration: 65,
        entries: [{ type: 'hold' }, { type: 'hold' }, { type: 'call' }],
      },
    ],
  });
  const statement = (
    await account.admin.client.list('/accounts/statement', {}, { page: '1' })
  ).body.data.slice(0, 2);
  expect(statement).toMatchObject([
    { type: 'call', reference: callId, amount: -2, call: { to: third, duration: 65 } },
    { type: 'call', reference: callId, amount: -2, call: { to: destinations.ordinary, duration: 85 } },
  ]);
  await eventsOf(callId);
  platform.clock.advance(1);
  const until = platform.clock.now();
  const since = new Date(until.getTime() - 3_600_000);
  const reconciled = await account.admin.client.request('GET', '/events/reconcile', {
    query: { since: since.toISOString(), until: until.toISOString() },
  });
  expect(reconciled, reconciled.text).toMatchObject({ status: 200, body: { isClean: true } });
  await expectConsistent();
});

test('CTRL-21 a leg that is not dialled, not answered or lost is settled once', async () => {
  const before = await money();
  const call = await answeredCall(platform, account);
  const { callId: inDial } = call;
  await transfer(inDial, third, 'blind');
  // The call ends in its Dial, before the further leg is dialled.
  expect(await endCall(platform.api.base, call, endInDial(platform, call), platform.clock.now())).toBe(true);
  expect((await open(inDial)).legs).toMatchObject([{}, {}, { price: 0, hangup_cause: 'ORIGINATOR_CANCEL' }]);

  // Voice was down for longer than a leg may wait.
  const { callId: late } = await answeredCall(platform, account);
  await transfer(late, third, 'attended');
  platform.clock.advance(6);
  expect(await carryOut(platform, late)).toEqual(['a to room', 'b to music', 'drop c', 'b to room']);
  await hangUpAll(late);

  // The call was asked to end.
  const { callId: asked } = await answeredCall(platform, account);
  await transfer(asked, third, 'attended');
  await command(account, asked, 'hangup');
  expect(await carryOut(platform, asked)).toEqual(['a to room', 'b to music', 'drop c', 'b to room']);
  await hangUpAll(asked);

  const lost = await answeredCall(platform, account);
  await transfer(lost.callId, third, 'attended');
  await carryOut(platform, lost.callId);
  await answer(platform, lost.callId);
  platform.clock.advance(5);
  expect(await endLostCall(platform.api.base, lost, platform.clock.now())).toBe(true);
  expect(await endLostCall(platform.api.base, lost, platform.clock.now())).toBe(false);
  expect(await open(lost.callId)).toMatchObject({ call_price: 2, hangup_cause: 'NORMAL_TEMPORARY_FAILURE' });
  expect(await money()).toEqual({ held: 0, available: before.available - 3, slots: before.slots });
  await expectConsistent();
});

test('CTRL-22 refuses a number as POST /calls does, after the state of the call, and changes nothing', async () => {
  const poor = await createCallingAccount(platform, 1.5);
  const { callId } = await answeredCall(platform, poor);
  const add = (to: string, name = 'conference') =>
    command(poor, callId, name, name === 'transfer' ? { to, kind: 'blind' } : { to });
  const { body: unregistered } = await poor.admin.client.post('/extensions/next-available', nextBody());
  const cases: [string, string][] = [
    ['no number', '422 VALIDATION_ERROR'],
    ['1', '422 VALIDATION_ERROR'],
    ['2468013', '422 VALIDATION_ERROR'],
    [poor.ramal, '422 VALIDATION_ERROR'],
    ['190', '403 DESTINATION_NOT_ALLOWED'],
    ['351210000000', '403 DESTINATION_NOT_ALLOWED'],
    [destinations.dear, '403 SPEND_LIMIT_REACHED'],
    [third, '402 INSUFFICIENT_CREDIT'],
    [unregistered.ramal, '424 EXTENSION_NOT_REGISTERED'],
  ];
  for (const [to, expected] of cases)
    for (const name of ['conference', 'transfer'])
      expect([to, codeOf(await add(to, name))]).toEqual([to, expected]);
  await poor.cap({ concurrentCalls: 1 });
  expect(codeOf(await add(destinations.free))).toBe('429 CAPACITY_EXCEEDED');
  expect(codeOf(await add(third))).toBe('402 INSUFFICIENT_CREDIT');
  await poor.cap({ concurrentCalls: 2, callsPerSecond: 1 });
  expect(codeOf(await add(destinations.free))).toBe('429 CAPACITY_EXCEEDED');
  await poor.cap({ concurrentCalls: 2, callsPerSecond: 100 });
  await platform.database.query(
    `insert into account_caps (account_id, suspended_at, suspended_reason) values ($1, now(), 'test')
     on conflict (account_id) do update set suspended_at = now(), suspended_reason = 'test'`,
    [poor.id],
  );
  expect(codeOf(await add(destinations.free))).toBe('403 CALLING_SUSPENDED');
  await platform.database.query(
    'update account_caps set suspended_at = null, suspended_reason = null where account_id = $1',
    [poor.id],
  );
  expect(await statesOf(callId)).toEqual([]);
  expect(codeOf(await command(poor, callId, 'transfer', { to: third }))).toBe('422 VALIDATION_ERROR');
  expect(codeOf(await command(poor, callId, 'transfer', { to: third, kind: 'warm' }))).toBe(
    '422 VALIDATION_ERROR',
  );

  // An extension of the account is free and takes no slot, whatever its number is.
  platform.clock.advance(1);
  expect((await add(destinations.free)).status).toBe(200);
  expect((await poor.admin.client.get('/accounts/balance')).body).toMatchObject({ held: 1 });
  await hangUpAll(callId);
  const balances = await platform.database.query(
    'select running_calls from ledger_balances where account_id = $1',
    [poor.id],
  );
  expect(balances).toMatchObject([{ running_calls: 0 }]);
  await expectConsistent();
});

test('CTRL-25 hanging up completes an attended transfer, at once or with the answer', async () => {
  const callId = await transferring(colleague, 'attended');
  await answer(platform, callId);
  expect(await end(platform, callId, 'a')).toEqual(['b to room']);
  expect(await statesOf(callId)).toEqual(['a ended', 'b room', 'c room']);
  expect(await timelineOf(callId)).toContain('transfer_completed c');
  await hangUpAll(callId);

  const early = await transferring(colleague, 'attended');
  await ring(platform, early);
  expect(await end(platform, early, 'a')).toEqual([]);
  expect(await answer(platform, early)).toEqual(['b to room']);
  expect(await timelineOf(early)).toContain('transfer_completed c');
  await hangUpAll(early);

  const unanswered = await transferring(colleague, 'attended');
  await ring(platform, unanswered);
  await end(platform, unanswered, 'a');
  expect(await end(platform, unanswered, 'c', isBusy)).toEqual(['end b']);
  expect((await open(unanswered)).status).toBe('ended');
  await expectConsistent();
});

test('CTRL-25 the waiting party that hangs up releases a called party that has not answered', async () => {
  const ringing = await transferring(third, 'attended');
  await ring(platform, ringing);
  expect(await endOf(platform, ringing, 'b')).toBe('leg');
  platform.clock.advance(1);
  expect(await carryOut(platform, ringing)).toEqual(['end c', 'end a']);
  expect(await open(ringing)).toMatchObject({ status: 'ended', ended_by: 'destination' });

  const callId = await transferring(third, 'attended');
  await answer(platform, callId);
  platform.clock.advance(1);
  expect(await end(platform, callId, 'b')).toEqual([]);
  expect(await statesOf(callId)).toEqual(['a room', 'b ended', 'c room']);
  expect(codeOf(await command(account, callId, 'transfer/complete'))).toBe('409 NO_TRANSFER');
  await end(platform, callId, 'c');
  expect(await open(callId)).toMatchObject({ status: 'ended', call_price: 2 });
  await expectConsistent();
});

test('CTRL-05 an inbound call is transferred by the extension that took it', async () => {
  const { callId } = await answeredCall(platform, account);
  await platform.database.query(
    `with live as (update live_calls set kind = 'inbound', order_data = order_data || jsonb_build_object('ramal', $2::text) where call_id = $1)
     update calls set call_type = 'inbound', "from" = '5511944440004', "to" = '551130000000' where id = $1`,
    [callId, account.ramal],
  );
  expect((await transfer(callId, colleague, 'blind')).status).toBe(200);
  expect(await carryOut(platform, callId)).toEqual(['a to music', 'b to room', 'dial c']);
  expect((await legOf(platform, callId, 'c')).order).toMatchObject({ callerId: '5511944440004' });
  expect(await ring(platform, callId)).toEqual(['b to leave']);
  await answer(platform, callId);
  expect(await statesOf(callId)).toEqual(['a room', 'b ended', 'c room']);
  await platform.database.query(`update live_calls set kind = 'click' where call_id = $1`, [callId]);
  await hangUpAll(callId);
});
