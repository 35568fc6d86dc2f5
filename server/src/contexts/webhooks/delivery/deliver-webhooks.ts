import { setTimeout as sleep } from 'node:timers/promises';
import type { QueueDefinition, TakenJob } from '../../../platform/jobs.ts';
import type { DeliveryObserver } from '../ports.ts';
import { type AttemptDeps, attemptDelivery } from './attempt-delivery.ts';
import { type Attempt, loadDeliveries } from './delivery.store.ts';
import { createSlots } from './slots.ts';
import type { DeliveryJob } from './webhook.queues.ts';
import { createWriter, type WriteDeps } from './write-attempts.ts';

export interface DeliverDeps extends AttemptDeps, WriteDeps {
  observer: DeliveryObserver;
  /** Wakes event streams that wait for new events. Optional: they also poll. */
  wakeFeeds?(): void;
}

type Job = TakenJob<DeliveryJob>;

/** Maximum concurrent requests to one endpoint, across all processes. */
const maxPerEndpoint = 4;
const maxBatch = 200;
const idlePauseMs = 100;

/** Delivers from one queue with bounded concurrency. On shutdown, finishes and records attempts already started. */
export async function deliverWebhooks(
  deps: DeliverDeps,
  queue: QueueDefinition,
  concurrency: number,
  stopping: AbortSignal,
): Promise<void> {
  const slots = createSlots(concurrency, maxPerEndpoint);
  const release = (jobs: Job[]): void => slots.release(jobs.map(({ groupId }) => groupId));
  const done = createWriter(deps, queue, (written) => release(written.map(({ job }) => job)));
  const work = async (jobs: Job[]): Promise<void> => {
    try {
      const attempts = await startAttempts(deps, jobs);
      for (const [index, job] of jobs.entries()) {
        attempts[index]?.then(
          (attempt) => done({ job, attempt }),
          (error: unknown) => abandon([job], error),
        );
      }
    } catch (error) {
      abandon(jobs, error);
    }
  };
  /** Drops jobs after an error; they are fetched again when they expire. */
  const abandon = (jobs: Job[], error: unknown): void => {
    deps.onError(error);
    release(jobs);
  };

  while (!stopping.aborted) {
    if (slots.free() < maxBatch) {
      await slots.next();
      continue;
    }
    // Endpoints at their limit are skipped; otherwise their backlog would block the jobs behind it.
    const fullEndpoints = slots.full();
    const jobs = await take(deps, queue, fullEndpoints);
    for (const { groupId } of jobs) slots.take(groupId);
    if (jobs.length > 0) {
      void work(jobs);
      continue;
    }
    const pause = sleep(idlePauseMs, undefined, { signal: stopping }).catch(() => undefined);
    await (fullEndpoints.length > 0 ? Promise.race([pause, slots.next()]) : pause);
  }
  while (slots.free() < concurrency) await slots.next();
}

async function take(deps: DeliverDeps, queue: QueueDefinition, fullEndpoints: string[]): Promise<Job[]> {
  try {
    return await deps.jobs.take<DeliveryJob>(queue.name, maxBatch, maxPerEndpoint, fullEndpoints);
  } catch (error) {
    deps.onError(error);
    return [];
  }
}

/** Starts one attempt per job; undefined where there is nothing to send. */
async function startAttempts(deps: DeliverDeps, jobs: Job[]): Promise<Promise<Attempt | undefined>[]> {
  const ids = jobs.map(({ data }) => data.deliveryId);
  const due = new Map((await loadDeliveries(deps.db, ids)).map((delivery) => [delivery.id, delivery]));
  return jobs.map(async ({ data }) => {
    const delivery = due.get(data.deliveryId);
    const isDue = delivery && delivery.attempts + 1 === data.attempt;
    if (!isDue) return undefined;
    const attempt = await attemptDelivery(deps, delivery);
    deps.observer.deliveryAttempted(delivery, attempt);
    return attempt;
  });
}
