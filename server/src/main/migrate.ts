import { fileURLToPath } from 'node:url';
import { applyDefinitions } from '../platform/db/definitions.ts';
import {
  applyMigrations,
  grantRole,
  type Migrated,
  readMigrationStatus,
  rehearseMigrations,
  withMigrationLock,
} from '../platform/db/migrate.ts';
import { installJobs } from '../platform/jobs.ts';
import { queues } from './jobs.ts';
import { addLogin, userOf } from './login-roles.ts';
import { withFiles } from './settings-from-files.ts';

export const sqlFolders = {
  migrations: fileURLToPath(new URL('../../migrations', import.meta.url)),
  definitions: fileURLToPath(new URL('../../sql', import.meta.url)),
};

interface MigrateOptions {
  /** Applies everything and rolls back. */
  isRehearsal?: boolean;
  onWait?: () => void;
  onApplied?: (name: string, tookMs: number) => void;
  /** Connection of operator commands. Its login role is created if it is missing. */
  operatorUrl?: string | undefined;
}

/**
 * Brings a database up to date as its owner: table migrations, the definitions of server/sql, the job queue's own
 * migrations, the rights of the service and of operator commands, and their login roles' membership.
 */
export async function migrate(
  ownerUrl: string,
  serviceUrl: string | undefined,
  { isRehearsal = false, onWait, onApplied, operatorUrl }: MigrateOptions = {},
): Promise<Migrated> {
  return await withMigrationLock(
    ownerUrl,
    async (owner) => {
      if (isRehearsal) return await rehearseMigrations(owner, sqlFolders);
      const migrations = await applyMigrations(owner, sqlFolders.migrations, onApplied);
      const definitions = await applyDefinitions(owner, sqlFolders.definitions);
      await installJobs(ownerUrl, queues, { worker: 'disca_service', sender: 'disca_operator' });
      if (serviceUrl) await grantRole(owner, 'disca_service', userOf(serviceUrl));
      if (operatorUrl) {
        await addLogin(owner, operatorUrl);
        await grantRole(owner, 'disca_operator', userOf(operatorUrl));
      }
      return { migrations, definitions };
    },
    onWait ? { onWait } : {},
  );
}

/** Compares the database with this release. */
export const migrationStatus = (ownerUrl: string): ReturnType<typeof readMigrationStatus> =>
  readMigrationStatus(ownerUrl, sqlFolders);

/** Describes in one sentence what was applied. */
export function describeMigrated({ migrations, definitions }: Migrated, verb = 'Applied'): string {
  const count = `${definitions.length} SQL definition${definitions.length === 1 ? '' : 's'}`;
  const parts = [...migrations, ...(definitions.length > 0 ? [count] : [])];
  return parts.length > 0 ? `${verb} ${parts.join(', ')}.` : 'The database is up to date.';
}

if (import.meta.main) {
  try {
    const set = withFiles(process.env, ['DATABASE_OWNER_URL', 'DATABASE_URL', 'DATABASE_OPERATOR_URL']);
    const {
      DATABASE_OWNER_URL: ownerUrl,
      DATABASE_URL: serviceUrl,
      DATABASE_OPERATOR_URL: operatorUrl,
    } = set;
    if (!ownerUrl)
      throw new Error('DATABASE_OWNER_URL is not set. Set it to the role that owns the database.');
    const applied = await migrate(ownerUrl, serviceUrl, { operatorUrl });
    process.stdout.write(`${describeMigrated(applied)}\n`);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(1);
  }
}
