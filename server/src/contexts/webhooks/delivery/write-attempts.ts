import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, inTransaction } from '../../../platform/db/database.ts';
import type { GroupedJob, GroupedJobs, QueueDefinition, TakenJob } from '../../../platform/jobs.ts';
import { type Clock, secondsAfter } from '../../../platform/time.ts';
import { type Attempt, saveAttempts } from './delivery.store.ts';
import { type DisableDeps, disableIntegrations } from './disable-integration.ts';
import { disableAfterSeconds } from './retry.rules.ts';
import { type DeliveryJob, retryQueue } from './webhook.queues.ts';

export interface WriteDeps extends DisableDeps {
  db: Database;
  clock: Clock;
  jobs: GroupedJobs;
  onError(error: unknown): void;
}

export interface Finished {
  job: TakenJob<DeliveryJob>;
  /** Absent if the job is obsolete. */
  attempt: Attempt | undefined;
}

/** Attempts that finish within this time are written in one transaction. */
const writeEveryMs = 20;
const afterFailureMs = 200;

/** Batches finished attempts and writes them in order, retrying until it succeeds. */
export function createWriter(
  deps: WriteDeps,
  queue: QueueDefinition,
  onWritten: (written: Finished[]) => void,
): (finished: Finished) => void {
  let waiting: Finished[] = [];
  let isWriting = false;
  async function writeAll(): Promise<void> {
    isWriting = true;
    await sleep(writeEveryMs);
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await write(deps, queue, batch);
        onWritten(batch);
      } catch (error) {
        deps.onError(error);
        waiting = [...batch, ...waiting];
        await sleep(afterFailureMs);
      }
    }
    isWriting = false;
  }
  return (finished) => {
    waiting.push(finished);
    if (!isWriting) void writeAll();
  };
}

/** Writes the attempts, enqueues the next jobs and removes the old ones, all in one transaction. */
async function write(deps: WriteDeps, queue: QueueDefinition, batch: Finished[]): Promise<void> {
  const attempts = batch.map(({ attempt }) => attempt).filter((attempt) => attempt !== undefined);
  const jobIds = batch.map(({ job }) => job.id);
  await inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now();
    const given =
      attempts.length > 0
        ? await saveAttempts(tx, attempts, now, secondsAfter(now, -disableAfterSeconds))
        : [];
    await deps.jobs.enqueueMany(tx, retryQueue.name, retriesOf(attempts));
    await deps.jobs.remove(tx, queue.name, jobIds);
    await disableIntegrations(tx, deps, attempts, given, now);
  });
}

const retriesOf = (attempts: Attempt[]): GroupedJob[] =>
  attempts.flatMap(({ deliveryId, integrationId, number, nextAttemptAt }) =>
    nextAttemptAt
      ? [
          {
            data: { deliveryId, attempt: number + 1 },
            groupId: String(integrationId),
            startAfter: nextAttemptAt,
          },
        ]
      : [],
  );
