import type { Database } from '../../../platform/db/database.ts';
import { oldestDueDeliveries } from './delivery-queue.store.ts';
import { firstQueue, retryQueue } from './webhook.queues.ts';

/** Returns how long the oldest delivery of each lane has been due, under the name of its queue. */
export async function oldestDeliveries(db: Database): Promise<{ queue: string; seconds: number }[]> {
  const lanes = await oldestDueDeliveries(db);
  return lanes.map(({ isRetry, seconds }) => ({ queue: (isRetry ? retryQueue : firstQueue).name, seconds }));
}
