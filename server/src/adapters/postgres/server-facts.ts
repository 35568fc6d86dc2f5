import pg from 'pg';

/** Server properties relevant for backups. */
export interface ServerFacts {
  major: number;
  walLevel: string;
  walSenders: number;
  archives: boolean;
  segmentBytes: number;
  bytes: number;
  tablespaces: number;
  migration: string | null;
  now: Date;
}

// An arbitrary key, the same for every backup.
const backupLock = 72_114_002;
const connectMs = 10_000;

export async function withServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'disca-backup',
    connectionTimeoutMillis: connectMs,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Returns false while another backup holds the lock; it is released with the connection. */
export async function lockBackups(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [
    backupLock,
  ]);
  return rows[0]?.got ?? false;
}

/** Reads the role before the other facts, which a role without replication rights may not be able to read. */
export async function readRole(client: pg.Client): Promise<{ role: string; mayReplicate: boolean }> {
  const { rows } = await client.query<{ role: string; mayReplicate: boolean }>(
    `select rolname as role, rolsuper or rolreplication as "mayReplicate" from pg_roles where rolname = current_user`,
  );
  return rows[0] ?? { role: 'the current role', mayReplicate: false };
}

export async function readFacts(client: pg.Client): Promise<ServerFacts> {
  const { rows } = await client.query<Omit<ServerFacts, 'migration'>>(
    `select current_setting('server_version_num')::int / 10000 as major,
            current_setting('wal_level') as "walLevel",
            current_setting('max_wal_senders')::int as "walSenders",
            current_setting('archive_mode') <> 'off' as archives,
            (select setting::int from pg_settings where name = 'wal_segment_size') as "segmentBytes",
            (select sum(pg_database_size(oid))::float8 from pg_database) as bytes,
            (select count(*)::int from pg_tablespace where spcname not in ('pg_default', 'pg_global')) as tablespaces,
            clock_timestamp() as now`,
  );
  const [facts] = rows;
  if (!facts) throw new Error('PostgreSQL returned no row.');
  return { ...facts, migration: await lastMigration(client) };
}

async function lastMigration(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('public.migrations') is not null as there`,
  );
  if (!rows[0]?.there) return null;
  const last = await client.query<{ name: string }>('select name from migrations order by name desc limit 1');
  return last.rows[0]?.name ?? null;
}

export async function readServerTime(client: pg.Client): Promise<Date> {
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now');
  return rows[0]?.now ?? new Date();
}
