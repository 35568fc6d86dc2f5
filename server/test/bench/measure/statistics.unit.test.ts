import { expect, test } from 'vitest';
import { estimate, median } from '../../../bench/measure/statistics.ts';

/** A fixed sequence of pseudo-random values. */
const sequence = (): (() => number) => {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
};

test('returns the middle value, or the mean of both middle values', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
  expect(median([7])).toBe(7);
  expect(median([])).toBeNaN();
});

test('estimates the median with an interval that contains it and excludes outliers', () => {
  const ratios = [0.97, 1.01, 0.99, 1.0, 1.02, 0.98, 1.01, 1.0, 5];
  const { median: middle, low, high, count } = estimate(ratios, sequence());
  expect(middle).toBe(1);
  expect(count).toBe(9);
  expect(low).toBeGreaterThanOrEqual(0.97);
  expect(low).toBeLessThan(1);
  expect(high).toBeGreaterThan(1);
  expect(high).toBeLessThan(1.1);
});

test('has an interval without width for equal ratios', () => {
  expect(estimate([0.8, 0.8, 0.8], sequence())).toEqual({ median: 0.8, low: 0.8, high: 0.8, count: 3 });
});
