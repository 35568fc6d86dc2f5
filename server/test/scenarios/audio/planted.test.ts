import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ManyNodesDeployment, startManyNodes } from '../../harness/deployments/many-nodes.ts';
import { until } from '../../harness/until.ts';
import { bounds } from './bounds.ts';
import { audioOf, type Firewall, type LegAudio, openFirewall, redirectTo } from './firewall.ts';
import { frequencies } from './frequencies.ts';
import { type Direction, judgeCall } from './judge.ts';
import { makeSlots, type Slot } from './lines.ts';
import { placeCall } from './place.ts';
import type { PlannedCall } from './plan.ts';

const planned: PlannedCall = {
  shape: 'click-to-call',
  kind: 'udp',
  other: 'tcp',
  isRecorded: false,
  talkMs: 4_000,
  endedBy: 'caller',
  node: 0,
};

let deployment: ManyNodesDeployment;
let slots: Slot[];
let firewall: Firewall;

beforeAll(async () => {
  deployment = await startManyNodes();
  slots = await makeSlots({ deployment }, 2, ['udp', 'tcp']);
  firewall = await openFirewall();
}, 600_000);
afterEach(() => firewall?.clear());
afterAll(async () => {
  await firewall?.close();
  await deployment?.stop();
});

/** Places a call with a fault that is planted as soon as both parties are connected, and judges both directions. */
async function callWith(
  plant: (phone: LegAudio, carrier: LegAudio) => Promise<void>,
  slot = slots[0],
  tones = { caller: 700, called: 1_200 },
): Promise<[caller: Direction, called: Direction]> {
  if (!slot) throw new Error('There is no slot.');
  const onConnected = async (callId: string, answeredAtMs: number): Promise<void> => {
    const [phone, carrier] = await audioOf(deployment, callId);
    if (!phone || !carrier) throw new Error('The legs of the call were not found.');
    await plant(phone, carrier);
    // The fault has to affect most of the call, also on a machine where planting it takes seconds.
    await sleep(2 * (Date.now() - answeredAtMs));
  };
  const talked = await placeCall({
    stage: { deployment },
    slot,
    planned,
    tones,
    otherTones: () => frequencies.filter((hertz) => !Object.values(tones).includes(hertz)),
    talkOnSeconds: 5,
    onConnected,
  });
  return (await judgeCall(planned, talked)) as [Direction, Direction];
}

test('AUDIO-01 a firewall that drops one direction is found, and only that direction', async () => {
  const [caller, called] = await callWith((phone) => firewall.toParty(phone, 'drop'));
  expect(caller.isSilent).toBe(true);
  expect(called.isSilent).toBe(false);
});

test('AUDIO-01 a wrong codec is found', async () => {
  // Exchanges the payload types of A-law and µ-law in the second byte of RTP.
  const [caller, called] = await callWith((phone) => firewall.toParty(phone, '@th,72,8 set @th,72,8 ^ 8'));
  expect(caller.isDistorted).toBe(true);
  expect(called).toMatchObject({ isDistorted: false, isSilent: false });
});

test('AUDIO-02 swapped ports of two calls are found as foreign audio', async () => {
  const phones: LegAudio[] = [];
  let isPlanted = false;
  const swap = async (phone: LegAudio): Promise<void> => {
    phones.push(phone);
    const [one, two] = phones;
    if (one && two) {
      await firewall.toParty(one, redirectTo(two));
      await firewall.toParty(two, redirectTo(one));
      isPlanted = true;
    }
    await until(() => isPlanted, 'both calls are connected');
  };
  const [[first], [second]] = await Promise.all([
    callWith(swap, slots[0], { caller: 700, called: 1_200 }),
    callWith(swap, slots[1], { caller: 1_700, called: 2_200 }),
  ]);
  expect([first.isSilent, second.isSilent]).toEqual([true, true]);
  // The phone whose new stream has lower sequence numbers drops it as late, so only one of them may hear the other call.
  const heard = [...first.foreignHertz, ...second.foreignHertz];
  expect(heard.length).toBeGreaterThan(0);
  expect([2_200, 1_200]).toEqual(expect.arrayContaining(heard));
});

// Six packets in a row of every 120. A random loss among the 200 packets of a call is sometimes below the bound, and
// MixMonitor of the phone waits 40 ms before it writes silence, which may hide the first packet of each gap.
test('AUDIO-04 a loss of 5 % of the packets is found', async () => {
  const [caller] = await callWith((phone) => firewall.toParty(phone, 'numgen inc mod 120 < 6 drop'));
  expect(caller.isSilent).toBe(false);
  expect(caller.missingShare).toBeGreaterThan(bounds.missingShare);
});
