import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { numberEvents } from '../../harness/fixtures/events.ts';
import type { TestAccount } from '../../harness/people.ts';
import { until } from '../../harness/until.ts';
import { atPhone, numberEnding } from '../../harness/voice/lines.ts';
import {
  type Line,
  startVoicePlatform,
  type VoicePlatform,
  whenCall,
} from '../../harness/voice/voice-platform.ts';
import { audioOf, type Firewall, type LegAudio, openFirewall } from './firewall.ts';

/** Interval at which both sides report loss. */
const reportMs = 5_000;
/** Three reports of loss. */
const talkMs = 16_500;
/** From the last report on, for this long the next one is not due, also on a busy machine. */
const betweenReportsMs = [1_500, 3_500] as const;

let platform: VoicePlatform;
let account: TestAccount;
let firewall: Firewall;
beforeAll(async () => {
  platform = await startVoicePlatform({ engines: { rtpTimeoutSeconds: 120, partyRtpTimeoutSeconds: 120 } });
  account = await platform.addAccount();
  firewall = await openFirewall();
});
afterAll(async () => {
  await firewall?.close();
  await platform?.close();
});

const addLine = (behaviour: 'tone' | 'silent'): Promise<Line> =>
  platform.addLine(account, { phone: { behaviour } });

/** Waits until it is certain how many reports the node has sent in the leg of the extension. */
async function whenBetweenReports(id: string): Promise<void> {
  const answeredAtMs = atPhone(platform, id)?.answeredAtMs;
  if (answeredAtMs === undefined) throw new Error('The extension has not answered.');
  const [fromMs, toMs] = betweenReportsMs;
  await until(() => {
    const sinceReportMs = (Date.now() - answeredAtMs) % reportMs;
    return sinceReportMs > fromMs && sinceReportMs < toMs;
  }, 'the last report was sent and the next one is not due');
}

async function placeCall(
  line: Line,
): Promise<{ id: string; legs: Record<'extension' | 'destination', LegAudio> }> {
  const id = await line.call(numberEnding('95'));
  await whenCall(account, id, 'answered');
  const [extension, destination] = await audioOf({ nodes: [platform.engines.node] }, id);
  if (!extension || !destination) throw new Error('The legs of the call were not found.');
  return { id, legs: { extension, destination } };
}

const found = async (quality: unknown): Promise<string[]> => {
  const { body } = await account.admin.client.list('/calls', { where: { quality } }, { page: '1' });
  return body.data.map(({ id }: { id: string }) => id);
};

const good = { verdict: 'good', issue: null };
const packets = expect.any(Number);

test('QUALITY-01 QUALITY-02 QUALITY-03 QUALITY-04 QUALITY-05 QUALITY-06 distinguishes loss and a silent party', async () => {
  const [first, silent, ...others] = await Promise.all([
    addLine('tone'),
    addLine('silent'),
    addLine('tone'),
    addLine('tone'),
  ]);
  const lossy = await placeCall(first);
  await firewall.fromParty(lossy.legs.extension, 'numgen inc mod 20 < 1 counter drop');
  const [muted, late, healthy] = await Promise.all([
    placeCall(silent),
    placeCall(others[0]),
    placeCall(others[1]),
  ]);
  // The destination falls silent in the call.
  await firewall.fromParty(late.legs.destination, 'drop');
  const unanswered = await (await addLine('tone')).call(numberEnding('17'));
  await sleep(talkMs);
  await whenBetweenReports(lossy.id);
  // Either leg may end first.
  await platform.engines.simulator.hangUpPhone(lossy.id);
  await platform.engines.simulator.hangUpCarrier(muted.id);
  await account.admin.client.post(`/calls/${late.id}/hangup`);
  const loss = await whenCall(account, lossy.id, 'ended');
  expect(loss).toMatchObject({
    quality: 'fair',
    leg_quality: {
      extension: { verdict: 'fair', issue: 'loss', sent_loss_percent: 0, codec: 'alaw' },
      // The destination reports the packets that were lost before the media node too.
      destination: { ...good, received_loss_percent: 0, sent_loss_percent: 0, received_packets: packets },
    },
  });
  const { extension, destination } = loss.leg_quality;
  const dropped = await firewall.counted();
  const lossPercent = (dropped * 100) / (extension.received_packets + dropped);
  expect(extension.received_loss_percent).toBeGreaterThan(lossPercent - 1);
  expect(extension.received_loss_percent).toBeLessThan(lossPercent + 1);
  expect(extension.mos).toBeLessThan(4.1);
  expect(destination.mos).toBeGreaterThan(4.1);
  expect(destination.received_packets).toBeGreaterThan(500);
  for (const { round_trip_ms: ms, received_jitter_ms: jitter } of [extension, destination]) {
    expect(ms).toBeGreaterThanOrEqual(0);
    expect(jitter).toBeGreaterThanOrEqual(0);
  }
  expect(loss.timeline.map(({ what }: { what: string }) => what)).not.toContain('audio_missing');

  const silence = await whenCall(account, muted.id, 'ended');
  expect(silence).toMatchObject({
    quality: 'one_way',
    leg_quality: {
      extension: {
        verdict: 'no_audio',
        issue: null,
        mos: null,
        received_packets: 0,
        received_loss_percent: null,
      },
      destination: good,
    },
  });
  expect(silence.timeline).toContainEqual(
    expect.objectContaining({ what: 'audio_missing', from: 'extension', reason: 'no_packets' }),
  );

  const fallen = await whenCall(account, late.id, 'ended');
  expect(fallen).toMatchObject({
    quality: 'one_way',
    leg_quality: { extension: good, destination: { verdict: 'no_audio', issue: null } },
  });
  expect(fallen.leg_quality.destination.received_packets).toBeGreaterThan(0);

  // The engine's record is enough, without the controller that followed the call.
  await platform.stopVoice();
  await platform.engines.simulator.hangUpPhone(healthy.id);
  await sleep(500);
  await platform.startVoice();
  const kept = await whenCall(account, healthy.id, 'ended');
  expect(kept).toMatchObject({ quality: 'good', leg_quality: { extension: good } });

  const refused = await whenCall(account, unanswered, 'ended');
  expect(refused).toMatchObject({ quality: null, leg_quality: null });
  expect(await found('one_way')).toEqual([late.id, muted.id].toSorted().toReversed());
  expect(await found({ inq: ['good', 'fair'] })).toEqual([healthy.id, lossy.id].toSorted().toReversed());
  expect(await found({ exists: false })).toEqual([refused.id]);
  await expectInExport(lossy.id, 'fair');
  await expectNotInEvents(lossy.id);
});

async function expectInExport(id: string, quality: string): Promise<void> {
  const filter = encodeURIComponent(JSON.stringify({ where: { quality } }));
  const [header = '', row = ''] = (
    await account.admin.client.get(`/calls/export?filter=${filter}`)
  ).text.split('\r\n');
  expect(header.split(',').at(-1)).toBe('quality');
  expect([row.split(',')[0], row.split(',').at(-1)]).toEqual([id, quality]);
}

async function expectNotInEvents(id: string): Promise<void> {
  await numberEvents(platform);
  const { body, text } = await account.admin.client.get('/events');
  const ended = body.data.filter(({ type }: { type: string }) => type === 'channel-hangup');
  expect(ended.map(({ data }: { data: { id: string } }) => data.id)).toContain(id);
  expect(text).not.toContain('quality');
}
