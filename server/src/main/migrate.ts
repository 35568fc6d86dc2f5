import { fileURLToPath } from 'node:url';
import { applyMigrations, grantServiceRole, whileMigrating } from '../platform/db/migrate.ts';
import { installJobs } from '../platform/jobs.ts';
import { queues } from './jobs.ts';
import { withFiles } from './settings-from-files.ts';

/** Brings a database up to date as its owner: our migrations, the job queue's, and the rights of the service's role. */
export async function migrate(ownerUrl: string, serviceUrl: string | undefined): Promise<string[]> {
  const directory = fileURLToPath(new URL('../../migrations', import.meta.url));
  return await whileMigrating(ownerUrl, async (owner) => {
    const applied = await applyMigrations(owner, directory);
    await installJobs(ownerUrl, queues, 'disca_service');
    if (serviceUrl) await grantServiceRole(owner, decodeURIComponent(new URL(serviceUrl).username));
    return applied;
  });
}

if (import.meta.main) {
  try {
    const { DATABASE_OWNER_URL: ownerUrl, DATABASE_URL: serviceUrl } = withFiles(process.env, [
      'DATABASE_OWNER_URL',
      'DATABASE_URL',
    ]);
    if (!ownerUrl)
      throw new Error('DATABASE_OWNER_URL is not set: it names the role that owns the database.');
    const applied = await migrate(ownerUrl, serviceUrl);
    process.stdout.write(
      applied.length > 0 ? `Applied ${applied.join(', ')}.\n` : 'The database is up to date.\n',
    );
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(1);
  }
}
