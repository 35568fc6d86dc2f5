import { type Database, inTransaction } from '../../../platform/db/database.ts';
import type { GroupedJob, GroupedJobs } from '../../../platform/jobs.ts';
import type { Clock } from '../../../platform/time.ts';
import { type PlannedDelivery, sequence } from './delivery.store.ts';
import { firstQueue, retryQueue } from './webhook.queues.ts';

export interface SequenceDeps {
  db: Database;
  clock: Clock;
  jobs: GroupedJobs;
}

const maxBatch = 500;

/** Numbers new events and enqueues their deliveries in one transaction. Returns the number of events. */
export async function sequenceEvents(deps: SequenceDeps): Promise<number> {
  return await inTransaction(deps.db, async (tx) => {
    const { sequenced, planned } = await sequence(tx, maxBatch, deps.clock.now());
    const [failing, well] = [planned.filter(isFailing), planned.filter((each) => !isFailing(each))];
    await deps.jobs.enqueueMany(tx, firstQueue.name, well.map(jobOf));
    // Deliveries to a failing endpoint go to the retry queue, so that they do not delay other endpoints.
    await deps.jobs.enqueueMany(tx, retryQueue.name, failing.map(jobOf));
    return sequenced;
  });
}

const isFailing = (planned: PlannedDelivery): boolean => planned.isFailing;

const jobOf = ({ id, integrationId }: PlannedDelivery): GroupedJob => ({
  data: { deliveryId: id, attempt: 1 },
  groupId: String(integrationId),
});
