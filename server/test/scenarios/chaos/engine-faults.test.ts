import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { blockAccount } from '../../../src/contexts/accounts/index.ts';
import {
  advanceCall,
  claimCalls,
  createMover,
  endCallsOfAccount,
  findLiveAmong,
} from '../../../src/contexts/calls/index.ts';
import { drainNode } from '../../../src/contexts/telephony/index.ts';
import { openOperator } from '../../harness/operator.ts';
import type { TestAccount } from '../../harness/people.ts';
import { until } from '../../harness/until.ts';
import { atCarrier, atPhone, listChannels, numberEnding, whenReleased } from '../../harness/voice/lines.ts';
import { startVoicePlatform, type VoicePlatform, whenCall } from '../../harness/voice/voice-platform.ts';
import { freeze } from '../faults/freeze.ts';
import { nothingIsLeft, readEvents } from './expect-consistent-call.ts';

let platform: VoicePlatform;
let account: TestAccount;

beforeAll(async () => {
  platform = await startVoicePlatform({ engines: { partyRtpTimeoutSeconds: 3 } });
  account = await platform.addAccount();
});
afterAll(() => platform?.close());

test('a call whose engine is killed ends at the time it was last seen, and is charged no more than used', async () => {
  const line = await platform.addLine(account);
  const callId = await line.call(numberEnding('16'));
  const answered = await whenCall(account, callId, 'answered');
  await sleep(3_000);
  const killedAtMs = Date.now();
  await platform.engines.node.engine.restart('kill');
  const record = await whenCall(account, callId, 'ended');
  expect(record).toMatchObject({ hangup_cause: 'NORMAL_TEMPORARY_FAILURE', ended_by: 'system' });
  const endedAtMs = Date.parse(record.ended_at);
  expect(endedAtMs).toBeLessThanOrEqual(killedAtMs);
  expect(killedAtMs - endedAtMs).toBeLessThan(killedAtMs - Date.parse(answered.answered_at));
  const usedMs = killedAtMs - Date.parse(answered.answered_at);
  expect(record.duration).toBeLessThanOrEqual(Math.ceil(usedMs / 1000));
  expect(await readEvents(platform, callId, 'channel-hangup')).toHaveLength(1);
  await until(() => nothingIsLeft(platform), 'nothing is left');
});

test('an engine that hangs for 8 s rings no phone late and dials nothing twice', async () => {
  const line = await platform.addLine(account);
  const wake = freeze(platform.engines.node.engine.pid);
  onTestFinished(wake);
  const callId = await line.call(numberEnding('16'));
  await sleep(8_000);
  wake();
  const record = await whenCall(account, callId, 'ended');
  expect(record).toMatchObject({ answered_at: null, duration: 0 });
  await until(async () => (await listChannels(platform)).length === 0, 'the engine has no channel');
  expect(atPhone(platform, callId)).toBeUndefined();
  expect(atCarrier(platform, callId)).toEqual([]);
  expect(await readEvents(platform, callId, 'channel-hangup')).toHaveLength(1);
  // The engine accepts further calls.
  const next = await line.call(numberEnding('99'));
  await whenCall(account, next, 'answered');
  await platform.engines.simulator.hangUpPhone(next);
  await whenCall(account, next, 'ended');
});

test('a former lease holder of a node can neither claim nor change calls', async () => {
  const [deaf, prompt] = await Promise.all([
    platform.addLine(account, { phone: { behaviour: 'ring' } }),
    platform.addLine(account),
  ]);
  const { db } = platform.api.base;
  const [node] = await platform.database.query<{ epoch: string }>('select epoch from media_nodes');
  const fenced = { node: 'm1', epoch: Number(node?.epoch) - 1 };
  const callId = await deaf.call(numberEnding('16'));
  await whenCall(account, callId, 'ringing');
  const [live] = await findLiveAmong(db, 'm1', [callId]);
  if (!live) throw new Error('The call is not live.');
  const now = new Date();
  expect(
    await advanceCall(createMover(db, fenced), live, [
      { to: 'answered', at: now, onNode: now.getTime() / 1000 },
    ]),
  ).toBe(undefined);
  expect(await claimCalls(db, fenced, new Date(0), now, 10)).toEqual([]);
  expect((await account.admin.client.get(`/calls/${callId}`)).body.status).toBe('ringing');
  await account.admin.client.post(`/calls/${callId}/hangup`);
  await whenCall(account, callId, 'ended');
  // The current lease holder can still advance calls.
  const next = await prompt.call(numberEnding('16'));
  await whenCall(account, next, 'answered');
  await platform.engines.simulator.hangUpPhone(next);
  await whenCall(account, next, 'ended');
});

