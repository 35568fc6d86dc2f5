import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished, vi } from 'vitest';
import { root } from '../../tools/dev/paths.ts';
import { freePort } from '../../tools/dev/ports.ts';
import { exampleSettings, renderCompose } from './compose-files.ts';

const password = 'a-password-of-redis';

function startRedis(content: string, port: number) {
  const dir = mkdtempSync(join(tmpdir(), 'disca-redis-'));
  const file = join(dir, 'redis_password');
  writeFileSync(file, content);
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--set-proc-title', 'no'];
  const server = spawn(join(root, 'deploy/containers/bin/start-redis'), args, {
    cwd: dir,
    env: { PATH: process.env.PATH, PASSWORD_FILE: file },
  });
  onTestFinished(async () => {
    if (server.exitCode === null && server.kill()) await once(server, 'exit');
    rmSync(dir, { recursive: true });
  });
  return server;
}

async function ping(url: string): Promise<string> {
  const redis = new Redis(url, { maxRetriesPerRequest: 0, retryStrategy: () => null });
  redis.on('error', () => undefined);
  try {
    return await redis.ping();
  } catch (error) {
    return (error as Error).message;
  } finally {
    redis.disconnect();
  }
}

it('Redis of the image requires its password, which is not in the process list', async () => {
  const port = await freePort();
  const { pid = 0 } = startRedis(`${password}\n`, port);
  const right = `redis://:${password}@127.0.0.1:${port}`;
  await vi.waitFor(async () => expect(await ping(right)).toBe('PONG'), { timeout: 120_000 });
  expect(await ping(`redis://127.0.0.1:${port}`)).toContain('NOAUTH');
  expect(await ping(right.replace(password, 'wrong'))).toContain('WRONGPASS');
  const shown = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  expect(shown).toContain('redis-server');
  expect(shown).not.toContain(password);
});

it('Redis of the image does not start with an empty password', async () => {
  const [exitCode] = await once(startRedis('\n', await freePort()), 'exit');
  expect(exitCode).toBe(1);
});

it('every service that uses Redis reads the URL with its password from a secret', () => {
  const { services, secrets } = renderCompose(exampleSettings());
  const users = Object.values(services).filter(({ environment = {} }) => 'KEY_RING_FILE' in environment);
  expect(users.length).toBeGreaterThan(3);
  for (const { environment, secrets: mounted } of users) {
    expect(environment?.REDIS_URL_FILE).toBe('/run/secrets/redis_url');
    expect(mounted).toContain('redis_url');
  }
  expect(services.redis).toMatchObject({
    environment: { PASSWORD_FILE: '/run/secrets/redis_password' },
    secrets: ['redis_password'],
  });
  expect(Object.keys(secrets)).toEqual(expect.arrayContaining(['redis_password', 'redis_url']));
});
