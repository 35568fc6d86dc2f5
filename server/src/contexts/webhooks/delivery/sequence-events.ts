import { type Database, inTransaction } from '../../../platform/db/database.ts';
import type { Clock } from '../../../platform/time.ts';
import { sequence } from './delivery.store.ts';
import { enqueueDeliveries } from './delivery-queue.store.ts';

export interface SequenceDeps {
  db: Database;
  clock: Clock;
}

const maxBatch = 500;

/** Numbers new events and enqueues their deliveries in one transaction. Returns the number of events. */
export async function sequenceEvents(deps: SequenceDeps): Promise<number> {
  return await inTransaction(deps.db, async (tx) => {
    const at = deps.clock.now();
    const { sequenced, planned } = await sequence(tx, maxBatch, at);
    // Deliveries to a failing endpoint are retries from the start, so that they do not delay other endpoints.
    const queued = planned.map(({ id, integrationId, isFailing }) => ({
      id,
      integrationId,
      isRetry: isFailing,
    }));
    await enqueueDeliveries(tx, queued, at);
    return sequenced;
  });
}
