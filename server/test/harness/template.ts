import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { queues } from '../../src/main/jobs.ts';
import { migrate, sqlFolders } from '../../src/main/migrate.ts';
import { removeBudgets } from './budgets.ts';
import { proveEndpoints } from './proven-endpoints.ts';

/** The login role of the service in tests: a member of disca_service only. */
export const serviceRole = 'disca_app';
/** The login role of operator commands in tests: a member of disca_operator only. */
export const operatorRole = 'disca_operator_login';

/** Builds a migrated, empty database once per set of SQL files; its name contains their hash. */
export async function buildTemplate(ownerUrl: string): Promise<string> {
  const name = `template_${await recipe()}`;
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    await owner.query(`select pg_advisory_lock(1)`);
    for (const role of [serviceRole, operatorRole])
      await owner.query(
        `do $$ begin create role ${role} login; exception when duplicate_object then null; end $$`,
      );
    const { rowCount } = await owner.query('select from pg_database where datname = $1 and datistemplate', [
      name,
    ]);
    if (!rowCount) await fill(owner, ownerUrl, name);
  } finally {
    await owner.end();
  }
  return name;
}

async function fill(owner: pg.Client, ownerUrl: string, name: string): Promise<void> {
  await owner.query(`drop database if exists ${name}`);
  await owner.query(`create database ${name}`);
  const url = databaseUrl(ownerUrl, name);
  await migrate(url, databaseUrl(url, name, serviceRole), {
    operatorUrl: databaseUrl(url, name, operatorRole),
  });
  await removeBudgets(url);
  await proveEndpoints(url);
  await owner.query(`alter database ${name} with is_template true allow_connections false`);
}

async function recipe(): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(queues));
  for (const folder of Object.values(sqlFolders)) {
    const files = (await readdir(folder, { recursive: true })).filter((file) => /\.(sql|json)$/.test(file));
    for (const file of files.toSorted()) hash.update(await readFile(join(folder, file)));
  }
  for (const file of ['budgets.ts', 'proven-endpoints.ts'])
    hash.update(await readFile(join(import.meta.dirname, file)));
  return hash.digest('hex').slice(0, 16);
}

export function databaseUrl(url: string, database: string, user?: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  if (user) changed.username = user;
  return changed.toString();
}
