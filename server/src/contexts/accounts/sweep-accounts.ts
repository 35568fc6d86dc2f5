import type { Database } from '../../platform/db/database.ts';
import { type Clock, secondsAfter } from '../../platform/time.ts';
import { sweepUnconfirmedAccounts } from './account.store.ts';

const keptSeconds = 7 * 24 * 3600;
const batch = 100;

/** Signups that nobody confirmed within seven days are removed, and their domain and e-mail are free again. */
export async function sweepAccounts(
  deps: { db: Database; clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  const createdBefore = secondsAfter(deps.clock.now(), -keptSeconds);
  while (!signal.aborted && (await sweepUnconfirmedAccounts(deps.db, createdBefore, batch)) === batch);
}
