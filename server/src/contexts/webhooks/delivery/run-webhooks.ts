import { setTimeout as sleep } from 'node:timers/promises';
import { type DeliverDeps, deliverWebhooks } from './deliver-webhooks.ts';
import { sequenceEvents } from './sequence-events.ts';
import { firstQueue, retryQueue } from './webhook.queues.ts';

/** Fresh events have the larger share, and none of it is ever taken by retries. */
const firstSideBySide = 600;
const retrySideBySide = 400;
const lookEveryMs = 100;
const afterFailureMs = 1_000;

/** Numbers events and delivers webhooks until told to stop. Any number of processes may do so side by side. */
export async function runWebhooks(deps: DeliverDeps, stopping: AbortSignal): Promise<void> {
  await Promise.all([
    keepSequencing(deps, stopping),
    deliverWebhooks(deps, firstQueue, firstSideBySide, stopping),
    deliverWebhooks(deps, retryQueue, retrySideBySide, stopping),
  ]);
}

async function keepSequencing(deps: DeliverDeps, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const pauseMs = await sequenceEvents(deps).then(
      (sequenced) => {
        if (sequenced === 0) return lookEveryMs;
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
