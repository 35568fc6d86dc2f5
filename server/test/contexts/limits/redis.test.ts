import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningRedis, startRedis } from '../../../../tools/dev/services/redis.ts';
import { buildApp } from '../../../src/http/app.ts';
import { wireApi } from '../../../src/main/wire.ts';
import { type Client, createClient } from '../../harness/client.ts';
import { type Platform, redisOptions, startPlatform } from '../../harness/platform.ts';
import { until } from '../../harness/until.ts';

const requestStatuses = async (client: Client, count: number): Promise<number[]> => {
  const answers = await Promise.all(Array.from({ length: count }, () => client.get('/users/me')));
  return answers.map(({ status }) => status);
};
const served = (statuses: number[]): number => statuses.filter((status) => status === 401).length;

describe('two nodes', () => {
  let platform: Platform;
  beforeAll(async () => {
    platform = await startPlatform();
  });
  afterAll(() => platform.close());

  test('LIMIT-11 all nodes of the service share the counters', async () => {
    const second = await wireApi(platform.config, {
      log: platform.api.base.log,
      redis: redisOptions(platform.config),
    });
    const app = await buildApp(second.app);
    await app.ready();
    // Until its connection is ready, a node counts for itself.
    await until(() => second.redis.status === 'ready', 'the second node is connected to Redis');
    try {
      const here = platform.client();
      const there = createClient(app, platform.check, undefined, here.address);
      const statuses = await Promise.all([requestStatuses(here, 40), requestStatuses(there, 40)]);
      expect(served(statuses.flat())).toBe(60);
      expect((await there.get('/users/me')).status).toBe(429);
      expect((await here.get('/users/me')).status).toBe(429);
    } finally {
      await app.close();
      await second.close();
    }
  });
});

describe('Redis failure', () => {
  const dir = mkdtempSync(join(tmpdir(), 'limits-redis-'));
  let redis: RunningRedis;
  let platform: Platform;
  beforeAll(async () => {
    redis = await startRedis({ dir });
    platform = await startPlatform({ REDIS_URL: redis.url });
  });
  afterAll(async () => {
    await platform.close();
    await redis.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  test('LIMIT-13 while Redis is down requests are served and limited, then counted there again', async () => {
    const client = platform.client();
    expect(served(await requestStatuses(client, 30))).toBe(30);

    const burst = requestStatuses(client, 30);
    await redis.stop('kill');
    expect((await burst).every((status) => status === 401 || status === 429)).toBe(true);
    const unavailable = [await requestStatuses(client, 60), await requestStatuses(client, 60)].flat();
    expect(unavailable.every((status) => status === 401 || status === 429)).toBe(true);
    expect(served(unavailable)).toBeLessThanOrEqual(60);
    expect(served(await requestStatuses(client, 5))).toBe(0);
    expect(await platform.api.base.metrics.text()).toMatch(/disca_limiter_fallbacks_total\{.*\} [1-9]/);

    // Login has its own bucket and its hold-off; both work without Redis.
    const guess = () =>
      platform.client().from(client.address).post('/users/login', { email: 'a@b.test', password: 'x' });
    const guesses: number[] = [];
    for (let count = 0; count < 12; count++) guesses.push((await guess()).status);
    expect(guesses.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
    expect(guesses.slice(10)).toEqual([429, 429]);

    await redis.restart();
    const other = platform.client();
    const counted = async () => {
      await other.get('/users/me');
      return await platform.api.redis.exists(`limit:address:${other.address}`).catch(() => 0);
    };
    await expect.poll(counted, { timeout: 120_000, interval: 100 }).toBe(1);
  });

  test('LIMIT-13 logs once that Redis is unavailable', () => {
    const lines = platform.logLines.filter((line) => line.includes('redis unavailable'));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThan(100);
  });
});
