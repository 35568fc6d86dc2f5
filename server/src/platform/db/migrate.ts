import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { sha256 } from './definition-files.ts';
import { type DefinitionStatus, readDefinitionStatus, rehearseDefinitions } from './definitions.ts';

// An arbitrary key, the same on every node.
const migrationLock = 72_114_001;

const lockPollMs = 500;

/**
 * Connects as the owner and holds the migration lock: nodes that start at the same time migrate one after the other.
 * `onWait` is called once if another process holds the lock.
 */
export async function withMigrationLock<T>(
  ownerUrl: string,
  work: (owner: pg.Client) => Promise<T>,
  { onWait, patienceMs = 3_600_000 }: { onWait?: () => void; patienceMs?: number } = {},
): Promise<T> {
  return await asOwner(ownerUrl, async (owner) => {
    const deadline = Date.now() + patienceMs;
    for (let isFirst = true; !(await tryLock(owner)); isFirst = false) {
      if (isFirst) onWait?.();
      if (Date.now() > deadline)
        throw new Error('Another process is still migrating this database. Try again later.');
      await sleep(lockPollMs);
    }
    return await work(owner);
  });
}

async function tryLock(owner: pg.Client): Promise<boolean> {
  const { rows } = await owner.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [
    migrationLock,
  ]);
  return rows[0]?.got ?? false;
}

async function asOwner<T>(ownerUrl: string, work: (owner: pg.Client) => Promise<T>): Promise<T> {
  const owner = new pg.Client({ connectionString: ownerUrl, application_name: 'disca-migrate' });
  await owner.connect();
  try {
    return await work(owner);
  } finally {
    await owner.end();
  }
}

interface Migration {
  name: string;
  text: string;
  checksum: string;
}

/** The state of a database compared with the migration files of this release, by file name. */
export interface MigrationStatus {
  applied: string[];
  pending: string[];
  /** Migrations applied by a newer release. */
  unknown: string[];
  /** Migrations modified after they were applied, which is not allowed. */
  changed: string[];
}

/** The folders of the SQL files: table migrations, and the definitions that are installed after them. */
export interface SqlFolders {
  migrations: string;
  definitions: string;
}

/** Reads the status without changing anything or waiting for the migration lock. */
export const readMigrationStatus = (
  ownerUrl: string,
  folders: SqlFolders,
): Promise<MigrationStatus & { definitions: DefinitionStatus }> =>
  asOwner(ownerUrl, async (owner) => ({
    ...statusOf(await readApplied(owner), await readFiles(folders.migrations)),
    definitions: await readDefinitionStatus(owner, folders.definitions),
  }));

function statusOf(applied: Map<string, string>, files: Migration[]): MigrationStatus {
  const names = new Set(files.map(({ name }) => name));
  return {
    applied: [...applied.keys()],
    pending: files.filter(({ name }) => !applied.has(name)).map(({ name }) => name),
    unknown: [...applied.keys()].filter((name) => !names.has(name)),
    changed: files
      .filter(({ name, checksum }) => (applied.get(name) ?? checksum) !== checksum)
      .map(({ name }) => name),
  };
}

async function readApplied(client: pg.Client): Promise<Map<string, string>> {
  const there = await client.query(`select from pg_class where oid = to_regclass('migrations')`);
  if (!there.rowCount) return new Map();
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from migrations order by name',
  );
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

async function readFiles(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();
  return await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(directory, name), 'utf8');
      return { name, text, checksum: await sha256(text) };
    }),
  );
}

/** Returns the migrations to apply, in order; throws if an applied one was modified. */
async function findPending(client: pg.Client, directory: string): Promise<Migration[]> {
  const files = await readFiles(directory);
  const { pending, changed } = statusOf(await readApplied(client), files);
  const [first] = changed;
  if (first)
    throw new Error(`Migration ${first} was modified after it was applied. Write a new migration instead.`);
  return files.filter(({ name }) => pending.includes(name));
}

/** Applies pending migrations in order, each in its own transaction together with its record. */
export async function applyMigrations(
  client: pg.Client,
  directory: string,
  onApplied: (name: string, tookMs: number) => void = () => undefined,
): Promise<string[]> {
  await client.query(
    'create table if not exists migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
  );
  const pending = await findPending(client, directory);
  for (const { name, text, checksum } of pending) {
    const startedMs = Date.now();
    await applyOne(client, name, text, checksum);
    onApplied(name, Date.now() - startedMs);
  }
  return pending.map(({ name }) => name);
}

/** What a migration applied, or would apply. */
export interface Migrated {
  migrations: string[];
  definitions: string[];
}

/**
 * Applies migrations and definitions in one transaction and rolls it back, to report the errors that a real run would
 * have.
 */
export async function rehearseMigrations(client: pg.Client, folders: SqlFolders): Promise<Migrated> {
  const pending = await findPending(client, folders.migrations);
  await client.query('begin');
  try {
    await client.query("set local lock_timeout = '5s'");
    for (const { name, text } of pending) {
      await client.query(text).catch((error: unknown) => {
        throw new Error(`Migration ${name} would fail: ${(error as Error).message}`, { cause: error });
      });
    }
    return {
      migrations: pending.map(({ name }) => name),
      definitions: await rehearseDefinitions(client, folders.definitions),
    };
  } finally {
    await client.query('rollback');
  }
}

async function applyOne(client: pg.Client, name: string, text: string, checksum: string): Promise<void> {
  await client.query('begin');
  try {
    // Limits the wait for a lock held by old code, because new statements of old code queue behind this one.
    await client.query("set local lock_timeout = '5s'");
    await client.query(text);
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}

/** Makes a login role a member of a group of rights. */
export async function grantRole(
  owner: pg.Client,
  group: 'disca_service' | 'disca_operator',
  loginRole: string,
): Promise<void> {
  const { rows } = await owner.query<{ is: boolean }>(`select pg_has_role($1, $2::name, 'member') as is`, [
    loginRole,
    group,
  ]);
  if (!rows[0]?.is) await owner.query(`grant ${group} to ${pg.escapeIdentifier(loginRole)}`);
}
