import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DatabaseLink, openDatabaseLink } from '../../harness/edge/database-link.ts';
import type { TestAccount } from '../../harness/people.ts';
import { until } from '../../harness/until.ts';
import { numberEnding, whenCarrierRings, whenPhoneRings, whenReleased } from '../../harness/voice/lines.ts';
import { startVoicePlatform, type VoicePlatform, whenCall } from '../../harness/voice/voice-platform.ts';
import { expectConsistentCall, nothingIsLeft, readEvents, startedSeconds } from './expect-consistent-call.ts';
import { moveVoiceOut, type VoiceProcess } from './voice-process.ts';

let platform: VoicePlatform;
let account: TestAccount;
let link: DatabaseLink;
let voice: VoiceProcess;

beforeAll(async () => {
  platform = await startVoicePlatform();
  account = await platform.addAccount();
  link = await openDatabaseLink(platform.config.DATABASE_URL);
  // This Redis does not exist: the process gets no wake-ups and relies on polling.
  voice = await moveVoiceOut(platform, { DATABASE_URL: link.url, REDIS_URL: 'redis://127.0.0.1:1' });
});
afterAll(async () => {
  await voice?.kill();
  await platform?.close();
  await link?.close();
});

const whenCarrierAnswers = (callId: string) =>
  until(async () => (await whenCarrierRings(platform, callId)).answeredAtMs, 'the destination answers');

test('calls are placed while Redis is down', async () => {
  const line = await platform.addLine(account, { phone: { hangUpAfterSeconds: 1 } });
  const callId = await line.call(numberEnding('16'));
  const leg = await whenPhoneRings(platform, callId);
  const { body } = await account.admin.client.get(`/calls/${callId}`);
  expect(leg.invitedAtMs - Date.parse(body.started_at)).toBeLessThan(5_000);
  await whenCall(account, callId, 'ended');
  await expectConsistentCall(platform, account, callId);
});

test('calls continue when their controller dies at any stage, and their ends are reported later', async () => {
  const [ringing, dialled, talking] = await Promise.all([
    platform.addLine(account, { phone: { answerAfterSeconds: 4 } }),
    platform.addLine(account),
    platform.addLine(account),
  ]);
  const ids = {
    dialled: await dialled.call(numberEnding('19')),
    talking: await talking.call(numberEnding('16')),
    ringing: await ringing.call(numberEnding('16')),
  };
  await whenCarrierRings(platform, ids.dialled);
  await whenCall(account, ids.talking, 'answered');
  await whenPhoneRings(platform, ids.ringing);
  await voice.kill();
  await whenCarrierAnswers(ids.ringing);
  await sleep(1_000);
  for (const id of Object.values(ids)) {
    await platform.engines.simulator.hangUpPhone(id);
    await whenReleased(platform, id);
  }
  await voice.start();
  for (const id of Object.values(ids)) await whenCall(account, id, 'ended');
  const records = {
    ringing: await expectConsistentCall(platform, account, ids.ringing),
    dialled: await expectConsistentCall(platform, account, ids.dialled),
    talking: await expectConsistentCall(platform, account, ids.talking),
  };
  expect(records.ringing).toMatchObject({ hangup_cause: 'NORMAL_CLEARING', ended_by: 'extension' });
  expect(records.ringing.duration).toBeGreaterThan(0);
  expect(records.ringing.duration).toBe(startedSeconds(records.ringing));
  expect(records.dialled).toMatchObject({ hangup_cause: 'ORIGINATOR_CANCEL', duration: 0 });
  expect(records.talking).toMatchObject({ hangup_cause: 'NORMAL_CLEARING' });
  expect(records.talking.duration).toBeGreaterThan(0);
  expect(records.talking.duration).toBe(startedSeconds(records.talking));
  for (const id of Object.values(ids)) {
    const events = await readEvents(platform, id);
    expect(events.map(({ data }) => data.sequence)).toEqual(events.map((_, index) => index + 1));
  }
  expect(await nothingIsLeft(platform)).toBe(true);
});

test('an answer event lost with its controller is recovered, so that the call is renewed', async () => {
  const line = await platform.addLine(account);
  link.cut();
  await voice.kill();
  link.mend();
  await voice.start();
  const callId = await line.call(numberEnding('16'));
  await whenPhoneRings(platform, callId);
  // The answer reaches the controller, which is killed before it can store it.
  link.cut();
  await whenCarrierAnswers(callId);
  await sleep(500);
  await voice.kill();
  link.mend();
  await voice.start();
  await whenCall(account, callId, 'answered');
  const [live] = await platform.database.query(
    'select renew_at, answered_on_node from live_calls where call_id = $1',
    [callId],
  );
  expect(live).toMatchObject({ renew_at: expect.any(Date), answered_on_node: expect.any(Number) });
  await platform.engines.simulator.hangUpPhone(callId);
  await whenCall(account, callId, 'ended');
  await expectConsistentCall(platform, account, callId);
});

test('a call that is answered and ends while the database is down is recorded later', async () => {
  const line = await platform.addLine(account, { phone: { answerAfterSeconds: 1 } });
  const callId = await line.call(numberEnding('16'));
  await whenPhoneRings(platform, callId);
  link.cut();
  await whenCarrierAnswers(callId);
  await sleep(1_000);
  await platform.engines.simulator.hangUpPhone(callId);
  await whenReleased(platform, callId);
  link.mend();
  await whenCall(account, callId, 'ended');
  const record = await expectConsistentCall(platform, account, callId);
  expect(record).toMatchObject({ hangup_cause: 'NORMAL_CLEARING', ended_by: 'extension' });
  expect(record.duration).toBeGreaterThan(0);
  expect(record.duration).toBe(startedSeconds(record));
  expect(await nothingIsLeft(platform)).toBe(true);
});
