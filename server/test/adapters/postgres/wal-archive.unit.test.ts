import { describe, expect, test } from 'vitest';
import { followWal } from '../../../src/adapters/postgres/index.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 18, 3, minute));
const wal = (names: string[], histories: [number, string][] = []) => ({
  segments: new Map(names.map((name, index) => [name, at(index)])),
  histories: new Map(histories),
});
const segment = (timeline: number, number: number) =>
  `${String(timeline).padStart(8, '0')}00000000${number.toString(16).toUpperCase().padStart(8, '0')}`;

describe('the WAL that follows a backup', () => {
  test('ends with the last segment', () => {
    const found = followWal(wal([1, 2, 3].map((number) => segment(1, number))), segment(1, 2));
    expect(found).toEqual({ timeline: 1, last: { name: segment(1, 3), archivedAt: at(2) } });
  });

  test('ends before the first missing segment', () => {
    const found = followWal(wal([1, 2, 4].map((number) => segment(1, number))), segment(1, 1));
    expect(found).toEqual({
      timeline: 1,
      last: { name: segment(1, 2), archivedAt: at(1) },
      missing: segment(1, 3),
    });
  });

  test('continues after the 256 segments of a log file', () => {
    const names = ['0000000100000000000000FF', '000000010000000100000000'];
    expect(followWal(wal(names), names[0] ?? '')).toMatchObject({ last: { name: names[1] } });
  });

  test('is empty without archived segments', () => {
    expect(followWal(wal([]), segment(1, 1))).toEqual({ timeline: 1 });
  });

  test('continues on the newest timeline from the segment in which it branched off', () => {
    const history: [number, string][] = [[2, '1\t0/3000148\tno recovery target specified\n']];
    const names = [segment(1, 2), segment(1, 3), segment(1, 4), segment(2, 3)];
    expect(followWal(wal(names, history), segment(1, 2))).toEqual({
      timeline: 2,
      last: { name: segment(2, 3), archivedAt: at(3) },
    });
    expect(followWal(wal(names, history), segment(1, 2), 1)).toMatchObject({
      timeline: 1,
      last: { name: segment(1, 4) },
    });
  });

  test('has a gap if only the older timeline has the segment of the branch', () => {
    const history: [number, string][] = [[2, '1\t0/3000148\tno recovery target specified\n']];
    const names = [segment(1, 2), segment(1, 3), segment(2, 4)];
    expect(followWal(wal(names, history), segment(1, 2))).toMatchObject({ missing: segment(2, 3) });
  });
});
