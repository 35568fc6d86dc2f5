import { eachBatch } from '../../platform/batch.ts';
import type { Database } from '../../platform/db/database.ts';
import { type Clock, secondsAfter } from '../../platform/time.ts';
import { sweepUnconfirmedAccounts } from './account.store.ts';

const keptSeconds = 7 * 24 * 3600;
const batch = 100;

/** Deletes sign-ups that were not confirmed within seven days, which frees their domain and e-mail. */
export async function sweepAccounts(
  deps: { db: Database; clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  const createdBefore = secondsAfter(deps.clock.now(), -keptSeconds);
  await eachBatch(batch, () => sweepUnconfirmedAccounts(deps.db, createdBefore, batch), signal);
}
