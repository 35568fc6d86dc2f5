import { cpSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { queues } from '../server/src/main/jobs.ts';
import { migrate, sqlFolders } from '../server/src/main/migrate.ts';
import {
  checksumOfAll,
  readDefinitionFiles,
  readManifest,
} from '../server/src/platform/db/definition-files.ts';
import { readObjects } from '../server/src/platform/db/definitions.ts';
import { applyMigrations } from '../server/src/platform/db/migrate.ts';
import { installJobs } from '../server/src/platform/jobs.ts';
import { databaseUrl } from '../server/test/harness/template.ts';
import { startTestServices } from './dev/test-services.ts';
import { compareDatabase } from './sql/compare.ts';
import { checkDefinitions, checkMigrations, definedObjects } from './sql/definition-rules.ts';
import { checkOwners, declaredOwners } from './sql/owner-rules.ts';
import { checkPrepared } from './sql/prepared-rules.ts';
import { tablesOfSource, tablesOfSql } from './sql/table-uses.ts';

/**
 * Raises the revision in server/sql/manifest.json if a file of server/sql has changed. With --check it changes nothing
 * and verifies the files, later migrations, prepared statements and table owners, and that a new and an upgraded
 * database have exactly the definitions of server/sql.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const { definitions: folder, migrations: migrationFolder } = sqlFolders;
const manifest = await readManifest(folder);
const files = await readDefinitionFiles(folder);
const checksum = await checksumOfAll(files, manifest.dropped);

if (process.argv.includes('--check')) {
  const faults = [...checkFiles(), ...(await checkDatabases())];
  if (faults.length > 0) {
    process.stderr.write(`${faults.join('\n')}\n`);
    process.exitCode = 1;
  }
} else if (manifest.checksum !== checksum) {
  const raised = { ...manifest, revision: manifest.revision + 1, checksum };
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(raised, null, 2)}\n`);
}

function checkFiles(): string[] {
  const contexts = readdirSync(join(root, 'server/src/contexts'));
  const migrations = readdirSync(migrationFolder).map((name) => ({
    name,
    text: readFileSync(join(migrationFolder, name), 'utf8'),
  }));
  const sources = globSync('server/src/**/*.ts', { cwd: root });
  return [
    ...(manifest.checksum === checksum
      ? []
      : ['server/sql has changed. Raise its revision with: npm run sql:revision']),
    ...checkDefinitions(files, [...contexts, 'platform', 'edge', 'retired']),
    ...checkMigrations(migrations, files),
    ...sources.flatMap((path) => checkPrepared(path, readFileSync(join(root, path), 'utf8'))),
    ...checkTables(sources),
  ];
}

function checkTables(sources: string[]): string[] {
  const views = definedObjects(files)
    .filter(({ identity }) => identity.startsWith('view '))
    .map(({ identity }) => identity.replace(/^view (public\.)?/, ''));
  const uses = [
    ...files.map(({ name, text }) => ({ path: `server/sql/${name}.sql`, uses: tablesOfSql(text) })),
    ...sources.map((path) => ({ path, uses: tablesOfSource(path, readFileSync(join(root, path), 'utf8')) })),
  ];
  return checkOwners(uses, declaredOwners(new Set(views)));
}

async function checkDatabases(): Promise<string[]> {
  const services = await startTestServices();
  const owner = new pg.Client({ connectionString: services.databaseOwnerUrl });
  await owner.connect();
  const names = [`sql_new_${process.pid}`, `sql_upgraded_${process.pid}`] as const;
  const [fresh, upgraded] = names.map((name) => databaseUrl(services.databaseOwnerUrl, name)) as [
    string,
    string,
  ];
  try {
    for (const name of names) await owner.query(`create database ${name}`);
    await installFormerRelease(upgraded);
    const faults: string[] = [];
    for (const url of [fresh, upgraded]) {
      await migrate(url, undefined);
      const { definitions } = await migrate(url, undefined);
      faults.push(...definitions.map((name) => `server/sql/${name}.sql was applied twice.`));
      faults.push(...(await withClient(url, (client) => compareDatabase(client, files))));
    }
    return [...faults, ...(await differences(fresh, upgraded))];
  } finally {
    for (const name of names) await owner.query(`drop database if exists ${name}`);
    await owner.end();
    await services.stop();
  }
}

/** Migrates a database as the last release without server/sql did. */
async function installFormerRelease(url: string): Promise<void> {
  const former = mkdtempSync(join(tmpdir(), 'former-release-'));
  try {
    for (const name of readdirSync(migrationFolder).filter((file) => file < '0033'))
      cpSync(join(migrationFolder, name), join(former, name));
    await withClient(url, (client) => applyMigrations(client, former));
    await installJobs(url, queues, { worker: 'disca_service' });
  } finally {
    rmSync(former, { recursive: true, force: true });
  }
}

async function differences(left: string, right: string): Promise<string[]> {
  const [a, b] = [await withClient(left, readObjects), await withClient(right, readObjects)];
  return [...new Set([...a.keys(), ...b.keys()])]
    .filter((identity) => a.get(identity) !== b.get(identity))
    .map((identity) => `${identity} differs between a new and an upgraded database.`);
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
