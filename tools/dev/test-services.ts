import { withLock } from './lock.ts';
import { inDev } from './paths.ts';
import { knownPort, settlePort } from './ports.ts';
import { endAndRemove, endOrphans, findRunning } from './process-records.ts';
import { ownerRole, postgresUrl, startPostgres } from './services/postgres.ts';
import { redisUrl, startRedis } from './services/redis.ts';
import { takeTestLease, testRunsInProgress } from './test-leases.ts';

export interface TestServices {
  /** Superuser on the database `postgres`; test databases are created beside it. */
  databaseOwnerUrl: string;
  redisUrl: string;
  /**
   * In CI, stops the services that this call started once they are unused; elsewhere they keep running for the next
   * run.
   */
  stop(): Promise<void>;
}

export const testServiceNames = ['test-postgres', 'test-redis'] as const;

/** Starts the PostgreSQL and Redis that all tests of this checkout share; fast if they already run. */
export async function startTestServices(): Promise<TestServices> {
  return withLock(async () => {
    await endOrphans();
    const wereRunning = testServiceNames.filter((name) => findRunning(name));
    if (!wereRunning.includes('test-postgres')) {
      await startPostgres({
        name: 'test-postgres',
        dir: inDev('test', 'postgres'),
        port: await settlePort('testPostgres'),
        durable: false,
        outlives: true,
      });
    }
    if (!wereRunning.includes('test-redis')) {
      await startRedis({
        name: 'test-redis',
        dir: inDev('test', 'redis'),
        port: await settlePort('testRedis'),
        outlives: true,
      });
    }
    const lease = takeTestLease();
    return {
      databaseOwnerUrl: postgresUrl({
        port: knownPort('testPostgres'),
        user: ownerRole,
        database: 'postgres',
      }),
      redisUrl: redisUrl(knownPort('testRedis')),
      stop: () => {
        lease.giveBack();
        const started = testServiceNames.filter((name) => !wereRunning.includes(name));
        return process.env.CI ? stopTestServices(started) : Promise.resolve();
      },
    };
  });
}

/** Stops the test services, unless tests are running. */
export async function stopTestServices(names: readonly string[] = testServiceNames): Promise<void> {
  await withLock(async () => {
    if (testRunsInProgress().length > 0) return;
    for (const name of names) {
      const entry = findRunning(name);
      if (entry) await endAndRemove(entry);
    }
  });
}
