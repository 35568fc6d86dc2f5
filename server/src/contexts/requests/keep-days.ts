import type { Database } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import { type Clock, secondsAfter } from '../../platform/time.ts';
import { dropDays, makeDays } from './day.store.ts';
import { oldestListed } from './request.rules.ts';

export interface KeepRequestDaysDeps {
  db: Database;
  clock: Clock;
  log: Logger;
}

/** How long this job may fail before requests go to the default partition. */
const secondsAhead = 7 * 24 * 3600;

/** Creates partitions for the days ahead, and drops those whose requests are no longer listed. */
export async function keepRequestDays({ db, clock, log }: KeepRequestDaysDeps): Promise<void> {
  const now = clock.now();
  const made = await makeDays(db, now, secondsAfter(now, secondsAhead));
  if (made > 0) log.info({ made }, 'created request partitions');
  const dropped = await dropDays(db, oldestListed(now));
  if (dropped > 0) log.info({ dropped }, 'dropped request partitions');
}
