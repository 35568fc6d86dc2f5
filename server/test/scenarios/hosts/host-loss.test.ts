import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HostCell } from '../../harness/hosts/cell.ts';
import { runPgBackRest } from '../../harness/hosts/cell-storage.ts';
import { loseHost, startLossCell } from './lose-host.ts';

// The other losses, and how long each takes: `./dev host-loss`.

let cell: HostCell;
let hasFailed = true;

beforeAll(async () => {
  cell = await startLossCell();
});
afterAll(async () => {
  await cell?.stop(hasFailed);
});

test('ERR-16 ERR-17 without the object store calls continue, and no recording or WAL is lost', async () => {
  const times = { calmMs: 4_000, outageMs: 8_000 };
  const report = await loseHost(cell, 'object store host', undefined, times);
  expect(report.faults).toEqual([]);
  expect(report.refused).toEqual([]);
  expect(report.accepted).toBeGreaterThan(10);
  expect(report.recordings).toBe(report.answered);
  const primary = await cell.cluster.primary();
  await runPgBackRest(primary, cell.folderOf(primary), 'check');
  hasFailed = false;
});
