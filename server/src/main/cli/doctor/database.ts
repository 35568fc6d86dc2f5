import { sql } from 'kysely';
import { type Database, openDatabase } from '../../../platform/db/database.ts';
import { assertRestrictedRole } from '../../../platform/db/role.ts';
import { migrationStatus } from '../../migrate.ts';
import { type Check, type Finding, fault, ok, warning } from './finding.ts';
import type { Settings } from './settings.ts';

const oldestVersion = 150_000;

export async function withDatabase<T>(url: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase(
    { url, poolSize: 1, applicationName: 'disca-doctor', statementTimeoutMs: 10_000 },
    () => undefined,
  );
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

interface Server {
  version: number;
  shown: string;
  encoding: string;
  fsync: boolean;
  fullPageWrites: boolean;
  synchronousCommit: string;
  mostConnections: number;
}

export const checkDatabase = ({ DATABASE_URL: url, DATABASE_POOL_SIZE: poolSize = 20 }: Settings): Check => ({
  part: 'postgresql',
  otherwise: 'Start PostgreSQL, and see that DATABASE_URL names its host, port, user and password.',
  async look() {
    if (!url) throw new Error('DATABASE_URL cannot be read');
    return await withDatabase(url, async (db) => {
      const { rows } = await sql<Server>`
        select current_setting('server_version_num')::int as version, current_setting('server_version') as shown,
               current_setting('server_encoding') as encoding, current_setting('fsync')::bool as fsync,
               current_setting('full_page_writes')::bool as "fullPageWrites",
               current_setting('synchronous_commit') as "synchronousCommit",
               current_setting('max_connections')::int as "mostConnections"`.execute(db.kysely);
      const [server] = rows;
      if (!server) throw new Error('PostgreSQL says nothing of itself');
      return judgeServer(server, poolSize);
    });
  },
});

function judgeServer(server: Server, poolSize: number): Finding {
  const part = 'postgresql';
  if (server.version < oldestVersion)
    return fault(part, `it is version ${server.shown}`, 'Upgrade PostgreSQL to 15 or later.');
  if (server.encoding !== 'UTF8')
    return fault(part, `the database is in ${server.encoding}`, 'Make the database anew with encoding UTF8.');
  const unsafe = [
    server.fsync ? '' : 'fsync = off',
    server.fullPageWrites ? '' : 'full_page_writes = off',
    server.synchronousCommit === 'off' ? 'synchronous_commit = off' : '',
  ].filter(Boolean);
  if (unsafe.length > 0) {
    return fault(
      part,
      `it runs with ${unsafe.join(', ')}: a loss of power loses calls and money`,
      'Remove these from its settings and restart it.',
    );
  }
  // An api, a worker and a voice process, and one of each that comes while another goes.
  const needed = 6 * poolSize;
  if (server.mostConnections < needed) {
    return warning(
      part,
      `max_connections is ${server.mostConnections}, and two of each process may hold ${needed}`,
      'Raise max_connections, lower DATABASE_POOL_SIZE, or put a pooler in between.',
    );
  }
  return ok(part, `${server.shown}, durable, ${server.mostConnections} connections`);
}

export const checkRole = ({ DATABASE_URL: url }: Settings): Check => ({
  part: 'database role',
  otherwise:
    'Let disca migrate grant it: set DATABASE_URL to a login role that is a member of disca_service only.',
  async look() {
    if (!url) throw new Error('DATABASE_URL cannot be read');
    return await withDatabase(url, async (db) => {
      await assertRestrictedRole(db);
      const { rows } = await sql<{ role: string; isMember: boolean }>`
        select current_user as role,
               coalesce((select pg_has_role(current_user, oid, 'usage') from pg_roles where rolname = 'disca_service'),
                        false) as "isMember"`.execute(db.kysely);
      const { role = '', isMember = false } = rows[0] ?? {};
      if (isMember) return ok('database role', `${role} is a member of disca_service and nothing more`);
      return fault(
        'database role',
        `${role} is no member of disca_service, so that it may read nothing`,
        `Run disca migrate with this DATABASE_URL, or as the owner: grant disca_service to "${role}"`,
      );
    });
  },
});

export const checkMigrations = ({ DATABASE_OWNER_URL: url }: Settings): Check => ({
  part: 'migrations',
  otherwise: 'See that DATABASE_OWNER_URL names the role that owns the database.',
  async look() {
    if (!url) throw new Error('DATABASE_OWNER_URL is not set');
    const { applied, pending, unknown, changed } = await migrationStatus(url);
    if (changed.length > 0) {
      return fault(
        'migrations',
        `${changed.join(', ')} changed after it was applied`,
        'Put back the file of the release that applied it.',
      );
    }
    if (pending.length > 0)
      return fault(
        'migrations',
        `${pending.length} are not applied, from ${pending[0]} on`,
        'Run: disca migrate',
      );
    if (unknown.length > 0) {
      return warning(
        'migrations',
        `the database is newer than this release: it has ${unknown.join(', ')}`,
        'Upgrade this installation; an older release works beside a newer database only while an upgrade lasts.',
      );
    }
    return ok('migrations', `all ${applied.length} are applied`);
  },
});
