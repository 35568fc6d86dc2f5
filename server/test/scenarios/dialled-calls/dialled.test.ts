import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBalance } from '../../harness/fixtures/billing.ts';
import {
  assignNumber,
  finalStatus,
  freshNumber,
  listedCalls,
  recordedEventTypes,
  whenHungUp,
  whenListed,
} from '../../harness/fixtures/dialled-calls.ts';
import { until } from '../../harness/until.ts';
import { atCarrier, liftCaps, listenTo, numberEnding } from '../../harness/voice/lines.ts';
import { parseSound, secondsOfTone, whenHeard } from '../../harness/voice/tones.ts';
import {
  pricePerMinute,
  startVoicePlatform,
  type VoicePlatform,
  whenCall,
} from '../../harness/voice/voice-platform.ts';

let platform: VoicePlatform;
beforeAll(async () => {
  platform = await startVoicePlatform();
});
afterAll(() => platform?.close());

test('CALL-25 a call dialled on a softphone is outbound, with hold, recording, events, charge and two-way audio', async () => {
  const account = await platform.addAccount();
  const owner = await account.addUser();
  const bina = freshNumber();
  await assignNumber(platform, account, bina);
  const line = await platform.addLine(account, { owner, extension: { gravar_audio: 1, bina } });
  const to = numberEnding('95');
  const dialled = await line.phone.dial(to);
  await dialled.answered();
  const { id } = await whenListed(account, { to });
  await whenCall(account, id, 'answered');
  expect((await readBalance(account)).held).toBeGreaterThan(0);
  const { simulator } = platform.engines;
  // On a busy machine the recording has less than was heard.
  await Promise.all([whenHeard(dialled.heard, 1_000, 6), whenHeard(simulator.heard(id, 'carrier'), 440, 6)]);
  const ended = await whenHungUp(account, dialled, id);
  expect(ended).toMatchObject({
    call_type: 'outbound',
    from: line.ramal,
    to,
    email: owner.email,
    BINA: bina,
    hangup_cause: 'NORMAL_CLEARING',
    ended_by: 'extension',
    minute_price: pricePerMinute,
    metadata: {},
  });
  // At least 30 s, then in steps of 6 s: on a slow machine the parties talk longer.
  const billed = Math.max(30, Math.ceil(ended.duration / 6) * 6);
  expect(ended.billed_duration).toBe(billed);
  expect(ended.call_price).toBeCloseTo((pricePerMinute * billed) / 60, 4);
  expect(ended.duration).toBeGreaterThanOrEqual(2);
  expect(await recordedEventTypes(platform, id)).toEqual([
    'channel-create',
    'channel-answer',
    'channel-hangup',
    'call-priced',
    'recording-ready',
  ]);
  const [leg] = atCarrier(platform, id);
  expect(leg).toMatchObject({ number: to, from: bina, callId: id });
  const { audio } = await until(async () => {
    const answer = await listenTo(platform, ended.record_url);
    return answer.status === 200 ? answer : undefined;
  }, 'the recording is stored');
  const recording = parseSound(audio);
  expect(secondsOfTone(recording, 440, 0.2)).toBeGreaterThan(1.5);
  expect(secondsOfTone(recording, 1_000, 0.2)).toBeGreaterThan(1.5);
});

test('CALL-46 a phone may dial 0, area code and number; the call is listed with the country code', async () => {
  const account = await platform.addAccount();
  const line = await platform.addLine(account);
  const to = numberEnding('17');
  expect(await finalStatus(await line.phone.dial(`0${to.slice(2)}`))).toBe(486);
  expect(await whenListed(account, { to })).toMatchObject({ to, call_type: 'outbound' });
});

