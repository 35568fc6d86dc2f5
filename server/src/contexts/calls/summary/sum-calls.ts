import type { Database } from '../../../platform/db/database.ts';
import { type Clock, secondsAfter } from '../../../platform/time.ts';
import { sumNextQuarters } from './call-sum.store.ts';

/** Calls are written within seconds of the time in their id; an hour allows for clock skew. */
const graceSeconds = 3_600;
const maxDaysPerRun = 1_000;

/** Rolls up the quarter-hours that are over. Running calls do not delay it: they are added when they end. */
export async function sumCalls(deps: { db: Database; clock: Clock }, signal: AbortSignal): Promise<void> {
  const before = secondsAfter(deps.clock.now(), -graceSeconds);
  for (let days = 0; days < maxDaysPerRun && !signal.aborted; days += 1) {
    if (!(await sumNextQuarters(deps.db, before))) return;
  }
}
