import type { Database } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/telemetry/log.ts';
import type { Clock } from '../../../platform/time.ts';
import { detachMonths, makeMonth } from './partition.store.ts';

/** So long can the job fail before calls end up in the default partition. */
const monthsAhead = 3;

export interface PartitionDeps {
  db: Database;
  clock: Clock;
  log: Logger;
  callRetentionMonths: number;
}

/** Makes the months to come, and takes those out of the list that were kept long enough. */
export async function keepMonths({ db, clock, log, callRetentionMonths }: PartitionDeps): Promise<void> {
  const now = clock.now();
  for (let ahead = 0; ahead <= monthsAhead; ahead += 1) {
    const month = firstOfMonth(now, ahead);
    const made = await makeMonth(db, month);
    // Nothing is lost, and the months after it are made all the same.
    if (made === undefined)
      log.error({ month }, 'calls of this month lie in the default partition: it is late');
    else if (made > 0) log.info({ month }, 'a month of calls was made ahead');
  }
  const moved = await detachMonths(db, firstOfMonth(now, -callRetentionMonths));
  if (moved > 0) log.info({ moved }, 'old months of calls were moved to the schema "archive"');
}

const firstOfMonth = (at: Date, months: number): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1));
