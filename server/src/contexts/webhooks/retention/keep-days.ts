import type { Database } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/telemetry/log.ts';
import { type Clock, secondsAfter } from '../../../platform/time.ts';
import { dropDays, makeDays } from './day.store.ts';

export interface KeepDaysDeps {
  db: Database;
  clock: Clock;
  log: Logger;
  deliveryRetentionDays: number;
}

const daySeconds = 24 * 3600;
/** Days created in advance. If the job fails for longer, deliveries go to the default partition. */
const daysAhead = 7;

/** Creates partitions for the days ahead, and drops those after the retention period. */
export async function keepDays({ db, clock, log, deliveryRetentionDays }: KeepDaysDeps): Promise<void> {
  const now = clock.now();
  const made = await makeDays(db, now, secondsAfter(now, daysAhead * daySeconds));
  if (made > 0) log.info({ made }, 'created delivery partitions');
  const dropped = await dropDays(db, secondsAfter(now, -deliveryRetentionDays * daySeconds));
  if (dropped > 0) log.info({ dropped }, 'dropped delivery partitions');
}
