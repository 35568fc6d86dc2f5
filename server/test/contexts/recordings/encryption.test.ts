import { randomInt } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encryptRecordings } from '../../../src/contexts/recordings/encrypt-recordings.ts';
import { compareFiles } from '../../../src/contexts/recordings/index.ts';
import { openDatabase } from '../../../src/platform/db/database.ts';
import {
  addExpectedRecording,
  addStoredRecording,
  recordingPath,
  upload,
  wav,
} from '../../harness/fixtures/recordings.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  account = await createAccount(platform);
});
afterAll(() => platform.close());

const listen = async (callId: string, headers: Record<string, string> = {}) => {
  const url = `/api/v1${recordingPath(platform, callId)}`;
  const answer = await platform.app.inject({ url, headers });
  return { status: answer.statusCode, headers: answer.headers, audio: answer.rawPayload };
};

async function readRow(callId: string) {
  const [row] = await platform.database.query<{
    object_key: string;
    plain_key: string | null;
    state: string;
  }>('select object_key, plain_key, state from recordings where call_id = $1', [callId]);
  if (!row) throw new Error('There is no such recording.');
  return row;
}

const pathOf = (key: string): string => join(fileURLToPath(platform.config.STORAGE_URL), key);
const encrypt = () =>
  encryptRecordings({ ...platform.api.base, clock: platform.clock }, AbortSignal.timeout(120_000));

/** Stores a recording as the previous release did: unencrypted. */
async function addPlainRecording(audio: Buffer): Promise<string> {
  const callId = await addStoredRecording(platform, account.id, audio);
  const { object_key: encrypted } = await readRow(callId);
  const key = encrypted.replace(/\.enc$/, '');
  const { storage } = platform.api.base;
  await storage.put(key, Readable.from([audio]), audio.length);
  await storage.remove(encrypted);
  await platform.database.query('update recordings set object_key = $2 where call_id = $1', [callId, key]);
  return callId;
}

test('REST-03 ranges of an encrypted recording are those of its audio', async () => {
  const audio = wav(20);
  const callId = await addStoredRecording(platform, account.id, audio);
  const { object_key: key } = await readRow(callId);
  expect(key).toMatch(/\.wav\.enc$/);
  const stored = await readFile(pathOf(key));
  expect(stored.includes(audio.subarray(0, 44)) || stored.includes(audio.subarray(100_000, 100_016))).toBe(
    false,
  );
  for (let turn = 0; turn < 50; turn += 1) {
    const start = randomInt(audio.length);
    const end = randomInt(start, audio.length);
    const part = await listen(callId, { range: `bytes=${start}-${end}` });
    expect([part.status, part.headers['content-range']]).toEqual([
      206,
      `bytes ${start}-${end}/${audio.length}`,
    ]);
    expect(part.audio.equals(audio.subarray(start, end + 1)), `bytes=${start}-${end}`).toBe(true);
  }
  const last = await listen(callId, { range: 'bytes=-1000' });
  expect(last.audio.equals(audio.subarray(-1000))).toBe(true);
});

test('REST-03 an altered or foreign file is not served as audio', async () => {
  const [audio, other] = [wav(10), wav(10)];
  const callId = await addStoredRecording(platform, account.id, audio);
  const path = pathOf((await readRow(callId)).object_key);
  const stored = await readFile(path);
  const altered = Buffer.from(stored);
  altered[100_000] = (altered[100_000] ?? 0) ^ 1;
  const foreign = await addStoredRecording(platform, account.id, other);
  const copied = await readFile(pathOf((await readRow(foreign)).object_key));
  const url = await platform.listen();
  for (const file of [altered, copied, stored.subarray(0, -20)]) {
    await writeFile(path, file);
    // If the headers were sent before the damage is found, the body breaks off.
    const received = await fetch(`${url}/api/v1${recordingPath(platform, callId)}`)
      .then(async (answer) => (answer.ok ? await answer.arrayBuffer() : undefined))
      .catch(() => undefined);
    expect(received).toBeUndefined();
  }
  expect(platform.logLines.some((line) => line.includes('recording not served completely'))).toBe(true);
  await writeFile(path, stored);
  expect((await listen(callId)).audio.equals(audio)).toBe(true);
});

