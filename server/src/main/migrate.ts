import { fileURLToPath } from 'node:url';
import {
  applyMigrations,
  grantServiceRole,
  type MigrationStatus,
  readMigrationStatus,
  rehearseMigrations,
  whileMigrating,
} from '../platform/db/migrate.ts';
import { installJobs } from '../platform/jobs.ts';
import { queues } from './jobs.ts';
import { withFiles } from './settings-from-files.ts';

const directory = fileURLToPath(new URL('../../migrations', import.meta.url));

interface MigrateOptions {
  /** Rolls everything back at the end. */
  isRehearsal?: boolean;
  onWait?: () => void;
  onApplied?: (name: string, tookMs: number) => void;
}

/** Migrates a database as its owner: our migrations, those of the job queue, and the grants of the service role. */
export async function migrate(
  ownerUrl: string,
  serviceUrl: string | undefined,
  { isRehearsal = false, onWait, onApplied }: MigrateOptions = {},
): Promise<string[]> {
  return await whileMigrating(
    ownerUrl,
    async (owner) => {
      if (isRehearsal) return await rehearseMigrations(owner, directory);
      const applied = await applyMigrations(owner, directory, onApplied);
      await installJobs(ownerUrl, queues, 'disca_service');
      if (serviceUrl) await grantServiceRole(owner, decodeURIComponent(new URL(serviceUrl).username));
      return applied;
    },
    onWait ? { onWait } : {},
  );
}

/** Compares the database with the migrations of this release. */
export const migrationStatus = (ownerUrl: string): Promise<MigrationStatus> =>
  readMigrationStatus(ownerUrl, directory);

if (import.meta.main) {
  try {
    const { DATABASE_OWNER_URL: ownerUrl, DATABASE_URL: serviceUrl } = withFiles(process.env, [
      'DATABASE_OWNER_URL',
      'DATABASE_URL',
    ]);
    if (!ownerUrl)
      throw new Error('DATABASE_OWNER_URL is not set. Set it to the role that owns the database.');
    const applied = await migrate(ownerUrl, serviceUrl);
    process.stdout.write(
      applied.length > 0 ? `Applied ${applied.join(', ')}.\n` : 'The database is up to date.\n',
    );
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(1);
  }
}
