import type { Database } from '../../../platform/db/database.ts';
import type { Clock } from '../../../platform/time.ts';
import { sumNextQuarters } from './call-sum.store.ts';
import { rollUp } from './roll-up.ts';

/** Rolls up the quarter-hours that are over. Running calls do not delay the roll-up: they are added when they end. */
export async function sumCalls(deps: { db: Database; clock: Clock }, signal: AbortSignal): Promise<void> {
  await rollUp(deps, signal, (before) => sumNextQuarters(deps.db, before));
}