test('REST-03 each account has its own key, sealed with the key ring', async () => {
  const stranger = await createAccount(platform);
  await addStoredRecording(platform, account.id);
  await addStoredRecording(platform, stranger.id);
  const keys = await platform.database.query<{ account_id: number; key_sealed: string }>(
    'select account_id, key_sealed from recording_keys where account_id = any($1)',
    [[account.id, stranger.id]],
  );
  const opened = keys.map(({ key_sealed: sealed }) =>
    platform.api.base.keyRing.open('recording-key', sealed),
  );
  expect(new Set(opened).size).toBe(2);
  for (const key of opened) expect(Buffer.from(key, 'base64')).toHaveLength(32);
});

test('REST-04 a recording from before the encryption stays readable, is encrypted, and its file deleted', async () => {
  const audio = wav(5);
  const callId = await addPlainRecording(audio);
  const before = await readRow(callId);
  const served = await listen(callId);
  expect(served.audio.equals(audio)).toBe(true);
  expect(await encrypt()).toBeGreaterThan(0);
  const after = await readRow(callId);
  expect(after).toMatchObject({ object_key: `${before.object_key}.enc`, plain_key: before.object_key });
  const again = await listen(callId, { range: 'bytes=70000-70010' });
  expect(again.audio.equals(audio.subarray(70_000, 70_011))).toBe(true);
  expect((await listen(callId)).headers.etag).toBe(served.headers.etag);
  // The next run deletes the former file, which a client may have been about to read.
  expect(await platform.api.base.storage.stat(before.object_key)).toBeDefined();
  expect(await encrypt()).toBe(0);
  expect(await platform.api.base.storage.stat(before.object_key)).toBeUndefined();
  expect((await readRow(callId)).plain_key).toBeNull();
  expect((await listen(callId)).audio.equals(audio)).toBe(true);
});

test('REST-04 an interrupted run loses no file, and a file that differs from its checksum is kept', async () => {
  const audio = wav(3);
  const [callId, damaged] = [await addPlainRecording(audio), await addPlainRecording(wav(3))];
  const { storage } = platform.api.base;
  const failing = { ...storage, put: () => Promise.reject(new Error('the disk is full')) };
  const deps = { ...platform.api.base, clock: platform.clock, storage: failing };
  await expect(encryptRecordings(deps, AbortSignal.timeout(60_000))).rejects.toThrow('rows failed');
  expect((await listen(callId)).audio.equals(audio)).toBe(true);
  const { object_key: key } = await readRow(damaged);
  const other = wav(3);
  await storage.put(key, Readable.from([other]), other.length);
  await expect(encrypt()).rejects.toThrow('1 of');
  expect(await readRow(damaged)).toEqual({ object_key: key, plain_key: null, state: 'stored' });
  expect(await storage.stat(`${key}.enc`)).toBeUndefined();
  expect((await readRow(callId)).object_key).toMatch(/\.enc$/);
  expect((await listen(callId)).audio.equals(audio)).toBe(true);
  await platform.database.query(
    `update recordings set state = 'removed', removed_at = now() where call_id = $1`,
    [damaged],
  );
});

test('REST-04 a process of the previous release is refused the name of an encrypted file', async () => {
  // Its rule for storage keys, which it checks before reading.
  const former = /^[\w-]+(?:\/[\w-]+)*\.wav$/;
  const callId = await addStoredRecording(platform, account.id);
  expect((await readRow(callId)).object_key).not.toMatch(former);
});

test('REST-04 after a restore encrypted files are registered, and those encrypted later are found', async () => {
  const [late, moved] = [wav(2), wav(2)];
  const expected = await addExpectedRecording(platform, account.id);
  const { object_key: expectedKey } = await readRow(expected);
  await upload(platform, expected, late);
  const stored = await addPlainRecording(moved);
  const { object_key: plainKey } = await readRow(stored);
  await encrypt();
  await encrypt();
  // The restored database is from before the upload and before the encryption.
  await platform.database.query(
    `update recordings set state = 'expected', object_key = $2, bytes = null, sha256 = null, stored_at = null,
            expires_at = null, duration_ms = null where call_id = $1`,
    [expected, expectedKey],
  );
  await platform.database.query(
    'update recordings set object_key = $2, plain_key = null where call_id = $1',
    [stored, plainKey],
  );
  const options = { poolSize: 1, applicationName: 'test', statementTimeoutMs: 60_000 };
  const db = openDatabase({ url: platform.database.ownerUrl, ...options }, () => undefined);
  const result = await compareFiles({ ...platform.api.base, db, clock: platform.clock });
  await db.close();
  expect(result).toMatchObject({ adopted: 1, lost: [], damaged: [] });
  expect((await listen(expected)).audio.equals(late)).toBe(true);
  expect((await listen(stored)).audio.equals(moved)).toBe(true);
});
