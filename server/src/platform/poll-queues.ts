import { setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery } from 'kysely';
import type { PgBoss } from 'pg-boss';
import { type Database, inTransaction } from './db/database.ts';

export const jobSchema = 'pgboss';

const pollMs = 500;
/** Number of polls from one search for orphaned jobs to the next: 5 s. */
const pollsPerOrphanSearch = 10;

/**
 * Finds the queues with due jobs, in one statement for all of them, and wakes their workers. Polling each queue would
 * cost a statement per queue even without jobs. Also fails orphaned jobs of all queues.
 */
export function pollQueues(
  db: Database,
  boss: PgBoss,
  workers: Map<string, string>,
  onError: (error: Error) => void,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const queues = [...workers.keys()];
  const poll = async (round: number): Promise<void> => {
    if (round % pollsPerOrphanSearch === 0) await failOrphans(db, boss);
    for (const queue of await findDueQueues(db, queues)) boss.notifyWorker(workers.get(queue) ?? '');
  };
  const run = async (): Promise<void> => {
    for (let round = 0; !stopping.signal.aborted; round += 1) {
      await poll(round).catch(onError);
      await sleep(pollMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Returns the queues that have due jobs: one index lookup per queue. */
async function findDueQueues(db: Database, queues: string[]): Promise<string[]> {
  const { rows } = await db.pool.query<{ name: string }>(
    `select q.name from unnest($1::text[]) as q (name)
      where exists (select from ${jobSchema}.job_common j
                     where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now())`,
    [queues],
  );
  return rows.map(({ name }) => name);
}

/** Reads only active jobs, through their own index. */
const findOrphans = `
  select j.name, j.id from ${jobSchema}.job_common j
   where j.state = 'active'
     and (j.heartbeat_on + j.heartbeat_seconds * interval '1 s' < now()
       or j.started_on + j.expire_seconds * interval '1 s' < now())
   limit 1000 for update skip locked`;

/**
 * Fails jobs whose worker has died or that ran for too long; those with retries left run again. The rows are locked, so
 * that a job is not failed again by another process after it was restarted.
 */
async function failOrphans(db: Database, boss: PgBoss): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { rows } = await tx.executeQuery<{ name: string; id: string }>(CompiledQuery.raw(findOrphans));
    const executor = {
      executeSql: async (text: string, values: unknown[] = []) =>
        await tx.executeQuery(CompiledQuery.raw(text, values)),
    };
    for (const [name, orphans] of Map.groupBy(rows, (row) => row.name)) {
      const ids = orphans.map(({ id }) => id);
      await boss.fail(name, ids, { message: 'The worker of the job stopped.' }, { db: executor });
    }
  });
}
