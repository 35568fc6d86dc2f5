import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withClient } from '../database.ts';
import { findRunning } from '../process-records.ts';
import { type RunningPostgres, startPostgres } from '../services/postgres.ts';
import { type RunningRedis, startRedis } from '../services/redis.ts';

// mkdtemp creates a folder that only its owner may enter, which is the difficult case for PostgreSQL under root.
const dir = mkdtempSync(join(tmpdir(), 'disca-services-'));
let postgres: RunningPostgres;
let redis: RunningRedis;

beforeAll(async () => {
  postgres = await startPostgres({ dir: join(dir, 'postgres'), durable: true, password: 'p@ss/word' });
  redis = await startRedis({ dir: join(dir, 'redis') });
});

afterAll(async () => {
  await redis?.stop();
  await postgres?.drop();
  rmSync(dir, { recursive: true, force: true });
});

const countRows = (): Promise<number> =>
  withClient(postgres.url, async (client) => {
    const result = await client.query<{ count: number }>('select count(*)::int as count from kept');
    return result.rows[0]?.count ?? 0;
  });

describe('the service library', () => {
  it('restarts PostgreSQL with its rows after every kind of end', async () => {
    await withClient(postgres.url, (client) =>
      client.query('create table kept as select generate_series(1, 100) as n'),
    );
    for (const mode of ['fast', 'immediate', 'kill'] as const) {
      const before = postgres.pid;
      await postgres.restart(mode);
      expect(postgres.pid).not.toBe(before);
      expect(await countRows()).toBe(100);
    }
  });

  it('requires the password', async () => {
    const url = new URL(postgres.url);
    url.password = 'wrong';
    await expect(withClient(url.href, () => Promise.resolve())).rejects.toThrow(
      /password authentication failed/,
    );
  });

  it('restarts Redis on its port after a kill and stops it when frozen', async () => {
    process.kill(redis.pid, 'SIGKILL');
    await redis.restart();
    process.kill(redis.pid, 'SIGSTOP');
    await redis.stop();
    expect(findRunning(`redis-${redis.port}`)).toBeUndefined();
  });
});
