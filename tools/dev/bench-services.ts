import { ensureDatabase, withClient } from './database.ts';
import { inDev } from './paths.ts';
import { step } from './progress.ts';
import { runInForeground } from './run-command.ts';
import { startPostgres } from './services/postgres.ts';
import { startRedis } from './services/redis.ts';

const database = 'disca_bench';

/**
 * Runs a program with its own PostgreSQL and Redis; large generated tables are kept for the next run. PostgreSQL is
 * durable, except with `--short`, which measures nothing.
 */
export async function runWithBenchServices(
  file: string,
  args: string[],
  settings: Record<string, string> = {},
): Promise<number> {
  const postgres = await step('postgres', () =>
    startPostgres({
      dir: inDev('bench', 'postgres'),
      durable: !args.includes('--short'),
      settings: { max_wal_size: '4GB', ...settings },
    }),
  );
  try {
    const redis = await step('redis', () => startRedis({ dir: inDev('bench', 'redis') }));
    try {
      await withClient(postgres.url, (client) => ensureDatabase(client, database));
      const databaseUrl = new URL(postgres.url);
      databaseUrl.pathname = `/${database}`;
      return await runInForeground(process.execPath, [file, ...args], {
        DATABASE_OWNER_URL: databaseUrl.href,
        REDIS_URL: redis.url,
      });
    } finally {
      await redis.stop();
    }
  } finally {
    await postgres.stop();
  }
}
