import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { assignNumber, freshNumber, whenListed } from '../../harness/fixtures/dialled-calls.ts';
import type { TestAccount } from '../../harness/people.ts';
import { until } from '../../harness/until.ts';
import { numberEnding } from '../../harness/voice/lines.ts';
import {
  type Line,
  startVoicePlatform,
  type VoicePlatform,
  whenCall,
} from '../../harness/voice/voice-platform.ts';
import { audioOf, type Firewall, type LegAudio, openFirewall } from './firewall.ts';

/** The bound of AUDIO-10, and what a busy machine may add: delayed readings and statements. */
const boundMs = 5_000;
const loadMs = 5_000;
const healthyMs = 12_000;

interface Moment {
  at: string;
  what: string;
  from?: string;
  reason?: string;
}

let platform: VoicePlatform;
let account: TestAccount;
let line: Line;
let firewall: Firewall;

beforeAll(async () => {
  platform = await startVoicePlatform({ engines: { rtpTimeoutSeconds: 120, partyRtpTimeoutSeconds: 120 } });
  account = await platform.addAccount();
  line = await platform.addLine(account, { phone: { behaviour: 'tone' } });
  firewall = await openFirewall();
});
afterEach(() => firewall?.clear());
afterAll(async () => {
  await firewall?.close();
  await platform?.close();
});

const audioMoments = async (id: string): Promise<Moment[]> => {
  const { body } = await account.admin.client.get(`/calls/${id}`);
  return (body.timeline as Moment[]).filter(({ what }) => what.startsWith('audio_'));
};
const whenReported = (id: string, expected: Partial<Moment>): Promise<Moment> =>
  until(
    async () => (await audioMoments(id)).find(({ what }) => what === expected.what),
    `the timeline says ${expected.what}`,
  );

/** Places a call to a steady tone, and returns its id with the audio addresses of its legs. */
async function placeCall(): Promise<{ id: string; legs: Record<'extension' | 'destination', LegAudio> }> {
  const id = await line.call(numberEnding('95'));
  await whenCall(account, id, 'answered');
  const [extension, destination] = await audioOf({ nodes: [platform.engines.node] }, id);
  if (!extension || !destination) throw new Error('The legs of the call were not found.');
  return { id, legs: { extension, destination } };
}

async function hangUp(id: string): Promise<void> {
  await account.admin.client.post(`/calls/${id}/hangup`);
  await whenCall(account, id, 'ended');
}

async function counted(from: string, reason: string): Promise<number> {
  const line = new RegExp(
    `^disca_call_audio_missing_total\\{.*from="${from}",reason="${reason}".*\\} (\\d+)$`,
    'm',
  );
  return Number(line.exec(await platform.api.base.metrics.text())?.[1] ?? 0);
}

for (const from of ['extension', 'destination'] as const) {
  test(`AUDIO-10 AUDIO-13 audio lost from the ${from} is reported within 5 s, and its return`, async () => {
    const before = await counted(from, 'no_packets');
    const { id, legs } = await placeCall();
    const lostAtMs = Date.now();
    await firewall.fromParty(legs[from], 'drop');
    const missing = await whenReported(id, { what: 'audio_missing' });
    expect(Date.parse(missing.at) - lostAtMs).toBeLessThan(boundMs + loadMs);
    await firewall.clear();
    const returned = await whenReported(id, { what: 'audio_returned' });
    // A second loss is not reported again.
    await firewall.fromParty(legs[from], 'drop');
    await sleep(boundMs + loadMs);
    await hangUp(id);
    expect(await audioMoments(id)).toEqual([
      { at: missing.at, what: 'audio_missing', from, reason: 'no_packets' },
      { at: returned.at, what: 'audio_returned', from },
    ]);
    expect(await counted(from, 'no_packets')).toBe(before + 1);
  });

  test(`AUDIO-11 packets of the ${from} that the engine cannot decode are reported`, async () => {
    const { id, legs } = await placeCall();
    // Payload type 9, G.722, which was not negotiated.
    await firewall.fromParty(legs[from], '@th,72,8 set 9');
    const { at } = await whenReported(id, { what: 'audio_missing' });
    await hangUp(id);
    expect(await audioMoments(id)).toEqual([{ at, what: 'audio_missing', from, reason: 'undecodable' }]);
  });
}

test('AUDIO-12 healthy calls of every kind have no entry about audio', async () => {
  const { simulator, node } = platform.engines;
  const callee = await platform.addLine(account, { phone: { behaviour: 'tone' } });
  const called = await platform.addLine(account, { phone: { behaviour: 'tone' } });
  const number = freshNumber();
  await assignNumber(platform, account, number);
  await account.admin.client.patch('/extensions', { id: called.id, bina: number });
  const clicked = await placeCall();
  const dialled = await Promise.all([
    callee.phone.dial(numberEnding('95')),
    simulator.callFromCarrier({ to: `+${number}`, from: numberEnding('95'), node: node.sipAddress }),
  ]);
  await Promise.all(dialled.map((each) => each.answered()));
  const inbound = await whenListed(account, { to: number });
  const outbound = await whenListed(account, { from: callee.ramal });
  await sleep(healthyMs);
  for (const { id } of [clicked, inbound, outbound]) {
    expect(await audioMoments(id)).toEqual([]);
    await hangUp(id);
  }
});
