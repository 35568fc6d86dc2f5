import type { Database } from '../../platform/db/database.ts';
import { type Clock, secondsAfter } from '../../platform/time.ts';
import { removeOldEvents } from './feed.store.ts';

export interface SweepEventsDeps {
  db: Database;
  clock: Clock;
  eventRetentionDays: number;
}

const batch = 1_000;
/** Ten million events per run; the next run deletes the rest. */
const maxBatches = 10_000;

/** Deletes events after the retention period. */
export async function sweepEvents(deps: SweepEventsDeps, signal: AbortSignal): Promise<void> {
  const before = secondsAfter(deps.clock.now(), -deps.eventRetentionDays * 24 * 3600);
  for (let round = 0; round < maxBatches && !signal.aborted; round += 1) {
    if ((await removeOldEvents(deps.db, before, batch)) < batch) return;
  }
}
