import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BodyMismatch, compareFiles, recordingUrl } from '../../../src/contexts/recordings/index.ts';
import { sweepRecordings } from '../../../src/contexts/recordings/sweep-recordings.ts';
import { inAccount, openDatabase } from '../../../src/platform/db/database.ts';
import { sealedSize } from '../../../src/platform/sealed-frames.ts';
import { expectRecording } from '../../harness/fixtures/expect-recording.ts';
import {
  addExpectedRecording,
  addStoredRecording,
  readRecordingState,
  recordingPath,
  upload,
  wav,
} from '../../harness/fixtures/recordings.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;
const day = 24 * 3600;

beforeAll(async () => {
  platform = await startPlatform();
  account = await createAccount(platform);
});
afterAll(() => platform.close());

const sweep = () =>
  sweepRecordings({ ...platform.api.base, clock: platform.clock }, AbortSignal.timeout(120_000));

const readRow = async (callId: string) => {
  const [row] = await platform.database.query<Record<string, unknown> & { object_key: string }>(
    'select * from recordings where call_id = $1',
    [callId],
  );
  if (!row) throw new Error('There is no such recording.');
  return row;
};

const listEvents = (callId: string) =>
  platform.database.query<{ type: string; data: unknown; account_id: number }>(
    'select type, data, account_id from recorded_events where subject_id = $1',
    [callId],
  );

test('EXT-09 REST-03 stores a file from a media node with size, digest and length, and reports it once', async () => {
  const audio = wav(3);
  const callId = await addExpectedRecording(platform, account.id);
  expect(await upload(platform, callId, audio)).toBe('stored');
  const row = await readRow(callId);
  expect(row).toMatchObject({
    state: 'stored',
    node: 'm1',
    bytes: audio.length,
    duration_ms: 3000,
  });
  expect(row.sha256).toEqual(createHash('sha256').update(audio).digest());
  expect(await platform.api.base.storage.stat(row.object_key)).toEqual({ bytes: sealedSize(audio.length) });
  expect(await listEvents(callId)).toEqual([
    {
      type: 'recording-ready',
      data: { id: callId, bytes: audio.length, duration_ms: 3000, sequence: 1 },
      account_id: account.id,
    },
  ]);
  expect(await upload(platform, callId, wav(1))).toBe('known');
  expect(await readRow(callId)).toEqual(row);
  expect(await listEvents(callId)).toHaveLength(1);
});

/** Returns a recording as a killed engine leaves it: with its audio, but without lengths in the header. */
function unfinished(audio: Buffer): Buffer {
  const file = Buffer.from(audio);
  file.writeUInt32LE(0, 4);
  file.writeUInt32LE(0, 40);
  return file;
}

test('AUDIO-15 completes the header of a recording that a killed engine left', async () => {
  const audio = wav(2);
  const file = unfinished(audio);
  const bodies = {
    whole: [file],
    singleBytes: [...Array.from(file.subarray(0, 60), (byte) => Buffer.of(byte)), file.subarray(60)],
  };
  for (const [name, chunks] of Object.entries(bodies)) {
    const callId = await addExpectedRecording(platform, account.id);
    expect(await upload(platform, callId, file, { body: Readable.from(chunks) }), name).toBe('stored');
    const row = await readRow(callId);
    expect(row, name).toMatchObject({ bytes: audio.length, duration_ms: 2000 });
    expect(row.sha256, name).toEqual(createHash('sha256').update(audio).digest());
    const answer = await platform.app.inject(new URL(recordingUrl(platform.api.app, callId, callId)).href);
    expect(answer.rawPayload.equals(audio), name).toBe(true);
  }
  // Anything but a WAV file with a header of 44 bytes is stored as it is.
  for (const other of [Buffer.from('RIFF'), Buffer.alloc(100, 'x')]) {
    const callId = await addExpectedRecording(platform, account.id);
    expect(await upload(platform, callId, other)).toBe('stored');
    expect((await readRow(callId)).sha256).toEqual(createHash('sha256').update(other).digest());
  }
});

test('one of several concurrent uploads is reported, and one file is kept', async () => {
  const audio = wav(1);
  const callId = await addExpectedRecording(platform, account.id);
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => upload(platform, callId, audio)));
  expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(1);
  expect(outcomes.every((outcome) => ['stored', 'known'].includes(outcome))).toBe(true);
  expect(await listEvents(callId)).toHaveLength(1);
});

test('an unexpected file is not taken, and an invalid one is rejected', async () => {
  expect(await upload(platform, randomUUID(), wav(1))).toBe('unexpected');
  expect(await upload(platform, '../../etc/passwd', wav(1))).toBe('unexpected');
  const callId = await addExpectedRecording(platform, account.id);
  for (const bytes of [0, -1, 1.5, 2 ** 31, Number.NaN])
    await expect(upload(platform, callId, wav(1), { bytes })).rejects.toBeInstanceOf(BodyMismatch);
  await expect(upload(platform, callId, wav(1), { bytes: 100 })).rejects.toBeInstanceOf(BodyMismatch);
  const broken = new Readable({ read() {} });
  const attempt = upload(platform, callId, wav(1), { body: broken });
  broken.push(Buffer.alloc(100));
  broken.destroy(new Error('the line broke'));
  await expect(attempt).rejects.toThrow();
  expect(await readRecordingState(platform, callId)).toBe('expected');
  expect(await upload(platform, callId, wav(1))).toBe('stored');
});

