import type { QueueDefinition } from '../../../platform/jobs.ts';

/**
 * First attempts and retries wait in queues of their own, so that fresh events never stand behind old failures; endpoints
 * that fail have all theirs among the retries. A job
 * whose process died is taken again after `expireInSeconds`, which is longer than any request takes.
 */
const options = {
  retryLimit: 1_000,
  retryDelay: 0,
  expireInSeconds: 30,
  heartbeatSeconds: 0,
};

export const firstQueue: QueueDefinition = { name: 'webhooks.first', ...options };
export const retryQueue: QueueDefinition = { name: 'webhooks.retry', ...options };

export interface DeliveryJob {
  deliveryId: string;
  /** The attempt to make. Once another job has made it, as after a replay, there is nothing left to do for this one. */
  attempt: number;
}

/** A window of events that somebody wants again. */
export const replayQueue: QueueDefinition = {
  name: 'webhooks.replay',
  policy: 'short',
  retryLimit: 5,
  retryDelay: 30,
  expireInSeconds: 3600,
};
