import type { QueueDefinition } from '../../../platform/jobs.ts';

/**
 * First attempts and retries have separate queues, so that new events never wait behind failed ones; failing endpoints
 * use only the retry queue. A job whose process died is fetched again after `expireInSeconds`, which exceeds the
 * duration of any request.
 */
const options = { retryLimit: 1_000, retryDelay: 0, expireInSeconds: 30, heartbeatSeconds: 0 };

export const firstQueue: QueueDefinition = { name: 'webhooks.first', ...options };
export const retryQueue: QueueDefinition = { name: 'webhooks.retry', ...options };

export interface DeliveryJob {
  deliveryId: string;
  /**
   * Number of the attempt. The job is obsolete if another job has already made this attempt, for example after a
   * replay.
   */
  attempt: number;
}

/** Queue for replays of a window of events. */
export const replayQueue: QueueDefinition = {
  name: 'webhooks.replay',
  policy: 'short',
  retryLimit: 5,
  retryDelay: 30,
  expireInSeconds: 3600,
};
