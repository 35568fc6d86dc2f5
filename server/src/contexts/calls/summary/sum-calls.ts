import type { Database } from '../../../platform/db/database.ts';
import { type Clock, secondsAfter } from '../../../platform/time.ts';
import { sumNextQuarters } from './call-sum.store.ts';

/** A call is written within seconds of the moment it is named after; an hour forgives clocks that differ. */
const graceSeconds = 3_600;
const mostDaysAtOnce = 1_000;

/** Sums the quarters of an hour that are over. Calls that have not ended hold up nobody: they are added when they have. */
export async function sumCalls(deps: { db: Database; clock: Clock }, signal: AbortSignal): Promise<void> {
  const before = secondsAfter(deps.clock.now(), -graceSeconds);
  for (let days = 0; days < mostDaysAtOnce && !signal.aborted; days += 1) {
    if (!(await sumNextQuarters(deps.db, before))) return;
  }
}
