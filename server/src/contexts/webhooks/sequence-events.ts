import { type Database, inTransaction } from '../../platform/db/database.ts';
import type { GroupedJobs } from '../../platform/jobs.ts';
import type { Clock } from '../../platform/time.ts';
import { sequence } from './delivery.store.ts';
import { firstQueue } from './webhook.queues.ts';

export interface SequenceDeps {
  db: Database;
  clock: Clock;
  jobs: GroupedJobs;
}

const most = 500;

/** Gives new events their numbers, and their deliveries their jobs, in one transaction. Answers how many there were. */
export async function sequenceEvents(deps: SequenceDeps): Promise<number> {
  return await inTransaction(deps.db, async (tx) => {
    const { sequenced, planned } = await sequence(tx, most, deps.clock.now());
    await deps.jobs.enqueueMany(
      tx,
      firstQueue.name,
      planned.map(({ id, integrationId }) => ({
        data: { deliveryId: id, attempt: 1 },
        groupId: String(integrationId),
      })),
    );
    return sequenced;
  });
}