test('where a node is assigned, no other may send the file', async () => {
  const callId = await addExpectedRecording(platform, account.id);
  const nameNode = (node: string) =>
    inAccount(platform.api.base.db, account.id, (tx) =>
      expectRecording(tx, { accountId: account.id, callId, at: platform.clock.now(), node }),
    );
  await nameNode('m2');
  expect(await upload(platform, callId, wav(1), { node: 'm1' })).toBe('refused');
  expect(await readRecordingState(platform, callId)).toBe('expected');
  expect(await upload(platform, callId, wav(1), { node: 'm2' })).toBe('stored');
});

test('CALL-29 a recording and its link are removed after 90 days', async () => {
  const callId = await addStoredRecording(platform, account.id);
  const { object_key: key } = await readRow(callId);
  platform.clock.advance(90 * day - 60);
  await sweep();
  expect(await readRecordingState(platform, callId)).toBe('stored');
  platform.clock.advance(120);
  await sweep();
  expect(await readRecordingState(platform, callId)).toBe('removed');
  expect(await platform.api.base.storage.stat(key)).toBeUndefined();
  const answer = await platform.client().get(recordingPath(platform, callId));
  expect([answer.status, answer.body.error.errorCode]).toEqual([404, 'NOT_FOUND']);
  expect(await upload(platform, callId, wav(1))).toBe('refused');
  expect(await platform.api.base.storage.stat(key)).toBeUndefined();
});

test('a missing file is marked as absent after one day, but still accepted later', async () => {
  const callId = await addExpectedRecording(platform, account.id);
  platform.clock.advance(day - 60);
  // The call ends: its file is expected from here on.
  await inAccount(platform.api.base.db, account.id, (tx) =>
    expectRecording(tx, { accountId: account.id, callId, at: platform.clock.now() }),
  );
  platform.clock.advance(day - 60);
  await sweep();
  expect(await readRecordingState(platform, callId)).toBe('expected');
  platform.clock.advance(120);
  await sweep();
  expect(await readRecordingState(platform, callId)).toBe('absent');
  expect(await upload(platform, callId, wav(1))).toBe('stored');
});

test('a late file of an absent recording is removed a week later', async () => {
  const callId = await addExpectedRecording(platform, account.id);
  const { object_key: key } = await readRow(callId);
  const { storage } = platform.api.base;
  await storage.put(key, Readable.from([wav(1)]), wav(1).length);
  platform.clock.advance(day + 60);
  await sweep();
  expect([await readRecordingState(platform, callId), await storage.stat(key)]).toEqual([
    'absent',
    { bytes: 16_044 },
  ]);
  platform.clock.advance(6 * day);
  await sweep();
  expect([await readRecordingState(platform, callId), await storage.stat(key)]).toEqual([
    'removed',
    undefined,
  ]);
});

test('a file that cannot be removed stays recorded, blocks no other, and is retried', async () => {
  const [stuck, other] = [
    await addStoredRecording(platform, account.id),
    await addStoredRecording(platform, account.id),
  ];
  const { object_key: key } = await readRow(stuck);
  platform.clock.advance(91 * day);
  const { storage } = platform.api.base;
  const failing = {
    ...storage,
    remove: (each: string) => (each === key ? Promise.reject(new Error('busy')) : storage.remove(each)),
  };
  const signal = AbortSignal.timeout(120_000);
  const attempt = sweepRecordings({ ...platform.api.base, clock: platform.clock, storage: failing }, signal);
  await expect(attempt).rejects.toThrow('1 recordings could not be swept');
  expect([await readRecordingState(platform, stuck), await readRecordingState(platform, other)]).toEqual([
    'stored',
    'removed',
  ]);
  await sweep();
  expect(await readRecordingState(platform, stuck)).toBe('removed');
});

test('accesses are removed after one year', async () => {
  const callId = await addStoredRecording(platform, account.id);
  await platform.client().get(recordingPath(platform, callId));
  const accesses = () =>
    platform.database.query('select from recording_accesses where call_id = $1', [callId]);
  platform.clock.advance(364 * day);
  await sweep();
  expect(await accesses()).toHaveLength(1);
  platform.clock.advance(2 * day);
  await sweep();
  expect(await accesses()).toHaveLength(0);
});

test('the access log is append-only', async () => {
  const { query } = platform.database;
  for (const right of ['update', 'delete', 'truncate'])
    expect(
      await query(`select has_table_privilege('disca_service', 'recording_accesses', $1) as may`, [right]),
    ).toEqual([{ may: false }]);
});

test('after a restore an empty file is reported, and does not block others', async () => {
  const { storage } = platform.api.base;
  const [empty, whole] = [
    await addExpectedRecording(platform, account.id),
    await addExpectedRecording(platform, account.id),
  ];
  const { object_key: damaged } = await readRow(empty);
  await storage.put(damaged, Readable.from([]), 0);
  const audio = wav(1);
  await storage.put((await readRow(whole)).object_key, Readable.from([audio]), audio.length);
  const options = { poolSize: 1, applicationName: 'test', statementTimeoutMs: 60_000 };
  const db = openDatabase({ url: platform.database.ownerUrl, ...options }, () => undefined);
  const result = await compareFiles({ ...platform.api.base, db, clock: platform.clock });
  await db.close();
  expect(result).toMatchObject({ adopted: 1, damaged: [damaged] });
  expect([await readRecordingState(platform, empty), await readRecordingState(platform, whole)]).toEqual([
    'expected',
    'stored',
  ]);
});
