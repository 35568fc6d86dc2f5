import { expect, test } from 'vitest';
import { measureBlock, measureIdle, watch } from '../../../bench/measure/blocks.ts';

const self = [watch('self', process)];
const calibration = { postgres: 1, usualMs: 50, take: async () => 50, close: async () => undefined };

function burn(ms: number): void {
  const end = process.cpuUsage().user + ms * 1000;
  while (process.cpuUsage().user < end);
}

const side = {
  name: 'a',
  watched: self,
  load: async () => {
    burn(200);
    return { units: 10, values: { p50: 4 } };
  },
};

test('measures the CPU time per unit without the idle cost', async () => {
  const block = await measureBlock(side, new Map(), calibration);
  expect(block).toMatchObject({ side: 'a', units: 10, values: { p50: 4 }, calibrationMs: 50 });
  expect(block.costMs).toBeGreaterThanOrEqual(20);
  expect(block.costs.get('self')).toBe(block.costMs);
  // An idle cost of more than one CPU exceeds the cost of the load.
  const without = await measureBlock(side, new Map([['self', 100_000]]), calibration);
  expect(without.costMs).toBeLessThan(0);
});

test('measures the CPU time per second without load', async () => {
  const timer = setInterval(() => burn(5), 20);
  const idle = await measureIdle(self, 300, calibration);
  clearInterval(timer);
  expect(idle.get('self')).toBeGreaterThan(0);
});

test('corrects the CPU time by the speed of the CPU', async () => {
  const slow = { ...calibration, take: async () => 1_000 * calibration.usualMs };
  const { costMs } = await measureBlock(side, new Map(), slow);
  expect(costMs * 1_000).toBeGreaterThanOrEqual(20);
  expect(costMs).toBeLessThan(1);
});
