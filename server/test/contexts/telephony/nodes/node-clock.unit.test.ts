import { expect, test } from 'vitest';
import { correctEnd } from '../../../../src/contexts/calls/lifecycle/end.rules.ts';
import { talkedSeconds } from '../../../../src/contexts/telephony/legs/talked-seconds.ts';
import { createNodeClock } from '../../../../src/contexts/telephony/nodes/node-clock.ts';

const start = Date.parse('2026-11-18T09:00:00Z');

/** A node that is read twice per second, with round trips between 1 and 40 ms. */
function openClock(initialSkewMs: number) {
  let [now, skewMs] = [start, initialSkewMs];
  const clock = createNodeClock(() => new Date(now));
  return {
    clock,
    set: (ms: number) => {
      skewMs = ms;
    },
    onNode: () => (now + skewMs) / 1000,
    now: () => now,
    read(count: number, tripMs = (index: number) => 1 + ((index * 7) % 40)) {
      for (let index = 0; index < count; index += 1) {
        const sentAtMs = now;
        const trip = tripMs(index);
        now += 500;
        clock.note((sentAtMs + trip / 2 + skewMs) / 1000, sentAtMs, sentAtMs + trip);
      }
    },
  };
}

test.each([90_000, -90_000, 3_000])(
  'CALL-26 a clock that is set by %i ms is followed from the next reading on',
  (stepMs) => {
    const node = openClock(250);
    node.read(60);
    expect(node.clock.skewMs()).toBeCloseTo(250, 0);
    node.set(250 + stepMs);
    node.read(1, () => 40);
    expect(node.clock.skewMs()).toBeCloseTo(250 + stepMs, 0);
    expect(node.clock.toOurs(node.onNode()).getTime()).toBeCloseTo(node.now(), -1);
  },
);

test('a slow reading does not replace precise ones', () => {
  const node = openClock(0);
  node.read(10);
  // The node took the reading at the end of a round trip of 900 ms.
  node.clock.note((node.now() + 900) / 1000, node.now(), node.now() + 900);
  expect(Math.abs(node.clock.skewMs())).toBeLessThan(1);
});

test('CALL-26 an event is not in the future if the clock was set since the last reading', () => {
  const node = openClock(0);
  node.read(10);
  node.set(90_000);
  expect(node.clock.toOurs(node.onNode()).getTime()).toBe(node.now());
  node.set(300);
  expect(node.clock.toOurs(node.onNode()).getTime()).toBe(node.now() + 300);
});

test('CALL-26 LEDGER-06 the talk time of a call during which the clock is set is that on our clock', () => {
  const answeredAt = new Date(start);
  const reportedAt = new Date(start + 3_000);
  const details = { cause: 16, sipStatus: null, dialStatus: 'ANSWER', endedBy: 'extension' } as const;
  const talked = (endedOnNode: number): number => {
    const end = correctEnd({ answeredAt }, { ...details, answeredOnNode: 1_000, endedOnNode }, reportedAt);
    return end.endedOnNode - 1_000;
  };
  expect([talked(1_093), talked(913)]).toEqual([3, 3]);
  // Within the precision of the two clocks, the node's is used.
  expect(talked(1_003.7)).toBeCloseTo(3.7);
  expect([talkedSeconds(125, 35), talkedSeconds(-55, 35), talkedSeconds(34.4, 35)]).toEqual([35, 35, 34.4]);
});
