import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addNode } from '../../../src/contexts/telephony/index.ts';
import { startVoice, type Voice } from '../../../src/main/start-voice.ts';
import { inAccount } from '../../../src/platform/db/database.ts';
import { addDeck } from '../../harness/fixtures/billing.ts';
import { type CallingAccount, createCallingAccount } from '../../harness/fixtures/call-limits.ts';
import { expectRecording } from '../../harness/fixtures/expect-recording.ts';
import { readRecordingState, wav } from '../../harness/fixtures/recordings.ts';
import { openOperator } from '../../harness/operator.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let voice: Voice;
let calling: CallingAccount;
const secrets = new Map<string, string>();

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000', VOICE_PORT: '0' });
  await addDeck(platform, [{ prefix: '55', price: 0.6 }]);
  calling = await createCallingAccount(platform);
  const operator = openOperator(platform);
  for (const name of ['m1', 'm2']) {
    const { secret } = await addNode(operator, { name, sipAddress: `127.9.0.${name.slice(1)}:5060` });
    secrets.set(name, secret);
  }
  await operator.close();
  voice = await startVoice(platform.config, platform.api.base, platform.api.money);
});
afterAll(async () => {
  await voice?.stop();
  await platform.close();
});
beforeEach(() => calling.cap({ callsPerSecond: 1_000, concurrentCalls: 1_000 }));

/** Creates an answered call on m1 in the database; the engine does not have it. */
async function talkOnM1(): Promise<string> {
  const { id } = (await calling.call()).body;
  await platform.database.query(`update live_calls set node = 'm1', claimed_at = now() where call_id = $1`, [
    id,
  ]);
  return id;
}

function ask(node: string, secret: string | undefined, method: string, path: string, body: string | Buffer) {
  const authorization = `Basic ${Buffer.from(`${node}:${secret}`).toString('base64')}`;
  const type = typeof body === 'string' ? 'application/json' : 'audio/wav';
  const headers = { authorization, 'content-type': type };
  const sent = typeof body === 'string' ? body : new Uint8Array(body);
  return fetch(`http://127.0.0.1:${voice.port}${path}`, { method, headers, body: sent });
}

const reportEnd = (node: string, callId: string, secret = secrets.get(node)) => {
  const now = Date.now() / 1000;
  const line = { uniqueid: `${callId}.a`, call_id: callId, answered_at: now - 2, ended_at: now };
  return ask(node, secret, 'POST', '/records', JSON.stringify({ lines: [line], isComplete: false }));
};

const readStatus = async (id: string) => (await calling.admin.client.get(`/calls/${id}`)).body.status;

test('a record from one node ends no call of another', async () => {
  const callId = await talkOnM1();
  expect((await reportEnd('m2', callId)).status).toBe(204);
  expect(await readStatus(callId)).not.toBe('ended');
  expect((await reportEnd('m1', callId)).status).toBe(204);
  expect(await readStatus(callId)).toBe('ended');
});

test('a record of a call without a node ends nothing', async () => {
  const { id } = (await calling.call()).body;
  expect((await reportEnd('m1', id)).status).toBe(204);
  expect(await readStatus(id)).not.toBe('ended');
});

test('a file from one node is not stored as a recording of another node’s call', async () => {
  const callId = await talkOnM1();
  const { clock, api } = platform;
  await inAccount(api.base.db, calling.id, (tx) =>
    expectRecording(tx, { accountId: calling.id, callId, at: clock.now(), node: 'm1' }),
  );
  const send = (node: string) => ask(node, secrets.get(node), 'PUT', `/recordings/${callId}`, wav(1));
  expect(await (await send('m2')).json()).toEqual({ outcome: 'refused' });
  expect(await readRecordingState(platform, callId)).toBe('expected');
  expect(await (await send('m1')).json()).toEqual({ outcome: 'stored' });
});

test('a node is authenticated by its own secret', async () => {
  const callId = await talkOnM1();
  for (const [node, secret] of [
    ['m1', secrets.get('m2')],
    ['m1', ''],
    ['', ''],
    ['m1\0', secrets.get('m1')],
    ["m1' or true --", 'x'],
  ] as const) {
    const { status } = await reportEnd(node, callId, secret ?? '');
    expect(status, node).toBeGreaterThanOrEqual(400);
  }
  expect(await readStatus(callId)).not.toBe('ended');
});
