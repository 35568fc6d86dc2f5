import { setTimeout as sleep } from 'node:timers/promises';
import type { QueueDefinition } from '../../../platform/jobs.ts';
import type { DeliveryObserver } from '../ports.ts';
import { type AttemptDeps, attemptDelivery } from './attempt-delivery.ts';
import { type DueDelivery, postponeDelivery, takeDeliveries } from './delivery-queue.store.ts';
import type { HostLimit } from './host-limit.ts';
import { createSlots } from './slots.ts';
import type { SlowEndpoints } from './slow-endpoints.ts';
import { retryQueue } from './webhook.queues.ts';
import { createWriter, type WriteDeps } from './write-attempts.ts';

export interface DeliverDeps extends AttemptDeps, WriteDeps {
  observer: DeliveryObserver;
  hostLimit: HostLimit;
  /** Wakes event streams that wait for new events. Optional: they also poll. */
  wakeFeeds?(): void;
}

/** One of the two queues of deliveries, first attempts or retries. */
export interface Lane {
  queue: QueueDefinition;
  /** Concurrent requests of this process. */
  concurrency: number;
  /** Shared by both lanes. */
  slow: SlowEndpoints;
}

/** Maximum concurrent requests to one endpoint in each lane, across all processes. */
const perEndpoint = 4;
const maxBatch = 200;
/** Share of the slots that are taken with one statement, once they are free. */
const batchShare = 0.4;
const idlePauseMs = 100;
/** After a partly filled batch: the next one is worth its statement only if it has several deliveries. */
const shortPauseMs = 20;
/** Exceeds the duration of any request: a worker that has not recorded its attempt by then is presumed dead. */
const leaseSeconds = 30;

/**
 * Delivers from one lane with bounded concurrency. On shutdown, finishes and records attempts already started.
 */
export async function deliverWebhooks(
  deps: DeliverDeps,
  { queue, concurrency, slow }: Lane,
  stopping: AbortSignal,
): Promise<void> {
  const isRetry = queue.name === retryQueue.name;
  const batch = Math.min(maxBatch, Math.ceil(concurrency * batchShare));
  const slots = createSlots(concurrency, perEndpoint);
  const writer = createWriter(deps, (written) =>
    slots.recorded(written.map(({ integrationId }) => integrationId)),
  );

  async function deliver(delivery: DueDelivery): Promise<void> {
    const { integrationId } = delivery;
    slots.take(integrationId);
    try {
      const waitSeconds = await deps.hostLimit.admit(delivery);
      if (waitSeconds > 0) {
        await postponeDelivery(deps.db, delivery.id, waitSeconds);
        slots.recorded([integrationId]);
        slots.answered();
        return;
      }
      const attempt = await attemptDelivery(deps, delivery);
      deps.observer.deliveryAttempted(delivery, attempt);
      slow.note(integrationId, attempt);
      writer.write(attempt);
    } catch (error) {
      // Taken again when the lease expires.
      deps.onError(error);
      slots.recorded([integrationId]);
    }
    slots.answered();
  }

  async function take(): Promise<DueDelivery[]> {
    try {
      return await takeDeliveries(deps.db, {
        isRetry,
        most: batch,
        perEndpoint,
        // Across all processes, so that an account cannot fill any of them.
        perAccount: Math.floor(concurrency / 2),
        slow: isRetry ? [] : slow.list(),
        at: deps.clock.now(),
        leaseSeconds,
      });
    } catch (error) {
      deps.onError(error);
      return [];
    }
  }

  while (!stopping.aborted) {
    if (slots.free() < batch || writer.isFailing()) {
      await slots.next();
      continue;
    }
    const hadFullGroup = slots.hasFullGroup();
    const deliveries = await take();
    for (const delivery of deliveries) void deliver(delivery);
    if (deliveries.length > batch / 2) continue;
    const pauseMs = deliveries.length > 0 ? shortPauseMs : idlePauseMs;
    const pause = sleep(pauseMs, undefined, { signal: stopping }).catch(() => undefined);
    // More deliveries may wait for an endpoint that was at its limit.
    await (hadFullGroup ? Promise.race([pause, slots.next()]) : pause);
  }
  while (!slots.isIdle()) await slots.next();
}
