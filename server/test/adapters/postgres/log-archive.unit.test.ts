import { expect, test } from 'vitest';
import { type Archiver, judgeArchiver } from '../../../src/main/cli/doctor/backups.ts';

const archiver = (more: Partial<Archiver>): Archiver => ({
  mode: 'on',
  failing: false,
  lastFailed: null,
  lastArchived: '000000010000000000000010',
  current: '000000010000000000000011',
  segmentBytes: 16_777_216,
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
