import { expect, test } from 'vitest';
import { isComparisonDue } from '../../../../src/contexts/telephony/nodes/comparison.rules.ts';
import { secondsAfter } from '../../../../src/platform/time.ts';

const start = new Date('2026-01-01T00:00:00Z');
const at = (seconds: number) => secondsAfter(start, seconds);

/** Asks every 5 s, as the controller does; returns the seconds at which channels were compared. */
function compared(untilSeconds: number, doubts: number[], isPossible = (_seconds: number) => true): number[] {
  const state = { comparedAt: new Date(0), doubtedAt: start };
  const seconds = Array.from({ length: untilSeconds / 5 + 1 }, (_, index) => index * 5);
  return seconds.filter((second) => {
    if (doubts.includes(second)) state.doubtedAt = at(second);
    if (!isComparisonDue(state, at(second)) || !isPossible(second)) return false;
    state.comparedAt = at(second);
    return true;
  });
}

test('a node without doubts is compared once per minute after the first 15 s', () => {
  expect(compared(615, [])).toEqual([0, 5, 10, 15, 75, 135, 195, 255, 315, 375, 435, 495, 555, 615]);
});

test('a doubt is compared until 15 s after it, and longer while the engine does not respond', () => {
  expect(compared(60, [30])).toEqual([0, 5, 10, 15, 30, 35, 40, 45]);
  expect(compared(60, [30], (second) => second < 30 || second > 50)).toEqual([0, 5, 10, 15, 55]);
});
