import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { freePort } from '../../../tools/dev/ports.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database.ts';
import { password, signupBody } from '../harness/people.ts';
import { testSettings } from '../harness/platform.ts';

const entry = new URL('../../src/main/api.ts', import.meta.url).pathname;

let database: TestDatabase;
const children: ChildProcess[] = [];

beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(async () => {
  // Kills only processes that a failed test left behind.
  for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
  await database.drop();
});

interface Running {
  child: ChildProcess;
  url: string;
  opsUrl: string;
  /** Resolves once the process has written this text. */
  said(text: string): Promise<void>;
  ended: Promise<{ code: number | null; output: string }>;
}

async function start(settings: Record<string, string> = {}): Promise<Running> {
  const [httpPort, opsPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [entry], {
    env: {
      PATH: process.env.PATH,
      ...testSettings(database.serviceUrl, inject('redisUrl')),
      HTTP_HOST: '127.0.0.1',
      HTTP_PORT: String(httpPort),
      OPS_PORT: String(opsPort),
      RATE_LIMIT_SCALE: '1000',
      // A login waits for a lock until the process is stopping.
      STATEMENT_TIMEOUT_MS: '60000',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  return {
    child,
    url: `http://127.0.0.1:${httpPort}/api/v1`,
    opsUrl: `http://127.0.0.1:${opsPort}`,
    said: (text) => expect.poll(() => output, { timeout: 120_000, interval: 20 }).toContain(text),
    ended: once(child, 'exit').then(([code]) => ({ code, output })),
  };
}

const post = (url: string, body: unknown): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

test('a stopping API finishes requests in progress, accepts no new ones and exits with 0', async () => {
  const { child, url, opsUrl, said, ended } = await start();
  await said('"started"');
  const body = signupBody();
  expect((await post(`${url}/accounts/signup`, body)).status).toBe(201);
  await database.query(`update accounts set status = 'active'`);

  // The login waits for its user's row, which another connection has locked, so it is in progress when the signal
  // arrives.
  const holder = new pg.Client({ connectionString: database.ownerUrl });
  await holder.connect();
  await holder.query('begin; select from users for update');
  const login = post(`${url}/users/login`, { email: body.email, password });
  await expect.poll(async () => (await waiting()).length, { timeout: 120_000, interval: 20 }).toBe(1);

  child.kill('SIGTERM');
  await said('"stopping"');
  expect((await fetch(`${opsUrl}/health/ready`)).status).toBe(503);
  await expect(fetch(`${url}/users/me`)).rejects.toThrow('fetch failed');
  await holder.query('rollback');
  await holder.end();

  const answer = await login;
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ id: expect.stringMatching(/^[\w-]{64}$/) });
  const { code, output } = await ended;
  expect(code).toBe(0);
  expect(output).toContain('"stopped"');
});

const waiting = () =>
  database.query(`select from pg_stat_activity where application_name = 'disca-api' and wait_event_type = 'Lock'
                   and datname = current_database()`);

test('a stopping API reports not ready and serves one request per connection until drained', async () => {
  const { child, url, opsUrl, said, ended } = await start({ SHUTDOWN_DELAY_MS: '10000' });
  await said('"started"');
  const before = await fetch(`${url}/users/me`);
  expect(before.headers.get('connection')).toBe('keep-alive');
  child.kill('SIGTERM');
  await said('"stopping"');
  expect((await fetch(`${opsUrl}/health/ready`)).status).toBe(503);
  const after = await fetch(`${url}/users/me`);
  expect(after.status).toBe(401);
  expect(after.headers.get('connection')).toBe('close');
  expect((await ended).code).toBe(0);
});

test('a second signal ends the process immediately', async () => {
  const { child, url, said, ended } = await start();
  await said('"started"');
  const body = signupBody();
  await post(`${url}/accounts/signup`, body);
  await database.query(`update accounts set status = 'active'`);
  const holder = new pg.Client({ connectionString: database.ownerUrl });
  await holder.connect();
  await holder.query('begin; select from users for update');
  const login = post(`${url}/users/login`, { email: body.email, password }).catch(
    (error: Error) => error.message,
  );
  await expect.poll(async () => (await waiting()).length, { timeout: 120_000, interval: 20 }).toBe(1);

  child.kill('SIGTERM');
  await said('"stopping"');
  child.kill('SIGTERM');
  expect((await ended).code).toBe(1);
  expect(await login).toBe('fetch failed');
  await holder.end();
});

test('reports a wrong configuration and a role that bypasses tenancy at start', async () => {
  const [wrong, owner] = await Promise.all([
    start({ KEY_RING: 'k1:c2VjcmV0', CONSOLE_URL: 'nowhere' }),
    start({ DATABASE_URL: database.ownerUrl }),
  ]);
  const [faults, refused] = await Promise.all([wrong.ended, owner.ended]);
  expect(faults.code).toBe(1);
  expect(faults.output).toMatch(/CONSOLE_URL must be a URL/);
  expect(faults.output).toMatch(/KEY_RING must be a list/);
  expect(faults.output).not.toMatch(/c2VjcmV0|nowhere/);
  expect(refused.code).toBe(1);
  expect(refused.output).toContain('bypasses row-level security');
});