test('the phone and the call record get the destination’s response', async () => {
  const account = await platform.addAccount();
  await liftCaps(platform, account);
  const line = await platform.addLine(account);
  const expected = [
    ['17', 486, 'USER_BUSY'],
    ['01', 404, 'UNALLOCATED_NUMBER'],
    ['21', 603, 'CALL_REJECTED'],
    ['41', 500, 'NORMAL_TEMPORARY_FAILURE'],
    ['34', 500, 'NORMAL_TEMPORARY_FAILURE'],
  ] as const;
  await Promise.all(
    expected.map(async ([ending, status, cause]) => {
      const to = numberEnding(ending);
      expect(await finalStatus(await line.phone.dial(to)), ending).toBe(status);
      const { id } = await whenListed(account, { to });
      expect(await whenCall(account, id, 'ended'), ending).toMatchObject({
        hangup_cause: cause,
        ended_by: 'destination',
        call_price: 0,
        duration: 0,
      });
    }),
  );
  expect(await readBalance(account)).toMatchObject({ held: 0 });
});

test('a phone that hangs up while the destination rings cancels the call and is not charged', async () => {
  const account = await platform.addAccount();
  const line = await platform.addLine(account);
  const to = numberEnding('19');
  const dialled = await line.phone.dial(to);
  const { id } = await whenListed(account, { to });
  await until(async () => atCarrier(platform, id)[0], 'the carrier rings');
  const ended = await whenHungUp(account, dialled, id);
  expect(ended).toMatchObject({ hangup_cause: 'ORIGINATOR_CANCEL', ended_by: 'extension', call_price: 0 });
  await until(async () => atCarrier(platform, id)[0]?.endedAtMs, 'the carrier is released');
});

test('a dialled call can be hung up by its id, and ends when its credit is used up', async () => {
  const account = await platform.addAccount();
  const line = await platform.addLine(account);
  const to = numberEnding('97');
  const dialled = await line.phone.dial(to);
  await dialled.answered();
  const { id } = await whenListed(account, { to });
  expect((await account.admin.client.post(`/calls/${id}/hangup`)).status).toBe(200);
  expect(await whenCall(account, id, 'ended')).toMatchObject({ ended_by: 'system' });
  await dialled.ended();

  const poor = await platform.addAccount(0.61);
  const last = await platform.addLine(poor);
  const far = numberEnding('97');
  const second = await last.phone.dial(far);
  await second.answered();
  const { id: exhausted } = await whenListed(poor, { to: far });
  await whenCall(poor, exhausted, 'answered');
  // The engine enforces the funded time; shortening it there proves that the engine ends the call.
  const legs = (await platform.engines.node.ask('GET', '/channels')).body as { id: string }[];
  const [row] = await platform.database.query<{ leg: string }>(
    `select order_data->>'leg' as leg from live_calls where call_id = $1`,
    [exhausted],
  );
  expect(legs.map(({ id: leg }) => leg)).toContain(row?.leg);
  const limit = new URLSearchParams({ variable: `EXPORT(${row?.leg},TIMEOUT(absolute))`, value: '1' });
  await platform.engines.node.ask('POST', `/asterisk/variable?${limit}`);
  expect(await whenCall(poor, exhausted, 'ended')).toMatchObject({
    hangup_cause: 'ALLOTTED_TIMEOUT',
    ended_by: 'system',
  });
  await second.ended();
});

test('a call that its controller lost is recovered, renewed and ended', async () => {
  const account = await platform.addAccount();
  const line = await platform.addLine(account);
  const to = numberEnding('97');
  const dialled = await line.phone.dial(to);
  await dialled.answered();
  const { id } = await whenListed(account, { to });
  await whenCall(account, id, 'answered');
  await platform.stopVoice();
  await platform.startVoice();
  await sleep(1_000);
  expect(dialled.seen()?.endedAtMs).toBeUndefined();
  const ended = await whenHungUp(account, dialled, id);
  expect(ended).toMatchObject({ hangup_cause: 'NORMAL_CLEARING', ended_by: 'extension' });
  expect(await listedCalls(account)).toHaveLength(1);
});
