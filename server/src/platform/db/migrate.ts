import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

// Any number will do, as long as every node uses the same one.
const migrationLock = 72_114_001;

/** Connects as the owner and lets nobody else migrate meanwhile: two nodes that start together take turns. */
export async function whileMigrating<T>(
  ownerUrl: string,
  work: (owner: pg.Client) => Promise<T>,
): Promise<T> {
  const owner = new pg.Client({ connectionString: ownerUrl, application_name: 'disca-migrate' });
  await owner.connect();
  try {
    await owner.query('select pg_advisory_lock($1)', [migrationLock]);
    return await work(owner);
  } finally {
    await owner.end();
  }
}

/**
 * Applies what is missing, in order, each file in a transaction of its own with the note that it ran. Files never
 * change once they are released, so a changed one is refused rather than skipped.
 */
export async function applyMigrations(client: pg.Client, directory: string): Promise<string[]> {
  await client.query(
    'create table if not exists migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
  );
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from migrations',
  );
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  const names = (await readdir(directory)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();
  const fresh: string[] = [];
  for (const name of names) {
    const text = await readFile(join(directory, name), 'utf8');
    const checksum = await checksumOf(text);
    const known = applied.get(name);
    if (known === checksum) continue;
    if (known !== undefined)
      throw new Error(`Migration ${name} changed after it was applied. Write a new one instead.`);
    await applyOne(client, name, text, checksum);
    fresh.push(name);
  }
  return fresh;
}

async function applyOne(client: pg.Client, name: string, text: string, checksum: string): Promise<void> {
  await client.query('begin');
  try {
    // A lock that old code still holds must not make it queue behind us for long.
    await client.query("set local lock_timeout = '5s'");
    await client.query(text);
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}

async function checksumOf(text: string): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(text))).toString('hex');
}

/** Lets a login role act as the service. */
export async function grantServiceRole(owner: pg.Client, loginRole: string): Promise<void> {
  const { rows } = await owner.query<{ is: boolean }>(
    `select pg_has_role($1, 'disca_service', 'member') as is`,
    [loginRole],
  );
  if (!rows[0]?.is) await owner.query(`grant disca_service to ${pg.escapeIdentifier(loginRole)}`);
}
