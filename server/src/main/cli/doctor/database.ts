import { sql } from 'kysely';
import { type Database, openDatabase } from '../../../platform/db/database.ts';
import type { DefinitionStatus } from '../../../platform/db/definitions.ts';
import { assertOperatorRole, assertRestrictedRole, findMembership } from '../../../platform/db/role.ts';
import { exportConnections, longQueryConnections } from '../../connections.ts';
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
  maxConnections: number;
}

export const checkDatabase = ({ DATABASE_URL: url, DATABASE_POOL_SIZE: poolSize = 20 }: Settings): Check => ({
  part: 'postgresql',
  otherwise: 'Start PostgreSQL, and check host, port, user and password in DATABASE_URL.',
  async look() {
    if (!url) throw new Error('DATABASE_URL is not valid');
    return await withDatabase(url, async (db) => {
      const { rows } = await sql<Server>`
        select current_setting('server_version_num')::int as version, current_setting('server_version') as shown,
               current_setting('server_encoding') as encoding, current_setting('fsync')::bool as fsync,
               current_setting('full_page_writes')::bool as "fullPageWrites",
               current_setting('synchronous_commit') as "synchronousCommit",
               current_setting('max_connections')::int as "maxConnections"`.execute(db.kysely);
      const [server] = rows;
      if (!server) throw new Error('PostgreSQL returned no server settings');
      return judgeServer(server, poolSize);
    });
  },
});

function judgeServer(server: Server, poolSize: number): Finding {
  const part = 'postgresql';
  if (server.version < oldestVersion)
    return fault(part, `it is version ${server.shown}`, 'Upgrade PostgreSQL to 15 or later.');
  if (server.encoding !== 'UTF8')
    return fault(
      part,
      `the database encoding is ${server.encoding}`,
      'Recreate the database with encoding UTF8.',
    );
  const unsafe = [
    server.fsync ? '' : 'fsync = off',
    server.fullPageWrites ? '' : 'full_page_writes = off',
    server.synchronousCommit === 'off' ? 'synchronous_commit = off' : '',
  ].filter(Boolean);
  if (unsafe.length > 0) {
    return fault(
      part,
      `it runs with ${unsafe.join(', ')}: a power failure can lose calls and money`,
      'Remove these settings and restart it.',
    );
  }
  // One api, worker and voice process, and a second one of each during a rolling upgrade.
  const needed = 6 * (poolSize + longQueryConnections) + 2 * exportConnections;
  if (server.maxConnections < needed) {
    return warning(
      part,
      `max_connections is ${server.maxConnections}, but two of each process may hold ${needed}`,
      'Raise max_connections, lower DATABASE_POOL_SIZE, or use a connection pooler.',
    );
  }
  return ok(part, `${server.shown}, durable, ${server.maxConnections} connections`);
}

export const checkRole = ({ DATABASE_URL: url }: Settings): Check => ({
  part: 'database role',
  otherwise:
    'Run disca migrate to grant the role: DATABASE_URL must name a login role that is a member of disca_service only.',
  async look() {
    if (!url) throw new Error('DATABASE_URL is not valid');
    return await withDatabase(url, async (db) => {
      await assertRestrictedRole(db);
      const { role, isMember } = await findMembership(db, 'disca_service');
      if (isMember) return ok('database role', `${role} is a member of disca_service only`);
      return fault(
        'database role',
        `${role} is not a member of disca_service, so it cannot read anything`,
        `Run disca migrate with this DATABASE_URL, or as the owner: grant disca_service to "${role}"`,
      );
    });
  },
});

export const checkOperatorRole = ({ DATABASE_OPERATOR_URL: url }: Settings): Check => ({
  part: 'operator role',
  otherwise:
    'Set DATABASE_OPERATOR_URL to a login role for operator commands and run disca migrate, which creates it and grants its rights.',
  async look() {
    if (!url) throw new Error('DATABASE_OPERATOR_URL is not set, so operator commands do not run');
    return await withDatabase(url, async (db) => {
      await assertOperatorRole(db);
      const { role } = await findMembership(db, 'disca_operator');
      return ok('operator role', `${role} is a member of disca_operator only`);
    });
  },
});

export const checkMigrations = ({ DATABASE_OWNER_URL: url }: Settings): Check => ({
  part: 'migrations',
  otherwise: 'Check that DATABASE_OWNER_URL names the role that owns the database.',
  async look() {
    if (!url) throw new Error('DATABASE_OWNER_URL is not set');
    const { applied, pending, unknown, changed, definitions } = await migrationStatus(url);
    if (changed.length > 0) {
      return fault(
        'migrations',
        `${changed.join(', ')} changed after it was applied`,
        'Restore the file from the release that applied it.',
      );
    }
    if (pending.length > 0)
      return fault(
        'migrations',
        `${pending.length} not applied, starting with ${pending[0]}`,
        'Run: disca migrate',
      );
    if (unknown.length > 0) {
      return warning(
        'migrations',
        `the database is newer than this release: it has ${unknown.join(', ')}`,
        'Upgrade this installation; an older release may use a newer database only during an upgrade.',
      );
    }
    return judgeDefinitions(definitions) ?? ok('migrations', `all ${applied.length} are applied`);
  },
});

/** Names up to three; after an upgrade all may be missing. */
const nameSome = (names: string[]): string =>
  names.length > 3 ? `${names.slice(0, 3).join(', ')} …` : names.join(', ');

function judgeDefinitions({ pending, changedByHand, isNewer }: DefinitionStatus): Finding | undefined {
  if (isNewer) {
    return warning(
      'migrations',
      'the SQL definitions in the database are from a newer release',
      'Upgrade this installation; an older release may use a newer database only during an upgrade.',
    );
  }
  if (pending.length > 0)
    return fault(
      'migrations',
      `${pending.length} SQL definition${pending.length === 1 ? '' : 's'} not installed: ${nameSome(pending)}`,
      'Run: disca migrate',
    );
  if (changedByHand.length > 0)
    return warning(
      'migrations',
      `changed in the database since the last migration: ${nameSome(changedByHand)}`,
      'Run disca migrate to install the definitions of this release again, and drop what is not part of it.',
    );
  return undefined;
}
