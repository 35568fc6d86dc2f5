import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../../../tools/dev/ports.ts';
import { buildSettings } from '../../harness/deployments/chaos.ts';
import { until } from '../../harness/until.ts';
import { type Supervised, supervise } from './supervised.ts';

/** Closes connections after this time, when the process has already logged that Redis is down. */
const databaseMs = 100;

/** Supervises an API whose stores are down; returns it and a function that returns its log. */
async function superviseWithoutStores(
  env: Record<string, string>,
): Promise<{ api: Supervised; log(): string }> {
  const dir = mkdtempSync(join(tmpdir(), 'disca-supervised-'));
  const database = createServer((socket) => {
    socket.on('error', () => undefined);
    setTimeout(() => socket.destroy(), databaseMs);
  });
  await once(database.listen(0, '127.0.0.1'), 'listening');
  const { port } = database.address() as AddressInfo;
  const settings = buildSettings(dir, `postgres://disca@127.0.0.1:${port}/disca`, 'redis://127.0.0.1:1');
  const [httpPort, opsPort] = [String(await freePort()), String(await freePort())];
  const api = supervise('api', { dir, env: { ...settings, HTTP_PORT: httpPort, OPS_PORT: opsPort, ...env } });
  onTestFinished(async () => {
    await api.stop();
    database.close();
    rmSync(dir, { recursive: true, force: true });
  });
  return {
    api,
    log: () => readFileSync(join(dir, readdirSync(dir).find((name) => name.endsWith('.log')) ?? ''), 'utf8'),
  };
}

test('a process that cannot start gives the reason in its last line, and has not crashed', async () => {
  const { api, log } = await superviseWithoutStores({});
  await until(() => log().split('cannot start').length > 2, 'it has been started twice', 120);
  await api.stop();
  // Without the Redis warning, the order of the lines would prove nothing.
  const [first = ''] = log().split(/(?<=cannot start.*\n)/);
  expect(first).toContain('redis unavailable');
  expect(first.trimEnd().split('\n').at(-1)).toBe(
    'disca api cannot start. Connection terminated unexpectedly',
  );
  expect(api.crashes).toEqual([]);
});

test('an unexpected exit is reported as a crash, with its exit code and the end of its log', async () => {
  const fault = `data:text/javascript,queueMicrotask(() => { throw new Error('planted') })`;
  const { api } = await superviseWithoutStores({ NODE_OPTIONS: `--import="${encodeURI(fault)}"` });
  const crash = await until(() => api.crashes[0], 'the crash is noted', 120);
  expect(crash).toMatch(/^exit code 1; the last lines of its log:\n.*Error: planted/s);
});
