import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { databaseUrl, serviceRole } from '../../harness/template.ts';
import { until } from '../../harness/until.ts';
import { runDisca } from '../../scenarios/backup/disca.ts';

const name = `migrate_${process.pid}`;
let owner: pg.Client;
let ownerUrl: string;
beforeAll(async () => {
  const admin = new pg.Client({ connectionString: inject('databaseOwnerUrl') });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  ownerUrl = databaseUrl(inject('databaseOwnerUrl'), name);
  owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  const admin = new pg.Client({ connectionString: inject('databaseOwnerUrl') });
  await admin.connect();
  await admin.query(`drop database ${name} with (force)`);
  await admin.end();
});

const disca = (...args: string[]) =>
  runDisca({ DATABASE_OWNER_URL: ownerUrl, DATABASE_URL: databaseUrl(ownerUrl, name, serviceRole) }, args);

test('migrates after a dry run that changes nothing, one process at a time, and reports it', async () => {
  const [before, rehearsed] = await Promise.all([
    disca('migrate', 'status'),
    disca('migrate', '--dry-run', '--json'),
  ]);
  expect(before).toMatchObject({ code: 1, out: expect.stringContaining('pending  0001_tenancy.sql') });
  expect(before.out).toContain('pending  server/sql/calls/move_calls.sql');
  expect(rehearsed.code).toBe(0);
  const { pending, definitions } = JSON.parse(rehearsed.out);
  expect(definitions).toContain('calls/move_calls');
  expect((await owner.query(`select from pg_class where relname = 'accounts'`)).rowCount).toBe(0);

  // Holds the lock, as if another node were migrating.
  await owner.query('select pg_advisory_lock(72114001)');
  const migrating = disca('migrate');
  await until(async () => {
    const waiting = `select from pg_stat_activity where datname = $1 and query like '%pg_try_advisory_lock%' and pid <> pg_backend_pid()`;
    return (await owner.query(waiting, [name])).rowCount;
  }, 'the command waits for the lock');
  expect((await owner.query(`select from pg_class where relname = 'accounts'`)).rowCount).toBe(0);
  await owner.query('select pg_advisory_unlock(72114001)');
  const migrated = await migrating;
  expect(migrated).toMatchObject({
    code: 0,
    out: `Applied ${pending.join(', ')}, ${definitions.length} SQL definitions.\n`,
  });
  expect(migrated.err).toMatch(/waiting …\n0001_tenancy\.sql \(\d+\.\d s\)/);

  const [again, status] = await Promise.all([
    disca('migrate', '--json'),
    disca('migrate', 'status', '--json'),
  ]);
  expect(JSON.parse(again.out)).toEqual({ applied: [], definitions: [] });
  expect(status.code).toBe(0);
  expect(JSON.parse(status.out)).toEqual({
    applied: pending,
    pending: [],
    unknown: [],
    changed: [],
    definitions: { pending: [], changedByHand: [], isNewer: false },
  });
});
