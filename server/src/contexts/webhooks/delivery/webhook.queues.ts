import type { QueueDefinition } from '../../../platform/jobs.ts';

/**
 * The lanes of the delivery queue: first attempts and retries are separate, so that new events never wait behind failed
 * ones; failing and slow endpoints use only the retry lane. Until the next release these are also queues of pg-boss,
 * where workers of the previous release enqueue and take deliveries.
 */
const options = { retryLimit: 1_000, retryDelay: 0, expireInSeconds: 30, heartbeatSeconds: 0 };

export const firstQueue: QueueDefinition = { name: 'webhooks.first', ...options };
export const retryQueue: QueueDefinition = { name: 'webhooks.retry', ...options };

/** Queue for replays of a window of events. */
export const replayQueue: QueueDefinition = {
  name: 'webhooks.replay',
  policy: 'short',
  retryLimit: 5,
  retryDelay: 30,
  expireInSeconds: 3600,
};
