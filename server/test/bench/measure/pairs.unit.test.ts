import { expect, test } from 'vitest';
import { type Block, type Side, watch } from '../../../bench/measure/blocks.ts';
import type { Calibration } from '../../../bench/measure/calibration.ts';
import {
  comparePairs,
  deriveCapacity,
  estimateRatio,
  medianCosts,
  type Pair,
  usablePairs,
} from '../../../bench/measure/pairs.ts';

const block = (side: string, changes: Partial<Block> = {}): Block => ({
  side,
  units: 10,
  costs: new Map([['api', 2]]),
  costMs: 2,
  values: {},
  steal: 0,
  calibrationMs: 50,
  ...changes,
});
const pair = (a: Partial<Block> = {}, b: Partial<Block> = {}): Pair => ({
  a: block('a', a),
  b: block('b', b),
});
const calibration = (ms = [50]): Calibration => {
  let count = 0;
  return {
    postgres: 1,
    usualMs: 50,
    take: async () => ms[count++ % ms.length] ?? 50,
    close: async () => undefined,
  };
};

test('drops pairs with a block with more than 2 % steal', () => {
  const good = pair({ steal: 0.02 });
  expect(usablePairs([good, pair({ steal: 0.021 }), pair({}, { steal: 0.5 })])).toEqual([good]);
});

test('drops pairs whose blocks were measured at different speeds', () => {
  const good = [pair(), pair({ calibrationMs: 55 }), pair({ calibrationMs: 90 }, { calibrationMs: 80 })];
  expect(usablePairs([...good, pair({}, { calibrationMs: 70 })])).toEqual(good);
});

test('estimates the median of paired ratios', () => {
  const pairs = [
    pair({ costMs: 3 }, { costMs: 2 }),
    pair({ costMs: 6 }, { costMs: 4 }),
    pair({ costMs: 9 }, { costMs: 1 }),
  ];
  expect(estimateRatio(pairs, ({ costMs }) => costMs).median).toBe(1.5);
});

test('alternates the order of the sides and measures dropped pairs again', async () => {
  const order: string[] = [];
  const side = (name: string): Side => ({
    name,
    watched: [watch('self', process)],
    load: async () => {
      order.push(name);
      return { units: 1 };
    },
  });
  // The third block is measured on a machine that is twice as slow.
  const slow = calibration([...Array(8).fill(50), 50, 100, ...Array(30).fill(50)]);
  const result = await comparePairs(side('a'), side('b'), { pairs: 3, idleMs: 1, calibration: slow });
  expect(order.slice(0, 6)).toEqual(['a', 'b', 'b', 'a', 'a', 'b']);
  // Steal of the machine that runs this test may drop further pairs.
  expect(result.dropped).toBeGreaterThanOrEqual(1);
  expect(result.isComplete).toBe(result.pairs.length >= 3);
  expect(order.length).toBe(2 * (result.pairs.length + result.dropped));
});

test('gives up after twice the required pairs', async () => {
  const side = (name: string): Side => ({ name, watched: [], load: async () => ({ units: 1 }) });
  const varying = calibration([10, 10, 10, 100]);
  const result = await comparePairs(side('a'), side('b'), { pairs: 2, idleMs: 1, calibration: varying });
  expect(result).toMatchObject({ pairs: [], dropped: 4, isComplete: false });
});

test('returns the median cost of each process and the capacity of one CPU', () => {
  const costs = [1, 9, 2].map((ms) => block('a', { costs: new Map([['api', ms]]) }));
  expect(medianCosts(costs)).toEqual(new Map([['api', 2]]));
  expect(
    deriveCapacity(
      20,
      new Map([
        ['api', 60],
        ['worker', 40],
      ]),
    ),
  ).toBe(45);
});
