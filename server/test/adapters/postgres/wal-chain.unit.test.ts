import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Backup, followLog } from '../../../src/adapters/postgres/index.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wal-chain-'));
  mkdirSync(join(folder, 'wal'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const backupAt = (segment: number): Backup => ({
  id: 'b',
  startedAt: '2026-01-01T00:00:00Z',
  finishedAt: '2026-01-01T00:00:00Z',
  systemIdentifier: '1',
  postgresMajor: 15,
  timeline: 1,
  startPosition: `0/${segment.toString(16).toUpperCase()}000028`,
  stopPosition: `0/${segment.toString(16).toUpperCase()}000100`,
  segmentBytes: 16_777_216,
  bytes: 1,
  files: 1,
  manifestSha256: '',
  migration: null,
});

const hex = (value: number): string => value.toString(16).padStart(8, '0').toUpperCase();
const segmentName = (timeline: number, number: number): string => `${hex(timeline)}00000000${hex(number)}`;
const short = (name: string): string => `${Number(name.slice(0, 8))}/${name.slice(-2)}`;

function keep(timeline: number, first: number, last: number, except?: number): void {
  for (let number = first; number <= last; number += 1)
    if (number !== except) writeFileSync(join(folder, 'wal', `${segmentName(timeline, number)}.gz`), '');
}

const writeHistory = (timeline: number, ...parents: string[]): void =>
  writeFileSync(
    join(folder, 'wal', `${hex(timeline)}.history.gz`),
    gzipSync(parents.map((line) => `${line}\tno recovery target specified\n`).join('')),
  );

test('detects a gap although the parent timeline has a segment of that number', async () => {
  keep(1, 0x02, 0x14);
  writeHistory(2, '1\t0/A000100');
  keep(2, 0x0a, 0x10, 0x0d);
  const { timeline, segments, missing } = await followLog(folder, backupAt(2));
  expect({ timeline, missing }).toEqual({ timeline: 2, missing: segmentName(2, 0x0d) });
  expect(segments.map(short)).toEqual('1/02 1/03 1/04 1/05 1/06 1/07 1/08 1/09 2/0A 2/0B 2/0C'.split(' '));
});

test('the first segment of a timeline is its own, and the WAL ends where the newest ends', async () => {
  keep(1, 0x02, 0x14);
  writeHistory(2, '1\t0/A000100');
  writeHistory(3, '1\t0/A000100', '2\t0/C000000');
  keep(2, 0x0a, 0x11);
  keep(3, 0x0c, 0x0e);
  const { timeline, segments, missing } = await followLog(folder, backupAt(8));
  expect({ timeline, missing }).toEqual({ timeline: 3, missing: undefined });
  expect(segments.map(short)).toEqual('1/08 1/09 2/0A 2/0B 3/0C 3/0D 3/0E'.split(' '));
  rmSync(join(folder, 'wal', `${segmentName(3, 0x0c)}.gz`));
  expect((await followLog(folder, backupAt(8))).missing).toBe(segmentName(3, 0x0c));
});

test('the WAL of a timeline without archived segments ends where it branched off', async () => {
  keep(1, 0x02, 0x14);
  writeHistory(2, '1\t0/A000100');
  const { timeline, segments, missing } = await followLog(folder, backupAt(8));
  expect({ timeline, missing }).toEqual({ timeline: 2, missing: undefined });
  expect(segments.map(short)).toEqual(['1/08', '1/09']);
});

test('a timeline that branched off before the backup does not descend from it', async () => {
  keep(1, 0x02, 0x14);
  writeHistory(2, '1\t0/A000100');
  keep(2, 0x0a, 0x10);
  const { timeline, segments } = await followLog(folder, backupAt(0x12));
  expect(timeline).toBe(1);
  expect(segments.map(short)).toEqual(['1/12', '1/13', '1/14']);
  await expect(followLog(folder, backupAt(0x12), 2)).rejects.toThrow(
    'no timeline 2 that descends from this backup',
  );
});
