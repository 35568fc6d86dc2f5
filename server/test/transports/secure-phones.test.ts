import { afterAll, beforeAll, expect, test } from 'vitest';
import { asText, edgePlace } from '../../../tools/dev/voice/cell.ts';
import type { TestAccount } from '../harness/people.ts';
import { atPhone, numberEnding, whenPhoneRings, whenReleased } from '../voice/harness/scene.ts';
import { readClosedWav, secondsOfTone } from '../voice/harness/tones.ts';
import { startVoicePlatform, until, type VoicePlatform, whenCall } from '../voice/harness/voice-platform.ts';

let platform: VoicePlatform;
let account: TestAccount;

beforeAll(async () => {
  platform = await startVoicePlatform();
  account = await platform.addAccount();
});
afterAll(() => platform?.close());

const overTls = () => ({ transport: 'tls' as const, edge: asText(edgePlace(platform.engines.cell).tls) });

test('a phone over TLS talks encrypted, and both sides hear each other', async () => {
  const { simulator } = platform.engines;
  const line = await platform.addLine(account, { phone: { behaviour: 'tone', ...overTls() } });
  const callId = await line.call(numberEnding('95'));
  await whenCall(account, callId, 'answered');
  await until(async () => (await encryptedLegs()) > 0, 'a leg is encrypted');
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  await simulator.hangUpPhone(callId);
  await whenReleased(platform, callId);
  const byPhone = await readClosedWav(simulator.heard(callId, 'phone'));
  const byCarrier = await readClosedWav(simulator.heard(callId, 'carrier'));
  expect(secondsOfTone(byPhone, 1_000)).toBeGreaterThan(1);
  expect(secondsOfTone(byCarrier, 440)).toBeGreaterThan(1);
});

/** Legs of the node whose audio the engine says is encrypted. */
async function encryptedLegs(): Promise<number> {
  const { body } = await platform.engines.node.ask('GET', '/channels');
  let found = 0;
  for (const { id } of body as { id: string }[]) {
    const asked = `/channels/${id}/variable?variable=${encodeURIComponent('CHANNEL(rtp,secure)')}`;
    const { body: answer } = await platform.engines.node.ask('GET', asked);
    if ((answer as { value?: string }).value === '1') found += 1;
  }
  return found;
}

test('a phone over TLS that would talk in the clear is refused', async () => {
  const line = await platform.addLine(account, { phone: { behaviour: 'tone', ...overTls(), srtp: false } });
  const callId = await line.call(numberEnding('95'));
  const ended = await whenCall(account, callId, 'ended');
  expect(ended.duration).toBe(0);
  expect(atPhone(platform, callId)?.answeredAtMs).toBe(undefined);
});

test('plain phones ring beside them', async () => {
  const line = await platform.addLine(account);
  const callId = await line.call(numberEnding('16'));
  await whenPhoneRings(platform, callId);
  await whenCall(account, callId, 'answered');
});
