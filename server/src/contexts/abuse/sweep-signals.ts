import { eachBatch } from '../../platform/batch.ts';
import type { Database } from '../../platform/db/database.ts';
import { type Clock, secondsAfter } from '../../platform/time.ts';
import { removeOldNetworks, removeOldSignals } from './signal.store.ts';

/** As long as `disca account review` shows signals, and as destinations are considered as known. */
const keptSeconds = 90 * 86_400;
const batch = 1_000;

/** Deletes old signals, and networks that no phone has used for as long. */
export async function sweepSignals(deps: { db: Database; clock: Clock }, signal: AbortSignal): Promise<void> {
  const before = secondsAfter(deps.clock.now(), -keptSeconds);
  await eachBatch(batch, () => removeOldSignals(deps.db, before, batch), signal);
  await eachBatch(batch, () => removeOldNetworks(deps.db, before, batch), signal);
}
