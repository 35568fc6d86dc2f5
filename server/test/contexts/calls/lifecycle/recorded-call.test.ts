import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../../harness/until.ts';
import {
  atCarrier,
  atPhone,
  listenTo,
  numberEnding,
  whenCarrierRings,
  whenPhoneRings,
} from '../../../harness/voice/lines.ts';
import {
  durationSeconds,
  readClosedWav,
  readWav,
  type Sound,
  secondsOfTone,
} from '../../../harness/voice/tones.ts';
import {
  pricePerMinute,
  startVoicePlatform,
  type VoicePlatform,
  whenCall,
} from '../../../harness/voice/voice-platform.ts';

let platform: VoicePlatform;
beforeAll(async () => {
  platform = await startVoicePlatform();
});
afterAll(() => platform.close());

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const timeBasedId = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

async function decodeSound(audio: Buffer): Promise<Sound> {
  const folder = await mkdtemp(join(tmpdir(), 'disca-sound-'));
  const file = join(folder, 'sound.wav');
  await writeFile(file, audio);
  const sound = readWav(file);
  await rm(folder, { recursive: true });
  return sound;
}

const untilStored = (url: string) =>
  until(async () => {
    const answer = await listenTo(platform, url);
    return answer.status === 200 ? answer : undefined;
  }, 'the recording is stored');

/** Runs a complete call: placed by the owner of the extension, recorded, 3 s of tones, ended by the softphone. */
async function talk() {
  const account = await platform.addAccount();
  const owner = await account.addUser();
  const bina = '551130001234';
  const extension = { gravar_audio: 1, first_name: 'Bia', last_name: 'Lima', bina };
  const line = await platform.addLine(account, { owner, extension, phone: { behaviour: 'tone' } });
  const metadata = { deal: 'D-7', tries: 2, nested: { list: [1, null, 'é'] } };
  const to = numberEnding('95');
  const id = await line.call(to, { metadata }, owner.client);
  await whenCall(account, id, 'answered');
  await until(
    async () => durationSeconds(readWav(platform.engines.simulator.heard(id, 'phone'))) > 3,
    'both sides talked',
  );
  await platform.engines.simulator.hangUpPhone(id);
  const ended = await whenCall(account, id, 'ended');
  return { account, owner, line, bina, metadata, to, id, ended };
}

let talked: Awaited<ReturnType<typeof talk>>;

