import type { Database } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/telemetry/log.ts';
import type { Clock } from '../../../platform/time.ts';
import { detachMonths, makeMonth } from './partition.store.ts';

/** Months created in advance. If the job fails for longer, calls go to the default partition. */
const monthsAhead = 3;

export interface PartitionDeps {
  db: Database;
  clock: Clock;
  log: Logger;
  callRetentionMonths: number;
}

/** Creates the partitions of the coming months and archives those past retention. */
export async function keepMonths({ db, clock, log, callRetentionMonths }: PartitionDeps): Promise<void> {
  const now = clock.now();
  for (let ahead = 0; ahead <= monthsAhead; ahead += 1) {
    const month = firstOfMonth(now, ahead);
    const made = await makeMonth(db, month);
    // No data is lost, and the following months are still created.
    if (made === undefined)
      log.error({ month }, 'partition missing: calls of this month are in the default partition');
    else if (made > 0) log.info({ month }, 'calls partition created');
  }
  const moved = await detachMonths(db, firstOfMonth(now, -callRetentionMonths));
  if (moved > 0) log.info({ moved }, 'old calls partitions moved to the schema "archive"');
}

const firstOfMonth = (at: Date, months: number): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1));
