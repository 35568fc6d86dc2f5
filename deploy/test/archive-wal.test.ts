import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { archiveSegment } from '../../server/src/adapters/postgres/archive-segment.ts';
import { root } from '../../tools/dev/paths.ts';

const script = join(root, 'deploy/containers/bin/archive-wal');
const name = '000000010000000000000002';
const segmentBytes = 16 * 1024 * 1024;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'disca-archive-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Writes the header of a segment, which both implementations read: cluster and size. */
function writeSegment(cluster: bigint, content: string): string {
  const segment = Buffer.alloc(segmentBytes);
  // The magic number of PostgreSQL 15, and the flag of a long header.
  segment.writeUInt16LE(0xd110, 0);
  segment.writeUInt16LE(0x0002, 2);
  segment.writeUInt32LE(1, 4);
  segment.writeBigUInt64LE(0x2000000n, 8);
  segment.writeBigUInt64LE(cluster, 24);
  segment.writeUInt32LE(segmentBytes, 32);
  segment.writeUInt32LE(8_192, 36);
  segment.write(content, 100);
  const path = join(folder, 'segment');
  writeFileSync(path, segment);
  return path;
}

const archive = (path: string, as = name) =>
  spawnSync(script, [path, as, join(folder, 'backups')], { encoding: 'utf8' });
const inArchive = (file: string): string => join(folder, 'backups/wal', file);

it('archives a complete segment and nothing else', () => {
  const path = writeSegment(7_654_321n, 'first');
  expect(archive(path)).toMatchObject({ status: 0, stderr: '' });
  expect(gunzipSync(readFileSync(inArchive(`${name}.gz`))).equals(readFileSync(path))).toBe(true);
  expect(readdirSync(inArchive('.')).toSorted()).toEqual([`${name}.gz`, 'cluster']);
});

it('archives a segment once if the result was lost, with either implementation', async () => {
  const path = writeSegment(7_654_321n, 'first');
  archive(path);
  expect(archive(path)).toMatchObject({ status: 0, stderr: '' });
  expect(await archiveSegment(join(folder, 'backups'), path, name)).toBe('known');
});

it('rejects another segment of the same name', () => {
  archive(writeSegment(7_654_321n, 'first'));
  const second = archive(writeSegment(7_654_321n, 'second'));
  expect(second.status).not.toBe(0);
  expect(second.stderr).toContain('already exists with different content');
  expect(gunzipSync(readFileSync(inArchive(`${name}.gz`))).includes('first')).toBe(true);
});

it('rejects the WAL of another cluster', () => {
  archive(writeSegment(7_654_321n, 'first'));
  const foreign = archive(writeSegment(1_234_567n, 'first'), '000000010000000000000003');
  expect(foreign.status).not.toBe(0);
  expect(foreign.stderr).toContain('belongs to cluster 7654321');
});

it('an interrupted run leaves no partial file', () => {
  const path = writeSegment(7_654_321n, 'first');
  archive(path);
  rmSync(inArchive(`${name}.gz`));
  writeFileSync(inArchive(`.${name}.1`), 'half');
  expect(archive(path).status).toBe(0);
  expect(gunzipSync(readFileSync(inArchive(`${name}.gz`))).byteLength).toBe(segmentBytes);
});

it('does not archive an unreadable file', () => {
  const missing = archive(join(folder, 'nothing'));
  expect(missing.status).not.toBe(0);
  expect(readdirSync(inArchive('.'))).toEqual([]);
});

it('archives a timeline history file, which has no cluster header', () => {
  const path = join(folder, 'history');
  writeFileSync(path, '1\t0/A000100\tno recovery target specified\n');
  chmodSync(path, 0o600);
  expect(archive(path, '00000002.history')).toMatchObject({ status: 0, stderr: '' });
  expect(readdirSync(inArchive('.'))).toEqual(['00000002.history.gz']);
});
