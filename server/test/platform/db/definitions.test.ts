import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, expect, inject, test } from 'vitest';
import { compareDatabase } from '../../../../tools/sql/compare.ts';
import { migrate, sqlFolders } from '../../../src/main/migrate.ts';
import { readDefinitionFiles } from '../../../src/platform/db/definition-files.ts';
import { applyDefinitions, readDefinitionStatus, readObjects } from '../../../src/platform/db/definitions.ts';
import { rehearseMigrations } from '../../../src/platform/db/migrate.ts';
import { databaseUrl } from '../../harness/template.ts';

const scratch = mkdtempSync(join(tmpdir(), 'definitions-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let client: pg.Client;
let name: string;

async function asAdmin(text: string): Promise<void> {
  const admin = new pg.Client({ connectionString: inject('databaseOwnerUrl') });
  await admin.connect();
  await admin.query(text);
  await admin.end();
}

beforeEach(async () => {
  name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(`create database ${name}`);
  const url = databaseUrl(inject('databaseOwnerUrl'), name);
  await migrate(url, undefined);
  client = new pg.Client({ connectionString: url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await asAdmin(`drop database ${name} with (force)`);
});

/** Returns a copy of server/sql with one file changed and this revision. */
function release(revision: number, change: (text: string) => string, dropped: string[] = []): string {
  const folder = mkdtempSync(join(scratch, 'release-'));
  cpSync(sqlFolders.definitions, folder, { recursive: true });
  const file = join(folder, 'calls/quarter_of.sql');
  writeFileSync(file, change(readFileSync(file, 'utf8')));
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ revision, checksum: '', dropped }));
  return folder;
}

const comment = (text: string): string => `-- Changed.\n${text}`;

test('a migrated database has exactly the definitions of server/sql', async () => {
  const files = await readDefinitionFiles(sqlFolders.definitions);
  expect(await compareDatabase(client, files)).toEqual([]);

  await client.query('create function extra() returns integer language sql return 1');
  await client.query('drop policy own_account on calls');
  await client.query('alter function uuid_floor volatile');
  expect(await compareDatabase(client, files)).toEqual([
    'function public.extra is in the database and in no file of server/sql.',
    'policy own_account on public.calls is in server/sql and not in the database.',
    'function public.uuid_floor(at timestamp with time zone) differs from its file.',
  ]);
});

test('only changed files are applied, and the second run applies nothing', async () => {
  const next = release(1000, comment);
  expect(await applyDefinitions(client, next)).toEqual(['calls/quarter_of']);
  expect(await applyDefinitions(client, next)).toEqual([]);
});

test('an older release does not change the definitions of a newer one', async () => {
  await applyDefinitions(
    client,
    release(1000, (text) => text.replace("'15 minutes'", "'30 minutes'")),
  );
  const newer = await readObjects(client);
  expect(await applyDefinitions(client, sqlFolders.definitions)).toEqual([]);
  expect(await readObjects(client)).toEqual(newer);
  expect(await readDefinitionStatus(client, sqlFolders.definitions)).toEqual({
    pending: [],
    changedByHand: [],
    isNewer: true,
  });
});

test('a definition changed by hand is reported, and installed again by the next migration', async () => {
  const before = await readObjects(client);
  await client.query('alter function uuid_floor volatile');
  expect(await readDefinitionStatus(client, sqlFolders.definitions)).toEqual({
    pending: [],
    changedByHand: ['function public.uuid_floor(at timestamp with time zone)'],
    isNewer: false,
  });
  expect((await applyDefinitions(client, sqlFolders.definitions)).length).toBeGreaterThan(100);
  expect(await readObjects(client)).toEqual(before);
});

test('a file that fails changes nothing of its own and is applied by the next run', async () => {
  const before = await readObjects(client);
  const broken = release(1000, () => 'create or replace view v as select 1; select no_such_function();');
  await expect(applyDefinitions(client, broken)).rejects.toThrow(
    'server/sql/calls/quarter_of.sql failed: function no_such_function() does not exist',
  );
  expect(await readObjects(client)).toEqual(before);
  expect(await applyDefinitions(client, release(1001, comment))).toEqual(['calls/quarter_of']);
});

test('a rehearsal names changed files and changes nothing', async () => {
  const before = await readObjects(client);
  const next = release(1000, (text) => text.replace("'15 minutes'", "'30 minutes'"));
  expect(await rehearseMigrations(client, { ...sqlFolders, definitions: next })).toEqual({
    migrations: [],
    definitions: ['calls/quarter_of'],
  });
  expect(await readObjects(client)).toEqual(before);
});

test('definitions on the dropped list are removed', async () => {
  await client.query('create function former(integer) returns integer language sql return 1');
  const listed = async () => [...(await readObjects(client)).keys()].join('\n');
  expect(await listed()).toContain('public.former(');
  await applyDefinitions(client, release(1000, comment, ['function former(integer)', 'view never_existed']));
  expect(await listed()).not.toContain('public.former(');
});
