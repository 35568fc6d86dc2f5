import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordedCalls, recordingUrl } from '../../../src/contexts/recordings/index.ts';
import { markAbsent } from '../../../src/contexts/recordings/recording.store.ts';
import { inAccount } from '../../../src/platform/db/database.ts';
import type { Answer } from '../../harness/client.ts';
import {
  addExpectedRecording,
  addStoredRecording,
  linkHolder,
  recordingPath,
  upload,
  wav,
} from '../../harness/fixtures/recordings.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;

beforeAll(async () => {
  platform = await startPlatform();
  account = await createAccount(platform);
});
afterAll(() => platform.close());

/** Fetches the raw bytes, which the usual test client would decode as text. */
async function listen(link: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  const answer = await platform.app.inject({ method, url: `/api/v1${link}`, headers });
  return { status: answer.statusCode, headers: answer.headers, audio: answer.rawPayload };
}

const summarize = ({ status, text, headers }: Answer) => {
  const { 'x-request-id': _, date: __, ...rest } = headers;
  return { status, text, headers: rest };
};

test('CALL-28 a link is an absolute URL that serves the recording as WAV without a token', async () => {
  const audio = wav(2);
  const callId = await addStoredRecording(platform, account.id, audio);
  const url = recordingUrl(platform.api.app, callId, account.admin.uuid);
  expect(new URL(url).href).toBe(url);
  expect(url).toMatch(new RegExp(`^http://api\\.disca\\.test/api/v1/recordings/${callId}\\?signature=`));

  const answer = await listen(recordingPath(platform, callId));
  expect(answer.status).toBe(200);
  expect(answer.audio.equals(audio)).toBe(true);
  expect(answer.headers).toMatchObject({
    'content-type': 'audio/wav',
    'content-length': String(audio.length),
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  });
  expect((await platform.client().get(recordingPath(platform, callId))).status).toBe(200);
});

test('CALL-28 a link expires after 15 minutes, with its own error', async () => {
  const link = recordingPath(platform, await addStoredRecording(platform, account.id));
  platform.clock.advance(15 * 60 - 60);
  expect((await listen(link)).status).toBe(200);
  platform.clock.advance(61);
  const answer = await platform.client().get(link);
  expect([answer.status, answer.body.error.errorCode]).toEqual([410, 'RECORDING_LINK_EXPIRED']);
});

test('CALL-28 a link may be created with a longer validity, as for webhooks', async () => {
  const link = recordingPath(platform, await addStoredRecording(platform, account.id), 24 * 3600);
  platform.clock.advance(24 * 3600 - 60);
  expect((await listen(link)).status).toBe(200);
  platform.clock.advance(61);
  expect((await listen(link)).status).toBe(410);
});

test('CALL-28 an altered link gets the same bytes as one to an unknown recording', async () => {
  const callId = await addStoredRecording(platform, account.id);
  const other = await addStoredRecording(platform, account.id);
  const link = recordingPath(platform, callId);
  const signature = new URL(link, 'http://any').searchParams.get('signature') ?? '';
  const [id, body = '', mac = ''] = signature.split('.');
  const later = Buffer.from(JSON.stringify({ callId, exp: Date.now() + 10 ** 9 })).toString('base64url');
  const missing = summarize(await platform.client().get(recordingPath(platform, randomUUID())));
  expect(missing.status).toBe(404);
  const altered = [
    `/recordings/${callId}`,
    `/recordings/${callId}?signature=`,
    `/recordings/${callId}?signature=${signature}x`,
    `/recordings/${callId}?signature=${id}.${body}.${mac.split('').reverse().join('')}`,
    `/recordings/${callId}?signature=${id}.${later}.${mac}`,
    `/recordings/${callId}?signature=k9.${body}.${mac}`,
    `/recordings/${other}?signature=${signature}`,
    `/recordings/not-a-call?signature=${signature}`,
    recordingPath(platform, 'not-a-call'),
    `/recordings/${callId}?signature=${platform.api.base.keyRing.sign('reset-password', { callId }, new Date(Date.now() + 10 ** 9))}`,
  ];
  for (const each of altered)
    expect([each, summarize(await platform.client().get(each))]).toEqual([each, missing]);
});

test('CALL-40 until the file is stored a link returns 404 RECORDING_NOT_READY with Retry-After', async () => {
  const callId = await addExpectedRecording(platform, account.id);
  const link = recordingPath(platform, callId);
  const answer = await platform.client().get(link);
  expect([answer.status, answer.body.error.errorCode]).toEqual([404, 'RECORDING_NOT_READY']);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  expect((await platform.client().head(link)).status).toBe(404);
  await upload(platform, callId, wav(1));
  expect((await listen(link)).status).toBe(200);
});

test('CALL-28 a call whose recording was not made, lost or removed has no link', async () => {
  const { db } = platform.api.base;
  const [expected, stored, lost] = [
    await addExpectedRecording(platform, account.id),
    await addStoredRecording(platform, account.id),
    await addExpectedRecording(platform, account.id),
  ];
  await inAccount(db, account.id, (tx) => markAbsent(tx, account.id, lost));
  await inAccount(db, account.id, (tx) => markAbsent(tx, account.id, stored));
  const linked = await inAccount(db, account.id, (tx) =>
    recordedCalls(tx, account.id, [expected, stored, lost, randomUUID()]),
  );
  expect([...linked].toSorted()).toEqual([expected, stored].toSorted());
  expect(await inAccount(db, account.id, (tx) => recordedCalls(tx, account.id, []))).toEqual(new Set());
  const answer = await platform.client().get(recordingPath(platform, lost));
  expect([answer.status, answer.body.error.errorCode]).toEqual([404, 'NOT_FOUND']);
});

