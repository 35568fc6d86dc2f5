import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ownName } from '../networks/namespaces.ts';
import { until } from '../until.ts';
import { type Host, type HostNetwork, openHostNetwork } from './host-network.ts';

let network: HostNetwork;
const dir = mkdtempSync(join(tmpdir(), 'disca-hosts-'));

afterEach(async () => {
  await network?.close();
  rmSync(dir, { recursive: true, force: true });
});

interface State {
  clockMs: number;
  uptimeMs: number;
  /** Increases with every write to the disk that has completed. */
  writes: number;
}

/** Serves the time of a host, and how often it has written to a file. */
const program = `
  const fs = require('node:fs');
  let writes = 0;
  const write = () => {
    fs.writeFileSync(process.argv[2], String(writes));
    writes += 1;
    setTimeout(write, 20);
  };
  const clock = () => ({ clockMs: Date.now(), uptimeMs: performance.now(), writes });
  require('node:http').createServer((_, response) => response.end(JSON.stringify(clock()))).listen(80);
  if (process.argv[2]) fs.promises.writeFile(process.argv[2], '').then(write);
`;

const startProbe = (host: Host, file = ''): Promise<void> =>
  host.start({
    name: 'probe',
    command: process.execPath,
    args: ['-e', program, 'probe', file],
    commandIncludes: 'probe',
    logFile: join(dir, `${host.name}.log`),
    cwd: '/',
    ending: [{ signal: 'SIGKILL', waitMs: 5_000 }],
    isReady: async () => (await ask(host)) !== undefined,
  });

async function ask({ address }: Host, timeoutMs = 20_000): Promise<State | undefined> {
  try {
    const response = await fetch(`http://${address}/`, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(timeoutMs),
    });
    return (await response.json()) as State;
  } catch {
    return undefined;
  }
}

const state = (host: Host): Promise<State> => until(() => ask(host), `${host.name} responds`);

test('a slow link delays both directions, loses frames, and is removed again', async () => {
  network = await openHostNetwork();
  const [slow, other] = [await network.addHost('slow'), await network.addHost('other')];
  await Promise.all([startProbe(slow), startProbe(other)]);
  const fastest = async (host: Host): Promise<number> => {
    const times: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      const startedAtMs = performance.now();
      await state(host);
      times.push(performance.now() - startedAtMs);
    }
    return Math.min(...times);
  };
  await slow.slowDown({ delayMs: 150 });
  // A connection and a request take two round trips.
  expect(await fastest(slow)).toBeGreaterThan(600);
  expect(await fastest(other)).toBeLessThan(600);
  await slow.slowDown({ delayMs: 0, lossPercent: 100 });
  expect(await ask(slow, 2_000)).toBeUndefined();
  await slow.restoreSpeed();
  expect(await fastest(slow)).toBeLessThan(600);
});

test('a moved clock changes the time of day of one host, not its timers', async () => {
  network = await openHostNetwork();
  const [moved, other] = [await network.addHost('moved', { hasClock: true }), await network.addHost('other')];
  await Promise.all([startProbe(moved), startProbe(other)]);
  const offsetSeconds = async (host: Host): Promise<number> =>
    Math.round(((await state(host)).clockMs - Date.now()) / 1_000);
  const uptimeMs = (await state(moved)).uptimeMs;
  for (const offset of [3_600, -90]) {
    moved.moveClock(offset);
    await until(
      async () => Math.abs((await offsetSeconds(moved)) - offset) <= 1,
      `the clock is ${offset} s off`,
    );
    expect(Math.abs(await offsetSeconds(other))).toBeLessThanOrEqual(1);
  }
  const passedMs = (await state(moved)).uptimeMs - uptimeMs;
  expect(passedMs).toBeGreaterThan(0);
  expect(passedMs).toBeLessThan(600_000);
  const shared = () => readdirSync('/dev/shm').filter((name) => name.includes('faketime'));
  const before = shared();
  await network.close();
  expect(before.length).toBeGreaterThan(shared().length);
});

test('a frozen disk stops writes until it is thawed; closing the network removes it', async () => {
  network = await openHostNetwork();
  const folder = join(dir, ownName('disk'));
  const host = await network.addHost('frozen', { diskAt: folder });
  await startProbe(host, join(folder, 'count'));
  const grows = async (): Promise<void> => {
    const { writes } = await state(host);
    await until(async () => (await state(host)).writes > writes, 'the host writes');
  };
  await grows();
  await host.freezeDisk();
  await until(async () => (await ask(host, 500)) === undefined, 'the host waits for its disk');
  await host.thawDisk();
  await grows();
  await host.freezeDisk();
  await until(async () => (await ask(host, 500)) === undefined, 'the host waits for its disk');
  await network.close();
  expect(readFileSync('/proc/self/mounts', 'utf8')).not.toContain(folder);
  expect(existsSync(`${folder}.img`)).toBe(false);
});
