import { expect, test } from 'vitest';
import { runRolling } from './rolling.ts';

test('every process is restarted while calls are placed: no request fails, no call is dropped, and all is told', async () => {
  const report = await runRolling({ seconds: 20, rate: 5 });
  expect(report.faults).toEqual([]);
  expect(report.restarts).toHaveLength(8);
  expect(report.placed.length).toBeGreaterThan(50);
}, 240_000);
