import { expect, test } from 'vitest';
import { runRolling } from './rolling.ts';

test('a rolling restart under load fails no request, drops no call and delivers every webhook', async () => {
  const report = await runRolling({ seconds: 30, rate: 2 });
  expect(report.faults).toEqual([]);
  expect(report.restarts).toHaveLength(8);
  expect(report.placed.length).toBeGreaterThan(50);
}, 1_200_000);
