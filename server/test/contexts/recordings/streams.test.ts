import { once } from 'node:events';
import { readdir, readlink } from 'node:fs/promises';
import { get } from 'node:http';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addStoredRecording, recordingPath, wav } from '../../harness/fixtures/recordings.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;
let address: string;

beforeAll(async () => {
  platform = await startPlatform();
  account = await createAccount(platform);
  address = await platform.listen();
});
afterAll(() => platform.close());

/** Returns the recordings that this process has open. */
async function openFiles(): Promise<string[]> {
  const names = await readdir('/proc/self/fd');
  const paths = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
  return paths.filter((path) => path.endsWith('.wav.enc'));
}

test('a client that disconnects midway leaves no file open', async () => {
  const callId = await addStoredRecording(platform, account.id, wav(600));
  const listeners = Array.from({ length: 5 }, async () => {
    const request = get(`${address}/api/v1${recordingPath(platform, callId)}`);
    const [response] = await once(request, 'response');
    await once(response, 'data');
    response.pause();
    return request;
  });
  const requests = await Promise.all(listeners);
  expect((await openFiles()).length).toBe(5);
  for (const request of requests) request.on('error', () => undefined).destroy();
  await vi.waitFor(async () => expect(await openFiles()).toEqual([]), { timeout: 120_000 });
});

test('a complete recording arrives over a socket as it was stored', async () => {
  const audio = wav(60);
  const callId = await addStoredRecording(platform, account.id, audio);
  const answer = await fetch(`${address}/api/v1${recordingPath(platform, callId)}`);
  expect(answer.headers.get('content-length')).toBe(String(audio.length));
  expect(Buffer.from(await answer.arrayBuffer()).equals(audio)).toBe(true);
  const head = await fetch(`${address}/api/v1${recordingPath(platform, callId)}`, { method: 'HEAD' });
  expect(head.headers.get('content-length')).toBe(String(audio.length));
  await vi.waitFor(async () => expect(await openFiles()).toEqual([]), { timeout: 120_000 });
});
