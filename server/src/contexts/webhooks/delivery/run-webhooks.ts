import { setTimeout as sleep } from 'node:timers/promises';
import { type DeliverDeps, deliverWebhooks } from './deliver-webhooks.ts';
import { sequenceEvents } from './sequence-events.ts';
import { firstQueue, retryQueue } from './webhook.queues.ts';

/** First attempts have the larger share, which retries cannot use. */
const firstConcurrency = 600;
const retryConcurrency = 400;
const pollMs = 100;
const afterFailureMs = 1_000;

/** Numbers events and delivers webhooks until stopped. Any number of processes may run concurrently. */
export async function runWebhooks(deps: DeliverDeps, stopping: AbortSignal): Promise<void> {
  await Promise.all([
    keepSequencing(deps, stopping),
    deliverWebhooks(deps, firstQueue, firstConcurrency, stopping),
    deliverWebhooks(deps, retryQueue, retryConcurrency, stopping),
  ]);
}

async function keepSequencing(deps: DeliverDeps, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const pauseMs = await sequenceEvents(deps).then(
      (sequenced) => {
        if (sequenced === 0) return pollMs;
        deps.wakeFeeds?.();
        return 0;
      },
      (error: unknown) => {
        deps.onError(error);
        return afterFailureMs;
      },
    );
    if (pauseMs > 0) await sleep(pauseMs, undefined, { signal: stopping }).catch(() => undefined);
  }
}
