import { eachBatch } from '../../platform/batch.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/time.ts';
import { sweepExpiredTokens } from './token.store.ts';

const batch = 1_000;

/** Deletes expired tokens, to keep the table small. */
export async function sweepTokens(deps: { db: Database; clock: Clock }, signal: AbortSignal): Promise<void> {
  await eachBatch(batch, () => sweepExpiredTokens(deps.db, deps.clock.now(), batch), signal);
}
