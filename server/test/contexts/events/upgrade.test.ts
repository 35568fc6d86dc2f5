import type pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compareDatabase } from '../../../../tools/sql/compare.ts';
import { migrate, sqlFolders } from '../../../src/main/migrate.ts';
import { readDefinitionFiles } from '../../../src/platform/db/definition-files.ts';
import { applyMigrations } from '../../../src/platform/db/migrate.ts';
import { uuidv7 } from '../../../src/platform/ids.ts';
import { createFormerDatabase, type FormerDatabase } from '../../harness/former-database.ts';

const dayMs = 24 * 3600 * 1000;
let database: FormerDatabase;
let url: string;
let client: pg.Client;

/** Creates a database as it was before the log was partitioned. */
beforeEach(async () => {
  database = await createFormerDatabase('0038', 'live');
  ({ url, client } = database);
});
afterEach(() => database.drop());

/** Inserts an event as the previous release does. */
const insert = (at: Date, number: number | null) =>
  client.query(
    `insert into events (id, account_id, type, subject_id, data, occurred_at, account_sequence)
     values ($1, 1, 'test', 'x', '{}', $2, $3)`,
    [uuidv7(at), at, number],
  );

const rows = async <Row extends object>(text: string): Promise<Row[]> => (await client.query<Row>(text)).rows;

const numbers = async (): Promise<(number | null)[]> =>
  (
    await rows<{ n: string | null }>(
      'select account_sequence as n from recorded_events where account_id = 1 order by occurred_at',
    )
  ).map(({ n }) => (n === null ? null : Number(n)));

const partitions = async (): Promise<string[]> =>
  (
    await rows<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'events'::regclass order by 1`,
    )
  ).map(({ name: partition }) => partition);

const now = Date.now();
const daysAgo = (days: number): Date => new Date(now - days * dayMs);

test('an upgrade keeps all events, numbers those that waited, and drops the former table when it is old', async () => {
  await client.query('insert into event_counters values (1, 2)');
  await insert(daysAgo(80), 1);
  await insert(daysAgo(1), 2);
  await insert(new Date(now - 2_000), null);
  // Until the definitions are installed, the previous release records and numbers as before.
  await applyMigrations(client, sqlFolders.migrations);
  await client.query('select * from sequence_events(10, now())');
  await insert(new Date(now - 1_000), null);
  await migrate(url, undefined);
  expect(await compareDatabase(client, await readDefinitionFiles(sqlFolders.definitions))).toEqual([]);
  await client.query(`select record_event($1, 1, 'test', 'x', '{}', $2)`, [
    uuidv7(new Date(now)),
    new Date(now),
  ]);
  expect(await numbers()).toEqual([1, 2, 3, null, null]);
  await client.query('select number_events(10, now())');
  expect(await numbers()).toEqual([1, 2, 3, 4, 5]);

  // Days that the former table covers get no partition of their own.
  await client.query(`select make_event_days(current_date - 1, current_date + 9)`);
  expect(await partitions()).toHaveLength(5);
  await client.query(`select drop_event_days(current_date - 90)`);
  expect(await numbers()).toEqual([1, 2, 3, 4, 5]);
  await client.query(`select drop_event_days(current_date + 1)`);
  expect(await partitions()).not.toContain('events_unpartitioned');
  expect(await numbers()).toEqual([]);
});

test('the former table becomes a partition without being rewritten', async () => {
  await insert(daysAgo(3), 1);
  const [before] = await rows<{ file: string; indexes: string[] }>(storage('events'));
  await migrate(url, undefined);
  expect(await rows(storage('events_unpartitioned'))).toEqual([before]);
});

/** The files of a table and its indexes: unchanged if nothing was rewritten. */
const storage = (table: string): string =>
  `select pg_relation_filenode('${table}') as file,
          array(select pg_relation_filenode(indexrelid) from pg_index where indrelid = '${table}'::regclass order by 1) as indexes`;

test('an upgrade that stops between the two migrations leaves the previous release working', async () => {
  await insert(daysAgo(1), 1);
  await database.migrateBefore('0039');
  await insert(new Date(now), 2);
  await insert(new Date(now + 6 * dayMs), 3);
  await migrate(url, undefined);
  expect(await numbers()).toEqual([1, 2, 3]);
});

test('a new database has no former table', async () => {
  await migrate(url, undefined);
  expect(await partitions()).toEqual(['events_default']);
});
