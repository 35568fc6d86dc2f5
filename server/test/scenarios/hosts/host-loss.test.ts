import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HostCell } from '../../harness/hosts/cell.ts';
import { type HostLossName, hostLosses } from './host-losses.ts';
import { loseHost, startLossCell } from './lose-host.ts';

let cell: HostCell;
let passed = 0;
const names = Object.keys(hostLosses) as HostLossName[];

beforeAll(async () => {
  cell = await startLossCell();
});
afterAll(async () => {
  await cell?.stop(passed < names.length);
});

test.each(names)('CALL-08 LEDGER-06 the power loss of the %s loses no call of another host', async (name) => {
  const report = await loseHost(cell, name);
  expect(report.faults).toEqual([]);
  expect(report.accepted).toBeGreaterThan(10);
  expect(report.continued).toBeGreaterThan(0);
  passed += 1;
});