test('CALL-28 serves ranges of a recording to players that seek', async () => {
  const audio = wav(1);
  const link = recordingPath(platform, await addStoredRecording(platform, account.id, audio));
  const size = audio.length;
  const parts: [string, number, number][] = [
    ['bytes=0-', 0, size - 1],
    ['bytes=0-0', 0, 0],
    ['bytes=100-199', 100, 199],
    [`bytes=${size - 1}-`, size - 1, size - 1],
    ['bytes=-10', size - 10, size - 1],
    [`bytes=-${size * 2}`, 0, size - 1],
    [`bytes=100-${size * 9}`, 100, size - 1],
  ];
  for (const [range, start, end] of parts) {
    const answer = await listen(link, { range });
    expect([range, answer.status, answer.headers['content-range']]).toEqual([
      range,
      206,
      `bytes ${start}-${end}/${size}`,
    ]);
    expect(answer.audio.equals(audio.subarray(start, end + 1)), range).toBe(true);
    expect(answer.headers['content-length']).toBe(String(end - start + 1));
  }
  for (const range of ['bytes=0-1,5-9', 'seconds=1-2', 'bytes=', 'bytes=-', 'bytes=9-3', 'bytes=a-b', '']) {
    const answer = await listen(link, { range });
    expect([range, answer.status, answer.audio.length]).toEqual([range, 200, size]);
  }
  for (const range of [`bytes=${size}-`, `bytes=${size * 2}-${size * 3}`, 'bytes=-0']) {
    const answer = await platform.client().get(link, { headers: { range } });
    expect([range, answer.status, answer.body.error.errorCode]).toEqual([
      range,
      416,
      'RANGE_NOT_SATISFIABLE',
    ]);
    expect(answer.headers['content-range']).toBe(`bytes */${size}`);
  }
});

test('CALL-28 If-Range names the version of a range, and HEAD returns the size only', async () => {
  const audio = wav(1);
  const link = recordingPath(platform, await addStoredRecording(platform, account.id, audio));
  const head = await listen(link, { range: 'bytes=0-9' }, 'HEAD');
  expect(head.status).toBe(200);
  expect(head.audio.length).toBe(0);
  expect(head.headers).toMatchObject({ 'content-length': String(audio.length), 'accept-ranges': 'bytes' });
  const range = 'bytes=0-9';
  const same = await listen(link, { range, 'if-range': String(head.headers.etag) });
  expect([same.status, same.audio.length]).toEqual([206, 10]);
  const other = await listen(link, { range, 'if-range': '"another"' });
  expect([other.status, other.audio.length]).toEqual([200, audio.length]);
});

test('LIMIT-15 signed recording links are not rate limited', async () => {
  const link = recordingPath(platform, await addStoredRecording(platform, account.id));
  const client = platform.client();
  for (let times = 0; times < 100; times += 1) {
    const { status, headers } = await client.get(link, { headers: { range: 'bytes=0-9' } });
    expect([status, headers['ratelimit-limit']]).toEqual([206, undefined]);
  }
  expect((await client.head(link)).status).toBe(200);
});

test('each use of a link is logged before serving, readable by the account’s ADMINs only', async () => {
  const audio = wav(1);
  const callId = await addExpectedRecording(platform, account.id);
  const link = recordingPath(platform, callId);
  const listener = platform.client();
  await listener.get(link);
  await upload(platform, callId, audio);
  await listener.head(link);
  await listener.get(link);
  await listener.get(link, { headers: { range: 'bytes=44-143' } });
  await listener.get(link, { headers: { range: `bytes=${audio.length}-` } });
  await listener.get(`${link}x`);

  const path = `/calls/${callId}/recording/accesses`;
  const { body } = await account.admin.client.list(path, undefined, { page: '1' });
  const { address } = listener;
  expect(body.meta.totalItemCount).toBe(5);
  const use = {
    id: expect.any(String),
    at: expect.any(String),
    issuedTo: linkHolder,
    issuedToName: null,
    address,
    method: 'GET',
    rangeStart: null,
    bytes: 0,
  };
  expect(body.data).toEqual([
    { ...use, outcome: 'unsatisfiable' },
    { ...use, outcome: 'part', rangeStart: 44, bytes: 100 },
    { ...use, outcome: 'whole', bytes: audio.length },
    { ...use, outcome: 'whole', method: 'HEAD' },
    { ...use, outcome: 'not-ready' },
  ]);
  const parts = await account.admin.client.list(path, { where: { outcome: 'part' } }, { page: '1' });
  expect(parts.body.data).toHaveLength(1);

  const user = await account.addUser();
  expect((await user.client.get(path, { query: { page: '1' } })).status).toBe(403);
  const other = await createAccount(platform);
  for (const id of [callId, randomUUID(), 'nothing']) {
    const answer = await other.admin.client.get(`/calls/${id}/recording/accesses`, {
      query: { page: '1' },
    });
    expect([id, answer.status]).toEqual([id, 404]);
  }
});

test('a signature never reaches the log', async () => {
  const link = recordingPath(platform, await addStoredRecording(platform, account.id));
  await listen(link);
  const signature = new URL(link, 'http://any').searchParams.get('signature') ?? '';
  expect(signature.length).toBeGreaterThan(40);
  expect(platform.logLines.filter((line) => line.includes('/recordings/')).length).toBeGreaterThan(0);
  expect(platform.logLines.filter((line) => line.includes(signature.slice(0, 30)))).toEqual([]);
});
