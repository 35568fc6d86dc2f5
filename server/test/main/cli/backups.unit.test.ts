import { expect, test } from 'vitest';
import type { Repository } from '../../../src/adapters/postgres/index.ts';
import { type Archiver, judgeArchiver, judgeBackups } from '../../../src/main/cli/doctor/backups.ts';

const archiver = (more: Partial<Archiver>): Archiver => ({
  mode: 'on',
  failing: false,
  lastFailed: null,
  lastArchived: '000000010000000000000010',
  current: '000000010000000000000011',
  idleSeconds: 30,
  timeoutSeconds: 60,
  ...more,
});
const hangs = /nothing was archived for \d+ minutes/;

test('a hanging archive command is a fault, although it has not failed', () => {
  const stuck = { idleSeconds: 900, current: '000000010000000000000014' };
  expect(judgeArchiver(archiver(stuck))).toMatchObject({
    state: 'fault',
    says: expect.stringMatching(hangs),
  });
  const never = judgeArchiver(archiver({ ...stuck, lastArchived: null }));
  expect(never).toMatchObject({ state: 'fault', says: expect.stringMatching(hangs) });
  const history = judgeArchiver(archiver({ ...stuck, lastArchived: '00000002.history' }));
  expect(history).toMatchObject({ state: 'fault', says: expect.stringMatching(hangs) });
});

test('idle WAL, and WAL that has just filled a segment, are healthy', () => {
  expect(judgeArchiver(archiver({ idleSeconds: 9_000 }))).toMatchObject({ state: 'ok' });
  expect(judgeArchiver(archiver({ current: '000000010000000000000014' }))).toMatchObject({ state: 'ok' });
});

const dayMs = 24 * 3600 * 1000;
const nowMs = Date.UTC(2026, 10, 18);
const repository = (days: number, hasErrors = false): Repository => {
  const at = new Date(nowMs - days * dayMs).toISOString();
  return {
    hasStanza: true,
    archiveId: '15-1',
    lastSegment: '000000010000000000000002',
    backups: [
      {
        id: 'last',
        type: 'full',
        startedAt: at,
        finishedAt: at,
        bytes: 1,
        storedBytes: 1,
        firstSegment: '000000010000000000000002',
        hasErrors,
      },
    ],
  };
};

test('backups that are missing, old or damaged are reported, and WAL with a gap', () => {
  const whole = { timeline: 1 };
  const judge = (given: Repository, wal = whole) => judgeBackups(given, wal, nowMs);
  expect(judge({ hasStanza: true, backups: [] })).toMatchObject({
    state: 'fault',
    says: expect.stringMatching(/no backup/),
  });
  expect(judge(repository(1))).toMatchObject({ state: 'ok', says: expect.stringMatching(/1\.0 days old/) });
  expect(judge(repository(4))).toMatchObject({ state: 'warning', advice: expect.stringMatching(/daily/) });
  expect(judge(repository(30))).toMatchObject({
    state: 'fault',
    says: expect.stringMatching(/30\.0 days old/),
  });
  expect(judge(repository(1, true))).toMatchObject({
    state: 'fault',
    says: expect.stringMatching(/wrong checksums/),
  });
  expect(judge({ ...repository(1), problem: 'wrong key' })).toMatchObject({
    state: 'fault',
    says: expect.stringMatching(/wrong key/),
  });
  const gap = { timeline: 1, missing: '000000010000000000000003' };
  expect(judge(repository(1), gap)).toMatchObject({
    state: 'fault',
    says: expect.stringMatching(/lacks 000000010000000000000003/),
  });
});
