import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ObjectStore, startObjectStore } from '../../../../simulator/object-store/index.ts';
import {
  addExpectedRecording,
  addStoredRecording,
  recordingPath,
  upload,
  wav,
} from '../../harness/fixtures/recordings.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

const keys = { accessKeyId: 'disca', secretAccessKey: 'not so secret' };
let store: ObjectStore;
let platform: Platform;
let account: TestAccount;

beforeAll(async () => {
  store = await startObjectStore({ bucket: 'recordings', ...keys });
  platform = await startPlatform({
    STORAGE_URL: `s3://recordings?endpoint=${encodeURIComponent(store.endpoint)}&region=sa-east-1`,
    S3_ACCESS_KEY_ID: keys.accessKeyId,
    S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
  });
  account = await createAccount(platform);
});
afterAll(async () => {
  await platform?.close();
  await store?.stop();
});

test('ERR-16 CALL-40 links return 503 while the object store is down, 404 before the upload', async () => {
  const stored = recordingPath(platform, await addStoredRecording(platform, account.id));
  const callId = await addExpectedRecording(platform, account.id);
  const expected = recordingPath(platform, callId);
  const client = platform.client();
  expect((await client.get(stored)).status).toBe(200);
  await store.stop();

  const unavailable = await client.get(stored);
  expect(unavailable).toMatchObject({
    status: 503,
    body: { error: { errorCode: 'SERVICE_UNAVAILABLE' } },
    headers: { 'retry-after': '5' },
  });
  // An upload fails, and the call expects the recording as before.
  await expect(upload(platform, callId, wav(1))).rejects.toThrow();
  const notReady = await client.get(expected);
  expect([notReady.status, notReady.body.error.errorCode]).toEqual([404, 'RECORDING_NOT_READY']);
});
