import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ObjectStore, startObjectStore } from '../../../../simulator/object-store/index.ts';
import { openStorage } from '../../../src/adapters/storage/index.ts';
import type { RecordingStorage } from '../../../src/contexts/recordings/index.ts';
import { conformsToStorage } from './conformance.ts';

// The same suite runs against any S3-compatible service: set S3_TEST_URL, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.
const { S3_TEST_URL: realUrl, S3_ACCESS_KEY_ID: realId, S3_SECRET_ACCESS_KEY: realSecret } = process.env;

const keys = { accessKeyId: 'disca', secretAccessKey: 'not so secret' };
let store: ObjectStore;
let storage: RecordingStorage;

const storageUrl = (endpoint: string): string =>
  `s3://recordings/cell-1?endpoint=${encodeURIComponent(endpoint)}&region=sa-east-1`;

beforeAll(async () => {
  store = await startObjectStore({ bucket: 'recordings', ...keys });
  storage = realUrl
    ? openStorage({ url: realUrl, accessKeyId: realId, secretAccessKey: realSecret })
    : openStorage({ url: storageUrl(store.endpoint), ...keys });
});
afterAll(async () => {
  storage.close();
  await store.stop();
});

conformsToStorage(() => storage);

test('stores keys under the bucket prefix', async () => {
  const mine = openStorage({ url: storageUrl(store.endpoint), ...keys });
  await mine.put('7/day/ab/call.wav', Readable.from([Buffer.from('x')]), 1);
  expect(store.bucket.has('cell-1/7/day/ab/call.wav')).toBe(true);
  mine.close();
});

test('reports a wrong secret as such and not as a missing file', async () => {
  const unauthorized = openStorage({ url: storageUrl(store.endpoint), ...keys, secretAccessKey: 'guessed' });
  await expect(unauthorized.get('7/day/ab/call.wav')).rejects.toThrow();
  await expect(unauthorized.stat('7/day/ab/call.wav')).rejects.toThrow();
  await expect(unauthorized.put('7/a.wav', Readable.from([Buffer.from('x')]), 1)).rejects.toThrow();
  expect(store.bucket.has('cell-1/7/a.wav')).toBe(false);
  unauthorized.close();
});

test('requests fail without hanging while the service is down', async () => {
  const unreachable = openStorage({ url: storageUrl('http://127.0.0.1:1'), ...keys });
  await expect(unreachable.check()).resolves.toBeUndefined();
  await expect(unreachable.stat('7/a.wav')).rejects.toThrow();
  await expect(unreachable.put('7/a.wav', Readable.from([Buffer.from('x')]), 1)).rejects.toThrow();
  unreachable.close();
});

test('rejects S3 without credentials before anything starts', () => {
  expect(() =>
    openStorage({ url: storageUrl(store.endpoint), accessKeyId: 'disca', secretAccessKey: undefined }),
  ).toThrow('S3_SECRET_ACCESS_KEY');
});
