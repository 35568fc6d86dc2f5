import type { Database } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import { type Clock, secondsAfter } from '../../platform/time.ts';
import { dropDays, makeDays } from './day.store.ts';

export interface KeepEventDaysDeps {
  db: Database;
  clock: Clock;
  log: Logger;
  eventRetentionDays: number;
}

const daySeconds = 24 * 3600;
/** Days created in advance. If the job fails for longer, events go to the default partition. */
const daysAhead = 3;

/** Creates partitions of the event log for the days ahead, and drops those after the retention period. */
export async function keepEventDays({
  db,
  clock,
  log,
  eventRetentionDays,
}: KeepEventDaysDeps): Promise<void> {
  const now = clock.now();
  const made = await makeDays(db, now, secondsAfter(now, daysAhead * daySeconds));
  if (made > 0) log.info({ made }, 'created event partitions');
  const dropped = await dropDays(db, secondsAfter(now, -eventRetentionDays * daySeconds));
  if (dropped > 0) log.info({ dropped }, 'dropped event partitions');
}
