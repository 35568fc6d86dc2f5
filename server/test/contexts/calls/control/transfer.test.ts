import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLedger } from '../../../../src/contexts/billing/index.ts';
import { findLegsOfCall, findWantedLegs } from '../../../../src/contexts/calls/index.ts';
import { correctRunningCalls } from '../../../../src/contexts/calls/lifecycle/live-call.store.ts';
import {
  type CallingAccount,
  createCallingAccount,
  destinations,
  startCallLimitPlatform,
} from '../../../harness/fixtures/call-limits.ts';
import { markRegistered, nextBody } from '../../../harness/fixtures/extensions.ts';
import type { Platform } from '../../../harness/platform.ts';
import { answeredCall, command, dialWanted, doWanted, endOf, legOf, report } from './running-call.ts';

let platform: Platform;
let account: CallingAccount;

beforeAll(async () => {
  platform = await startCallLimitPlatform();
  account = await createCallingAccount(platform);
});
afterAll(() => platform.close());

const codeOf = ({ status, body }: Awaited<ReturnType<typeof command>>) =>
  `${status} ${body.error?.errorCode}`;

/** Adds an extension, whose phone is registered. */
async function addExtension(of: CallingAccount = account): Promise<string> {
  const { body } = await of.admin.client.post('/extensions/next-available', nextBody());
  await markRegistered(platform, body.id, 3 * 24 * 3600);
  return body.ramal;
}

const transfer = (callId: string, to: string, kind: string) =>
  command(account, callId, 'transfer', { to, kind });

test('CTRL-14 a blind transfer', async () => {
  const { callId } = await answeredCall(platform, account);
  const to = await addExtension();
  const answer = await transfer(callId, to, 'blind');
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(await doWanted(platform)).toEqual(['a to room', 'b to music']);
  await dialWanted(platform);
  const c = await legOf(platform, callId, 'c');
  expect(c).toMatchObject({ state: 'dialling', engineLeg: `${callId}.c`, fetches: 'b' });
  await report(platform, c, { kind: 'ringing' });
  expect((await findWantedLegs(platform.api.base.db, 'm1')).map((l) => `${l.letter} ${l.wanted}`)).toEqual(['a leave']);
  await endOf(platform, callId, 'a', { endedBy: null });
  await report(platform, c, { kind: 'answered' }, { kind: 'placed', place: 'room' });
  expect(await doWanted(platform)).toEqual(['b to room']);
  platform.clock.advance(10);
  expect(await endOf(platform, callId, 'c')).toBe('leg');
  expect(await endOf(platform, callId, 'b')).toBe('last');
  console.log(JSON.stringify((await account.admin.client.get(`/calls/${callId}`)).body, null, 1));
  await platform.database.query('select number_events(1000, now())');
  const { body } = await account.admin.client.get('/events?limit=500');
  console.log(JSON.stringify(body.data.slice(2, 8).map((e: {data: object}) => e.data)));
  expect(await auditLedger(platform.api.base)).toEqual([]);
  expect(await correctRunningCalls(platform.api.base.db)).toBe(0);
});

test('CTRL-15 an attended transfer to a number', async () => {
  const { callId } = await answeredCall(platform, account);
  const answer = await transfer(callId, destinations.free, 'attended');
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(await doWanted(platform)).toEqual(['a to room', 'b to music']);
  expect(codeOf(await command(account, callId, 'transfer/complete'))).toBe('409 CALL_NOT_ANSWERED');
  await dialWanted(platform);
  const c = await legOf(platform, callId, 'c');
  await report(platform, c, { kind: 'answered' }, { kind: 'placed', place: 'room' });
  expect((await command(account, callId, 'transfer/complete')).status).toBe(200);
  expect((await command(account, callId, 'transfer/complete')).status).toBe(200);
  expect(codeOf(await command(account, callId, 'transfer/cancel'))).toBe('409 CALL_ENDED');
  await doWanted(platform);
  await endOf(platform, callId, 'a', { endedBy: null });
  expect(await endOf(platform, callId, 'b')).toBe('leg');
  expect(await endOf(platform, callId, 'c')).toBe('last');
  console.log(JSON.stringify((await findLegsOfCall(platform.api.base.db, callId))));
  expect(await auditLedger(platform.api.base)).toEqual([]);
  expect(await correctRunningCalls(platform.api.base.db)).toBe(0);
});
