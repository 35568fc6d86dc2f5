import { CompiledQuery } from 'kysely';
import { type Job, type JobResult, PgBoss, type Queue } from 'pg-boss';
import type { Database, Tx } from './db/database.ts';
import { pollQueues, jobSchema as schema } from './poll-queues.ts';

export type QueueDefinition = Queue;

/** Enqueues jobs in the caller's transaction: a job exists if and only if the transaction commits. */
export interface JobQueue {
  enqueue(tx: Tx, queue: string, data: object, options?: EnqueueOptions): Promise<void>;
}

interface EnqueueOptions {
  startAfterSeconds?: number;
  /** In a queue with the policy `short`, no second job is added while one with this key is queued. */
  key?: string;
}

type JobHandler = (data: unknown, job: { id: string; signal: AbortSignal }) => Promise<void>;

export interface JobHandlers {
  [queue: string]: JobHandler;
}

/** Scheduled jobs: cron expressions in UTC, or intervals of a few seconds, which cron cannot express. */
export interface JobSchedule {
  [queue: string]: string | { everySeconds: number };
}

/** Maximum number of jobs of a queue that one worker runs concurrently. */
const batchSize = 10;
/** Heartbeat interval; a job whose worker misses its heartbeat is run by another worker. */
const defaultHeartbeatSeconds = 10;
/**
 * Interval of pg-boss's own monitoring, which reads all jobs to count them. Orphaned jobs are detected by the poller, so
 * it may be rare.
 */
const monitorSeconds = 3600;

/**
 * Opens the queue for enqueueing only, in any process. It uses the service's connection pool and needs no schema
 * rights.
 */
export async function openJobQueue(
  db: Database,
  onError: (error: Error) => void,
): Promise<JobQueue & { close(): Promise<void> }> {
  const boss = new PgBoss({
    db: executor(db),
    schema,
    migrate: false,
    createSchema: false,
    supervise: false,
    schedule: false,
  });
  boss.on('error', onError);
  await boss.start();
  return {
    async enqueue(tx, queue, data, { startAfterSeconds = 0, key } = {}) {
      await boss.send(queue, data, {
        db: inTransaction(tx),
        startAfter: startAfterSeconds,
        ...(key === undefined ? {} : { singletonKey: key }),
      });
    },
    close: () => boss.stop({ graceful: false, close: false }),
  };
}

/** Starts running jobs. Stopping waits up to `graceMs` for running jobs. */
export async function startWorking(
  db: Database,
  handlers: JobHandlers,
  schedule: JobSchedule,
  onError: (error: Error) => void,
): Promise<{ stop(graceMs: number): Promise<void> }> {
  const boss = new PgBoss({
    db: executor(db),
    schema,
    migrate: false,
    createSchema: false,
    supervise: true,
    superviseIntervalSeconds: monitorSeconds,
    monitorIntervalSeconds: monitorSeconds,
    schedule: true,
    // The service role owns no indexes, so it cannot rebuild them.
    reindex: false,
    monitorVacuum: false,
  });
  boss.on('error', onError);
  await boss.start();
  const workers = new Map<string, string>();
  for (const [queue, handle] of Object.entries(handlers)) {
    const options = {
      batchSize,
      burstWhenBatchFull: true,
      perJobResults: true,
      pollingIntervalSeconds: fallbackSeconds,
    } as const;
    const work = (jobs: Job<unknown>[]) => workAll(jobs, handle, onError);
    workers.set(queue, await boss.work<unknown, void, typeof options>(queue, options, work));
  }
  const polling = pollQueues(db, boss, workers, onError);
  const timers: NodeJS.Timeout[] = [];
  for (const [queue, when] of Object.entries(schedule)) {
    if (typeof when === 'string') await boss.schedule(queue, when, {}, { tz: 'UTC' });
    else timers.push(sendEvery(boss, queue, when.everySeconds, onError));
  }
  return {
    async stop(graceMs) {
      await polling.stop();
      for (const timer of timers) clearInterval(timer);
      await boss.stop({ graceful: true, timeout: graceMs, close: false });
    },
  };
}

/** Polling interval of pg-boss for each queue, in case the common poller fails. */
const fallbackSeconds = 60;

