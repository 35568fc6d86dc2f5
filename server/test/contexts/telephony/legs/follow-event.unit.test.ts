import { expect, test } from 'vitest';
import type { LiveCall, MoveCall } from '../../../../src/contexts/calls/index.ts';
import { followEvent } from '../../../../src/contexts/telephony/legs/follow-event.ts';
import { createFollowedCalls } from '../../../../src/contexts/telephony/legs/followed-calls.ts';
import type { Control } from '../../../../src/contexts/telephony/nodes/control.ts';
import { createNodeClock } from '../../../../src/contexts/telephony/nodes/node-clock.ts';

const callId = '01a1eee0-ac62-7c88-9358-f303a0d9f2cb';

/** A node whose clock was read once, and then set. */
function openNode(setMs: number) {
  const readings: number[] = [];
  const written: { to: string; offMs: number }[] = [];
  const calls = createFollowedCalls(
    () => false,
    () => undefined,
  );
  calls.add({ callId, kind: 'click', order: {}, fundedSeconds: 60 } as LiveCall, new Date());
  const clock = createNodeClock(() => new Date());
  clock.note(Date.now() / 1000, Date.now(), Date.now());
  const nodeSeconds = (): number => (Date.now() + setMs) / 1000;
  const moveCall: MoveCall = async (moves) => {
    for (const { to, at } of moves) written.push({ to, offMs: Math.abs(Date.now() - at.getTime()) });
    return true;
  };
  const control = {
    calls,
    clock,
    moveCall,
    trunkTests: new Set(),
    deps: {
      clock: { now: () => new Date() },
      observer: { callStepped: () => undefined },
      publishProgress: () => undefined,
    },
    node: {
      readClock: async () => {
        readings.push(Date.now());
        return nodeSeconds();
      },
    },
  } as unknown as Control;
  return { control, calls, written, readings, nodeSeconds };
}

test.each([90_000, -90_000])(
  'CALL-26 steps that arrive right after the clock of the node is set by %i ms have our time',
  async (setMs) => {
    const { control, calls, written, nodeSeconds } = openNode(setMs);
    followEvent(control, { kind: 'ringing', callId, onNode: nodeSeconds() });
    followEvent(control, { kind: 'answered', callId, onNode: nodeSeconds() });
    await calls.idle();
    expect(written.map(({ to }) => to)).toEqual(['ringing', 'answered']);
    for (const { offMs } of written) expect(offMs).toBeLessThan(1_000);
  },
);

test('the clock of the node is not read again for an event with a plausible time', async () => {
  const { control, calls, written, readings, nodeSeconds } = openNode(300);
  followEvent(control, { kind: 'ringing', callId, onNode: nodeSeconds() });
  await calls.idle();
  expect(written).toHaveLength(1);
  expect(readings).toEqual([]);
});
