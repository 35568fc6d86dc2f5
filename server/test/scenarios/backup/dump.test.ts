import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withClient } from '../../../../tools/dev/database.ts';
import { inDev } from '../../../../tools/dev/paths.ts';
import { type RunningPostgres, startPostgres } from '../../../../tools/dev/services/postgres.ts';
import { postgresProgram } from '../../../../tools/dev/services/postgres-programs.ts';
import { migrate } from '../../../src/main/migrate.ts';
import { databaseUrl, serviceRole } from '../../harness/template.ts';
import { type Stores, startStores } from '../chaos/stores.ts';

const dir = inDev('dump', randomBytes(4).toString('hex'));
let stores: Stores;
let other: RunningPostgres;
beforeAll(async () => {
  stores = await startStores(dir);
  other = await startPostgres({ dir: join(dir, 'other'), durable: false });
});
afterAll(async () => {
  await stores?.stop();
  await other?.drop();
  rmSync(dir, { recursive: true, force: true });
});

const run = (program: string, ...args: string[]) =>
  execFileSync(postgresProgram(program), args, { stdio: 'pipe' });

test('a dump is restored on a new server once its roles exist', async () => {
  const dump = join(dir, 'disca.dump');
  run('pg_dump', '--format', 'custom', '--file', dump, stores.ownerUrl);
  await withClient(other.url, async (client) => {
    await client.query('create database disca');
  });
  const url = databaseUrl(other.url, 'disca');
  const restore = () => run('pg_restore', '--exit-on-error', '--dbname', url, dump);
  expect(restore).toThrow(/role "disca_\w+" does not exist/);
  await withClient(other.url, async (client) => {
    // A failed restore leaves objects behind, so always restore into an empty database.
    await client.query('drop database disca');
    await client.query('create database disca');
    await client.query('create role disca_service nologin');
    await client.query('create role disca_edge nologin');
    await client.query('create role disca_operator nologin');
    await client.query(`create role ${serviceRole} login`);
  });
  restore();
  const service = databaseUrl(url, 'disca', serviceRole);
  await migrate(url, service);
  await withClient(service, async (client) => {
    const { rows } = await client.query('select count(*)::int as found from accounts');
    expect(rows).toEqual([{ found: 0 }]);
  });
});