/** Enqueues now and then at the interval; all workers together create one job per interval. */
function sendEvery(
  boss: PgBoss,
  queue: string,
  seconds: number,
  onError: (error: Error) => void,
): NodeJS.Timeout {
  const send = () => boss.send(queue, {}, { singletonSeconds: seconds }).catch(onError);
  void send();
  return setInterval(() => void send(), seconds * 1000);
}

/** Runs the jobs of a batch concurrently; each one succeeds or is retried independently. */
async function workAll(
  jobs: Job<unknown>[],
  handle: JobHandler,
  onError: (error: Error) => void,
): Promise<JobResult[]> {
  return await Promise.all(
    jobs.map(async ({ id, data, signal }): Promise<JobResult> => {
      try {
        await handle(data, { id, signal });
        return { id, status: 'completed' };
      } catch (error) {
        onError(error as Error);
        return { id, status: 'failed', output: { message: (error as Error).message } };
      }
    }),
  );
}

/** Roles that use the queues. */
interface JobRoles {
  /** Adds and runs jobs. */
  worker: string;
  /** Only adds jobs. */
  sender?: string;
}

/** Creates or updates pg-boss's schema and queues. Run by the migration, as the database owner. */
export async function installJobs(
  ownerUrl: string,
  queues: QueueDefinition[],
  { worker, sender }: JobRoles,
): Promise<void> {
  const boss = new PgBoss({ connectionString: ownerUrl, schema, supervise: false, schedule: false, max: 2 });
  await boss.start();
  try {
    for (const { name, policy, heartbeatSeconds = defaultHeartbeatSeconds, ...own } of queues) {
      // Handlers that fetch jobs themselves send no heartbeats; their queues use 0.
      const options = heartbeatSeconds > 0 ? { ...own, heartbeatSeconds } : own;
      // A queue's policy cannot change; a new policy needs a new name.
      if (await boss.getQueue(name)) await boss.updateQueue(name, options);
      else await boss.createQueue(name, { ...options, ...(policy ? { policy } : {}) });
    }
    const granted = [...grants(worker), ...(sender ? senderGrants(sender) : [])];
    for (const statement of [dueIndex, activeIndex, ...granted]) await boss.getDb().executeSql(statement);
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** Index for due jobs. pg-boss's own index is ordered by age and would scan all jobs scheduled for later. */
const dueIndex = `create index if not exists job_due on ${schema}.job_common (name, start_after)
  where state < 'active' and not blocked`;

/** Index for active jobs, of which there are few: finding orphaned ones reads no waiting or completed jobs. */
const activeIndex = `create index if not exists job_active on ${schema}.job_common (name) where state = 'active'`;

/** Returns how long the oldest job of each queue has been due: one index lookup per queue. */
export async function oldestDueJobs(db: Database): Promise<{ queue: string; seconds: number }[]> {
  const { rows } = await db.pool.query<{ queue: string; seconds: number }>(
    `select q.name as queue, greatest(extract(epoch from now() - due.since), 0)::float8 as seconds
       from ${schema}.queue q
       left join lateral (select j.start_after as since from ${schema}.job_common j
                           where j.name = q.name and j.state < 'active' and not j.blocked
                           order by j.start_after limit 1) due on true
      where q.name not like '\\_\\_%'`,
  );
  return rows.map(({ queue, seconds }) => ({ queue, seconds: seconds ?? 0 }));
}

const grants = (role: string): string[] => [
  `grant usage on schema ${schema} to ${role}`,
  `grant select, insert, update, delete on all tables in schema ${schema} to ${role}`,
  `grant usage on all sequences in schema ${schema} to ${role}`,
  `grant execute on all functions in schema ${schema} to ${role}`,
];

const senderGrants = (role: string): string[] => [
  `grant usage on schema ${schema} to ${role}`,
  `grant select on all tables in schema ${schema} to ${role}`,
  `grant insert on ${schema}.job_common to ${role}`,
  `grant execute on all functions in schema ${schema} to ${role}`,
];

const executor = (db: Database) => ({
  executeSql: async (text: string, values: unknown[] = []) => await db.pool.query(text, values),
});

const inTransaction = (tx: Tx) => ({
  executeSql: async (text: string, values: unknown[] = []) => ({
    rows: (await tx.executeQuery(CompiledQuery.raw(text, values))).rows,
  }),
});
