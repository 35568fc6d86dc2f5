import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signatureHeaders } from '../../server/src/contexts/webhooks/delivery/sign.ts';
import { until } from '../../server/test/harness/until.ts';
import { freePort } from '../../tools/dev/ports.ts';

/** Runs the receivers of docs/examples/webhooks as their first lines say, with the signatures of our sender. */
const examples = join(import.meta.dirname, '../../docs/examples/webhooks');
const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const newSecret = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
const body = JSON.stringify({ version: '1.8', eventType: 'channel-hangup', metadata: { name: 'José' } });
const built = mkdtempSync(join(tmpdir(), 'disca-receivers-'));
const goReceiver = join(built, 'verify');

const languages: Record<string, (port: number) => string[]> = {
  JavaScript: () => [process.execPath, join(examples, 'verify.js')],
  Python: () => ['python3', join(examples, 'verify.py')],
  PHP: (port) => ['php', '-S', `127.0.0.1:${port}`, join(examples, 'verify.php')],
  Go: () => [goReceiver],
};

/** `go run` starts the program as a child process, which would outlive it. */
function buildGo(): void {
  const env = { ...process.env, GOCACHE: join(built, 'cache'), GO111MODULE: 'off' };
  const [go, ...args] = ['go', 'build', '-o', goReceiver, join(examples, 'verify.go')];
  const { status, stderr } = spawnSync(go, args, { env });
  if (status !== 0) throw new Error(String(stderr));
}

beforeAll(buildGo);
afterAll(() => rmSync(built, { recursive: true }));

describe.each(Object.entries(languages))('the receiver in %s', (_, command) => {
  let receiver: ChildProcess;
  let url: string;
  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}/`;
    const [program = '', ...args] = command(port);
    const env = { ...process.env, DISCA_SECRET: secret, PORT: String(port) };
    receiver = spawn(program, args, { env, stdio: 'ignore' });
    const isUp = () =>
      fetch(url, { method: 'POST' }).then(
        () => true,
        () => false,
      );
    await until(isUp, 'the receiver listens');
  });
  afterAll(async () => {
    receiver.kill();
    if (receiver.exitCode === null && receiver.signalCode === null) await once(receiver, 'exit');
  });

  const signed = (secrets = [secret], ageSeconds = 0) =>
    signatureHeaders('msg_1', new Date(Date.now() - ageSeconds * 1000), body, secrets);
  async function post(headers: Record<string, string>, text = body) {
    const sent = { 'content-type': 'application/json', ...headers };
    const response = await fetch(url, { method: 'POST', headers: sent, body: text });
    return { status: response.status, type: response.headers.get('x-event-type') };
  }

  test('accepts a signed webhook', async () => {
    expect(await post(signed())).toEqual({ status: 204, type: 'channel-hangup' });
  });

  test('rejects a modified webhook', async () => {
    const tampered = body.replace('hangup', 'answer');
    expect((await post(signed(), tampered)).status).toBe(401);
    expect((await post({ ...signed(), 'webhook-id': 'msg_2' })).status).toBe(401);
    expect((await post({ ...signed(), 'webhook-signature': 'v1,AAAA' })).status).toBe(401);
    expect((await post({ ...signed(), 'webhook-timestamp': 'now' })).status).toBe(401);
    expect((await post({})).status).toBe(401);
  });

  test('rejects a webhook with an old or future timestamp', async () => {
    expect((await post(signed([secret], 200))).status).toBe(204);
    expect((await post(signed([secret], 310))).status).toBe(401);
    expect((await post(signed([secret], -500))).status).toBe(401);
  });

  test('accepts both secrets of a rotation, and rejects another secret alone', async () => {
    expect((await post(signed([newSecret, secret]))).status).toBe(204);
    expect((await post(signed([secret, newSecret]))).status).toBe(204);
    expect((await post(signed([newSecret]))).status).toBe(401);
  });
});
