import { setTimeout as sleep } from 'node:timers/promises';
import { type DeliverDeps, deliverWebhooks } from './deliver-webhooks.ts';
import { adoptJobs } from './delivery-queue.store.ts';
import { maxBatch, sequenceEvents } from './sequence-events.ts';
import { createSlowEndpoints } from './slow-endpoints.ts';
import { firstQueue, retryQueue } from './webhook.queues.ts';

/** Concurrent requests of each lane. First attempts have the larger share, which retries cannot use. */
const usualSlots = { first: 1_000, retry: 500 };
const pollMs = 100;
const afterFailureMs = 1_000;
const adoptPauseMs = 1_000;
const maxAdopted = 500;

/** Numbers events and delivers webhooks until stopped. Any number of processes may run concurrently. */
export async function runWebhooks(
  deps: DeliverDeps,
  stopping: AbortSignal,
  slots = usualSlots,
): Promise<void> {
  const slow = createSlowEndpoints();
  await Promise.all([
    keepSequencing(deps, stopping),
    keepAdopting(deps, stopping),
    deliverWebhooks(deps, { queue: firstQueue, concurrency: slots.first, slow }, stopping),
    deliverWebhooks(deps, { queue: retryQueue, concurrency: slots.retry, slow }, stopping),
  ]);
}

async function keepSequencing(deps: DeliverDeps, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const pauseMs = await sequenceEvents(deps).then(
      (sequenced) => {
        if (sequenced > 0) deps.wakeFeeds?.();
        // One statement for the events of several calls costs little more than one for a single event.
        return sequenced < maxBatch ? pollMs : 0;
      },
      (error: unknown) => {
        deps.onError(error);
        return afterFailureMs;
      },
    );
    if (pauseMs > 0) await sleep(pauseMs, undefined, { signal: stopping }).catch(() => undefined);
  }
}

/** Adopts the jobs of workers of the previous release, which run until the upgrade is complete. */
async function keepAdopting(deps: DeliverDeps, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const moved = await adoptJobs(deps.db, maxAdopted).catch((error: unknown) => {
      deps.onError(error);
      return 0;
    });
    if (moved < maxAdopted) await sleep(adoptPauseMs, undefined, { signal: stopping }).catch(() => undefined);
  }
}
