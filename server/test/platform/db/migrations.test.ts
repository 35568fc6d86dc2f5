import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, expect, inject, test } from 'vitest';
import { migrate } from '../../../src/main/migrate.ts';
import { applyMigrations, withMigrationLock } from '../../../src/platform/db/migrate.ts';
import { databaseUrl, serviceRole } from '../../harness/template.ts';

const ours = readdirSync(new URL('../../../migrations', import.meta.url)).toSorted();
const scratch = mkdtempSync(join(tmpdir(), 'migrations-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let name: string;
let url: string;

beforeEach(async () => {
  name = `test_${randomBytes(6).toString('hex')}`;
  url = databaseUrl(inject('databaseOwnerUrl'), name);
  await query(inject('databaseOwnerUrl'), `create database ${name}`);
});
afterEach(() => query(inject('databaseOwnerUrl'), `drop database ${name} with (force)`));

async function query(at: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: at });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

const apply = (dir: string) => withMigrationLock(url, (owner) => applyMigrations(owner, dir));

/** Creates a folder with these migrations. */
function folder(files: Record<string, string>): string {
  const dir = mkdtempSync(join(scratch, 'files-'));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(dir, file), text);
  return dir;
}

test('an empty database gets every migration in order, and a second run changes nothing', async () => {
  const service = databaseUrl(url, name, serviceRole);
  expect((await migrate(url, service)).migrations).toEqual(ours);
  const noted = await query(url, 'select name, checksum, applied_at from migrations order by name');
  expect(noted.map((row) => row.name)).toEqual(ours);

  expect(await migrate(url, service)).toEqual({ migrations: [], definitions: [] });
  expect(await query(url, 'select name, checksum, applied_at from migrations order by name')).toEqual(noted);
});

test('two concurrent runs wait for each other: every migration is applied once', async () => {
  const service = databaseUrl(url, name, serviceRole);
  const applied = await Promise.all([migrate(url, service), migrate(url, service)]);
  expect(applied.flatMap(({ migrations }) => migrations).toSorted()).toEqual(ours);
  expect(applied).toContainEqual({ migrations: [], definitions: [] });
});

test('rejects a file that changed after it was applied', async () => {
  const dir = folder({ '0001_one.sql': 'create table one ()', '0002_two.sql': 'create table two ()' });
  expect(await apply(dir)).toEqual(['0001_one.sql', '0002_two.sql']);
  writeFileSync(join(dir, '0001_one.sql'), 'create table one (id int)');
  writeFileSync(join(dir, '0003_three.sql'), 'create table three ()');
  await expect(apply(dir)).rejects.toThrow('0001_one.sql was modified after it was applied');
  expect(await query(url, `select to_regclass('three') as three`)).toEqual([{ three: null }]);
});

test('a failed migration leaves no changes, keeps earlier ones, and can be corrected', async () => {
  const dir = folder({
    '0001_one.sql': 'create table one ()',
    '0002_two.sql': 'create table two (); select no_such_function()',
    '0003_three.sql': 'create table three ()',
  });
  await expect(apply(dir)).rejects.toThrow(/0002_two\.sql failed: function no_such_function/);
  const tables = `select to_regclass('one')::text as one, to_regclass('two')::text as two, to_regclass('three')::text as three`;
  expect(await query(url, tables)).toEqual([{ one: 'one', two: null, three: null }]);

  writeFileSync(join(dir, '0002_two.sql'), 'create table two ()');
  expect(await apply(dir)).toEqual(['0002_two.sql', '0003_three.sql']);
});

test('ignores files without a migration name', async () => {
  const dir = folder({
    '0001_one.sql': 'select 1',
    'README.md': '',
    '0002_two.sql.orig': 'no',
    '2_three.sql': 'no',
  });
  expect(await apply(dir)).toEqual(['0001_one.sql']);
});

test('migration numbers are unique', () => {
  const numbers = ours.map((file) => file.slice(0, 4));
  expect(numbers).toEqual(ours.map((_, index) => String(index + 1).padStart(4, '0')));
});
