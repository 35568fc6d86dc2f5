import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../harness/until.ts';
import { readWav, secondsOfTone } from '../../harness/voice/tones.ts';
import { startVoicePlatform, type VoicePlatform, whenCall } from '../../harness/voice/voice-platform.ts';

/** Hertz of the tones that simulated phones and the carrier play. */
const tones = { phone: 440, carrier: 1_000 };
/** Forwarding starts and ends in each call; in two calls one silent direction is almost certain. */
const callCount = 2;

let platform: VoicePlatform;

beforeAll(async () => {
  platform = await startVoicePlatform();
});
afterAll(() => platform?.close());

const hearMore = async (callId: string): Promise<void> => {
  const { simulator } = platform.engines;
  const heard = (): [number, number] => [
    secondsOfTone(readWav(simulator.heard(callId, 'phone')), tones.carrier),
    secondsOfTone(readWav(simulator.heard(callId, 'carrier')), tones.phone),
  ];
  const target = heard().map((seconds) => seconds + 2);
  await until(() => heard().every((seconds, side) => seconds >= Number(target[side])), 'both hear more');
};

/**
 * If the node forwarded RTP packets unchanged, a party would receive another SSRC and other sequence numbers from then
 * on. Receivers that treat these as late packets of the first stream drop them: about every second call is then silent
 * in one direction. This happens when forwarding starts after the first packet of a call, here after a snoop has ended.
 */
test('bug: CALL-14 each party receives one RTP stream from the answer to the end, with audio both ways', async () => {
  const { node, simulator } = platform.engines;
  const account = await platform.addAccount();
  const line = await platform.addLine(account, { phone: { behaviour: 'tone' } });
  for (let call = 0; call < callCount; call += 1) {
    const callId = await line.call('5511900000195');
    await whenCall(account, callId, 'answered');
    await hearMore(callId);
    const snoop = await node.ask('POST', `/channels/${callId}.a/snoop?spy=both&app=control`);
    expect(snoop.status, JSON.stringify(snoop.body)).toBe(200);
    await hearMore(callId);
    await node.ask('DELETE', `/channels/${(snoop.body as { id: string }).id}`);
    await hearMore(callId);
    await simulator.hangUpPhone(callId);
    await whenCall(account, callId, 'ended');
  }
}, 600_000);