test('a fenced lease holder releases its node, which is soon leased again', async () => {
  const line = await platform.addLine(account);
  const callId = await line.call(numberEnding('16'));
  await whenCall(account, callId, 'answered');
  const [before] = await platform.database.query<{ epoch: string }>(
    'update media_nodes set epoch = epoch + 1 returning epoch',
  );
  await until(async () => {
    const [node] = await platform.database.query<{ epoch: string }>('select epoch from media_nodes');
    return Number(node?.epoch) > Number(before?.epoch);
  }, 'the node is leased again');
  expect((await account.admin.client.get(`/calls/${callId}`)).body.status).toBe('answered');
  await platform.engines.simulator.hangUpPhone(callId);
  expect(await whenCall(account, callId, 'ended')).toMatchObject({ hangup_cause: 'NORMAL_CLEARING' });
});

test('a node unseen during an outage keeps its calls; one that stays silent loses them', async () => {
  const line = await platform.addLine(account);
  const callId = await line.call(numberEnding('16'));
  await whenCall(account, callId, 'answered');
  const outage = async (): Promise<void> => {
    await platform.stopVoice();
    await platform.database.query(
      `update media_nodes set last_seen_at = now() - interval '60 s', silent_since = null`,
    );
    await until(async () => {
      const [node] = await platform.database.query('select silent_since from media_nodes');
      return node?.silent_since;
    }, 'the node is marked silent');
  };
  await outage();
  await platform.startVoice();
  await until(async () => {
    const [node] = await platform.database.query('select silent_since from media_nodes');
    return node?.silent_since === null;
  }, 'the node is seen again');
  expect((await account.admin.client.get(`/calls/${callId}`)).body.status).toBe('answered');

  await outage();
  expect(await whenCall(account, callId, 'ended')).toMatchObject({
    hangup_cause: 'NORMAL_TEMPORARY_FAILURE',
  });
  // After its restart, the controller ends calls on the node that have already ended in the database.
  await platform.startVoice();
  await whenReleased(platform, callId);
});

test('a draining node gets no new calls and keeps its live calls', async () => {
  const line = await platform.addLine(account);
  const operator = openOperator(platform);
  onTestFinished(() => operator.close());
  const running = await line.call(numberEnding('16'));
  await whenCall(account, running, 'answered');
  await drainNode(operator, 'm1', true);
  const refused = await line.call(numberEnding('16'));
  expect(await whenCall(account, refused, 'ended')).toMatchObject({
    hangup_cause: 'NORMAL_TEMPORARY_FAILURE',
    ended_by: 'system',
    duration: 0,
  });
  expect(atPhone(platform, refused)).toBeUndefined();
  expect((await account.admin.client.get(`/calls/${running}`)).body.status).toBe('answered');
  await drainNode(operator, 'm1', false);
  const next = await line.call(numberEnding('16'));
  await whenCall(account, next, 'answered');
  for (const callId of [running, next]) {
    await platform.engines.simulator.hangUpPhone(callId);
    await whenCall(account, callId, 'ended');
  }
});

test('ACCT-08 blocking an account ends its live calls immediately, and no others', async () => {
  const blocked = await platform.addAccount();
  const [line, neighbour] = await Promise.all([platform.addLine(blocked), platform.addLine(account)]);
  const [interrupted, unaffected] = [
    await line.call(numberEnding('16')),
    await neighbour.call(numberEnding('16')),
  ];
  await whenCall(blocked, interrupted, 'answered');
  await whenCall(account, unaffected, 'answered');
  const operator = openOperator(platform);
  onTestFinished(() => operator.close());
  const blockedAtMs = Date.now();
  await blockAccount({ ...operator, endCalls: endCallsOfAccount }, blocked.domain);
  await whenReleased(platform, interrupted);
  // Without being ended, it would have been renewed after 30 s.
  expect((atPhone(platform, interrupted)?.endedAtMs ?? Infinity) - blockedAtMs).toBeLessThan(15_000);
  await until(async () => {
    const [row] = await platform.database.query('select status from calls where id = $1', [interrupted]);
    return row?.status === 'ended';
  }, 'the call has ended');
  const [record] = await platform.database.query('select hangup_cause, ended_by from calls where id = $1', [
    interrupted,
  ]);
  expect(record).toEqual({ hangup_cause: 'NORMAL_CLEARING', ended_by: 'system' });
  expect((await blocked.admin.client.get(`/calls/${interrupted}`)).status).toBeGreaterThanOrEqual(401);
  expect((await account.admin.client.get(`/calls/${unaffected}`)).body.status).toBe('answered');
  await platform.engines.simulator.hangUpPhone(unaffected);
  await whenCall(account, unaffected, 'ended');
});
