import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, inTransaction } from '../../platform/db/database.ts';
import type { GroupedJob, GroupedJobs, QueueDefinition, TakenJob } from '../../platform/jobs.ts';
import { secondsAfter } from '../../platform/time.ts';
import { type AttemptDeps, attemptDelivery } from './attempt-delivery.ts';
import { type Attempt, loadDeliveries, saveAttempts } from './delivery.store.ts';
import { type DisableDeps, disableIntegrations } from './disable-integration.ts';
import { patienceSeconds } from './schedule.rules.ts';
import { type DeliveryJob, retryQueue } from './webhook.queues.ts';

export interface DeliverDeps extends AttemptDeps, DisableDeps {
  db: Database;
  jobs: GroupedJobs;
  onError(error: unknown): void;
  /** Hints at new events, where somebody may listen. */
  wakeFeeds?(): void;
}

/** Requests to one endpoint at the same time, over all processes. */
const perEndpoint = 4;
const mostTaken = 100;
/** What finishes within this time is written in one transaction. */
const writeEveryMs = 20;
const idlePauseMs = 100;

interface Finished {
  jobId: string;
  /** Absent when there is nothing to do for the job any more. */
  attempt: Attempt | undefined;
}

/** Works one queue with so many requests at a time, until told to stop; what was begun is finished and written. */
export async function deliverWebhooks(
  deps: DeliverDeps,
  queue: QueueDefinition,
  sideBySide: number,
  stopping: AbortSignal,
): Promise<void> {
  const running = new Set<Promise<void>>();
  const finished: Finished[] = [];
  let writing: Promise<void> | undefined;
  const write = (): void => {
    writing ??= sleep(writeEveryMs)
      .then(() => flush(deps, queue, finished))
      .catch(deps.onError)
      .finally(() => {
        writing = undefined;
        if (finished.length > 0) write();
      });
  };
  const start = (job: TakenJob<DeliveryJob>, work: Promise<Attempt | undefined>): void => {
    const each: Promise<void> = work
      .then((attempt) => {
        finished.push({ jobId: job.id, attempt });
        write();
      })
      .catch(deps.onError)
      .finally(() => running.delete(each));
    running.add(each);
  };

  while (!stopping.aborted) {
    const room = Math.min(mostTaken, sideBySide - running.size);
    const taken = room > 0 ? await take(deps, queue, room) : [];
    for (const { job, work } of taken) start(job, work);
    if (taken.length < room) await sleep(idlePauseMs, undefined, { signal: stopping }).catch(() => undefined);
    else if (room <= 0) await Promise.race(running);
  }
  await Promise.all(running);
  while (finished.length > 0 || writing) await (writing ?? flush(deps, queue, finished).catch(deps.onError));
}

async function take(deps: DeliverDeps, queue: QueueDefinition, most: number) {
  try {
    const jobs = await deps.jobs.take<DeliveryJob>(queue.name, most, perEndpoint);
    if (jobs.length === 0) return [];
    const due = new Map(
      (
        await loadDeliveries(
          deps.db,
          jobs.map(({ data }) => data.deliveryId),
        )
      ).map((each) => [each.id, each]),
    );
    return jobs.map((job) => {
      const delivery = due.get(job.data.deliveryId);
      const isDue = delivery && delivery.attempts + 1 === job.data.attempt;
      return { job, work: isDue ? attemptDelivery(deps, delivery) : Promise.resolve(undefined) };
    });
  } catch (error) {
    // Jobs that were taken and not begun come again when they expire.
    deps.onError(error);
    return [];
  }
}

/** The attempts, the next jobs and the end of the old ones: all of it, or none and everything again. */
async function flush(deps: DeliverDeps, queue: QueueDefinition, finished: Finished[]): Promise<void> {
  const batch = finished.splice(0);
  const attempts = batch.map(({ attempt }) => attempt).filter((attempt) => attempt !== undefined);
  try {
    await inTransaction(deps.db, async (tx) => {
      const now = deps.clock.now();
      const given =
        attempts.length > 0 ? await saveAttempts(tx, attempts, now, secondsAfter(now, -patienceSeconds)) : [];
      await deps.jobs.enqueueMany(tx, retryQueue.name, retriesOf(attempts));
      await deps.jobs.complete(
        tx,
        queue.name,
        batch.map(({ jobId }) => jobId),
      );
      await disableIntegrations(tx, deps, attempts, given, now);
    });
  } catch (error) {
    finished.unshift(...batch);
    await sleep(writeEveryMs * 10);
    throw error;
  }
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