test('CALL-05 CALL-06 CALL-07 CALL-25 CALL-35 CALL-42 lists all fields of a recorded call', async () => {
  talked = await talk();
  const { account, owner, line, id, to, bina, metadata, ended } = talked;
  const listed = await account.admin.client.list('/calls', { where: { id } }, { page: '1' });
  expect(listed.body.data).toEqual([
    {
      id,
      domain: account.domain,
      call_type: 'outbound',
      status: 'ended',
      started_at: time,
      answered_at: time,
      ended_at: time,
      from: line.ramal,
      to,
      duration: expect.any(Number),
      billed_duration: 30,
      hangup_cause: 'NORMAL_CLEARING',
      ended_by: 'extension',
      record_url: expect.stringMatching(/^http:\/\/api\.disca\.test\//),
      email: owner.email,
      first_name: 'Bia',
      last_name: 'Lima',
      BINA: bina,
      minute_price: pricePerMinute,
      call_price: pricePerMinute / 2,
      metadata,
      disposition: null,
      note: null,
      tags: [],
      on_hold: false,
      quality: null,
    },
  ]);
  expect(Date.parse(ended.started_at)).toBeLessThanOrEqual(Date.parse(ended.answered_at));
});

test('CALL-13 one UUIDv7 identifies the call in response, list, recording and both INVITEs', async () => {
  const { id, ended, account } = talked;
  expect(id).toMatch(timeBasedId);
  const startedAtMs = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
  expect(startedAtMs).toBe(Date.parse(ended.started_at));
  expect(atPhone(platform, id)?.callId).toBe(id);
  expect(atCarrier(platform, id)).toHaveLength(1);
  const { body } = await account.admin.client.list('/calls', undefined, { page: '1' });
  expect(body.data.map((call: { id: string }) => call.id)).toEqual([id]);
  expect(new URL(ended.record_url).pathname).toBe(`/api/v1/recordings/${id}`);
});

test('CALL-12 CALL-14 responds first, then rings the softphone, then the destination', async () => {
  const { id } = talked;
  const [phone, [carrier]] = [atPhone(platform, id), atCarrier(platform, id)];
  expect(phone?.answeredAtMs).toBeGreaterThanOrEqual(phone?.invitedAtMs ?? Number.NaN);
  expect(carrier?.invitedAtMs).toBeGreaterThanOrEqual(phone?.answeredAtMs ?? Number.NaN);

  const account = await platform.addAccount();
  const line = await platform.addLine(account, { phone: { answerAfterSeconds: 4 } });
  const late = await line.call(numberEnding('16'));
  const answeredAtMs = Date.now();
  const rung = await whenPhoneRings(platform, late);
  expect(rung.answeredAtMs).toBeUndefined();
  expect(atCarrier(platform, late)).toEqual([]);
  const dialled = await whenCarrierRings(platform, late);
  const answered = await until(() => atPhone(platform, late)?.answeredAtMs, 'the softphone has answered');
  expect(answered).toBeGreaterThan(answeredAtMs);
  expect(dialled.invitedAtMs).toBeGreaterThanOrEqual(answered);
  await account.admin.client.post(`/calls/${late}/hangup`);
  await whenCall(account, late, 'ended');
});

test('CALL-14 CALL-28 EXT-09 each side hears the other, and the recording has both', async () => {
  const { id, ended } = talked;
  const { simulator } = platform.engines;
  const { audio, headers } = await untilStored(ended.record_url);
  expect(headers['content-type']).toBe('audio/wav');
  const recording = await decodeSound(audio);
  for (const [side, hertz] of [
    ['carrier', 440],
    ['phone', 1_000],
  ] as const) {
    const heard = secondsOfTone(await readClosedWav(simulator.heard(id, side)), hertz);
    expect(heard, side).toBeGreaterThan(2);
    const recorded = secondsOfTone(recording, hertz, 0.2);
    expect(recorded, side).toBeGreaterThan(2);
    // A recording without its last block would have half of what the party heard: about 2 of 4 s. On a busy machine both
    // have less than the duration of the call, because parties without CPU time send and receive nothing.
    expect(recorded / heard, side).toBeGreaterThan(0.6);
  }
  expect(durationSeconds(recording)).toBeLessThan(ended.duration + 1);
});

test('CALL-26 duration is the time from the destination’s answer to the end, rounded up', async () => {
  const { id, ended } = talked;
  const [carrier] = atCarrier(platform, id);
  const talkedSeconds = ((carrier?.endedAtMs ?? 0) - (carrier?.answeredAtMs ?? 0)) / 1000;
  expect(ended.duration).toBeGreaterThanOrEqual(Math.floor(talkedSeconds));
  expect(ended.duration).toBeLessThanOrEqual(Math.ceil(talkedSeconds) + 1);
  const shownSeconds = (Date.parse(ended.ended_at) - Date.parse(ended.answered_at)) / 1000;
  expect(ended.duration).toBe(Math.ceil(shownSeconds));
});

test('EXT-09 CALL-28 a call of an extension without recording has no file and no link', async () => {
  const account = await platform.addAccount();
  const line = await platform.addLine(account, { phone: { hangUpAfterSeconds: 5 } });
  const id = await line.call(numberEnding('16'));
  const ended = await whenCall(account, id, 'ended');
  expect(ended.duration).toBeGreaterThan(0);
  expect(ended.record_url).toBeNull();
  expect(await platform.database.query('select from recordings where call_id = $1', [id])).toEqual([]);
});

test('EXT-09 an unanswered call of a recorded extension has no recording', async () => {
  const account = await platform.addAccount();
  const line = await platform.addLine(account, { extension: { gravar_audio: 1 } });
  const id = await line.call(numberEnding('17'));
  expect((await whenCall(account, id, 'ended')).record_url).toBeNull();
});

test('CALL-10 CALL-35 lists a call in every state, with ended_at and prices null until its end', async () => {
  const account = await platform.addAccount();
  const { client } = account.admin;
  const [silent, prompt] = await Promise.all([
    platform.addLine(account, { phone: { behaviour: 'ring' } }),
    // Long enough for ringing to be reported before the answer.
    platform.addLine(account, { phone: { answerAfterSeconds: 1 } }),
  ]);
  const ids = {
    ringing: await silent.call(numberEnding('16')),
    dialing: await prompt.call(numberEnding('19')),
    answered: await prompt.call(numberEnding('16')),
  };
  for (const [status, id] of Object.entries(ids)) {
    await whenCall(account, id, status);
    const { body } = await client.list('/calls', { where: { id } }, { page: '1' });
    expect(body.data[0], status).toMatchObject({
      status,
      ended_at: null,
      hangup_cause: null,
      ended_by: null,
      duration: 0,
      minute_price: null,
      call_price: null,
      record_url: null,
      answered_at: status === 'answered' ? time : null,
    });
  }
  for (const id of Object.values(ids)) await client.post(`/calls/${id}/hangup`);
  const ended = await Promise.all(Object.values(ids).map((id) => whenCall(account, id, 'ended')));
  for (const call of ended) expect(call).toMatchObject({ ended_at: time, call_price: expect.any(Number) });
  const steps = ended[2]?.timeline.map(({ what }: { what: string }) => what);
  expect(steps).toEqual(['queued', 'ringing', 'dialing', 'answered', 'ended']);
});

test('CALL-10 a call that no media node claims stays queued, then ends without being dialled', async () => {
  const account = await platform.addAccount();
  const line = await platform.addLine(account);
  await platform.stopVoice();
  const id = await line.call(numberEnding('16'));
  const { body } = await account.admin.client.list('/calls', { where: { id } }, { page: '1' });
  expect(body.data[0]).toMatchObject({ status: 'queued', ended_at: null });
  const ended = await whenCall(account, id, 'ended');
  expect(ended).toMatchObject({
    duration: 0,
    call_price: 0,
    hangup_cause: 'NORMAL_TEMPORARY_FAILURE',
    ended_by: 'system',
  });
  await platform.startVoice();
  expect(atPhone(platform, id)).toBeUndefined();
});

// Runs last, because it moves the clock.
test('CALL-40 CALL-28 a link works once the file is stored, for exactly 15 minutes', async () => {
  const account = await platform.addAccount();
  const phone = { hangUpAfterSeconds: 5 };
  const line = await platform.addLine(account, { extension: { gravar_audio: 1 }, phone });
  await platform.stopShipping();
  const id = await line.call(numberEnding('16'));
  const { record_url: url } = await whenCall(account, id, 'ended');
  const early = await listenTo(platform, url);
  expect([early.status, early.errorCode]).toEqual([404, 'RECORDING_NOT_READY']);
  expect(Number(early.headers['retry-after'])).toBeGreaterThan(0);
  platform.startShipping();
  const { audio } = await untilStored(url);
  expect(audio.toString('latin1', 0, 4)).toBe('RIFF');

  const altered = url.replace(/.$/, (last: string) => (last === 'A' ? 'B' : 'A'));
  const otherCall = url.replace(id, talked.id);
  for (const wrong of [altered, otherCall, url.split('?')[0] ?? '']) {
    expect((await listenTo(platform, wrong)).status).toBe(404);
  }
  platform.clock.advance(15 * 60 + 1);
  const late = await listenTo(platform, url);
  expect([late.status, late.errorCode]).toEqual([410, 'RECORDING_LINK_EXPIRED']);
});
