import { expect, test } from 'vitest';
import { runRolling } from './rolling.ts';

test('a rolling restart under load fails no request, drops no call and delivers every webhook', async () => {
  const report = await runRolling({ seconds: 20, rate: 5 });
  expect(report.faults).toEqual([]);
  expect(report.restarts).toHaveLength(8);
  expect(report.placed.length).toBeGreaterThan(50);
}, 240_000);
