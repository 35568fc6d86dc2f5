import type { Database } from '../../platform/db/database.ts';
import { type Clock, secondsAfter } from '../../platform/time.ts';
import { checkWindow } from '../../platform/window.ts';
import { type Counts, countAll, type Difference, findDifferences, inSnapshot } from './reconcile.store.ts';

export interface ReconcileDeps {
  /** Database for long-running statements, which run one at a time. */
  longQueryDb: Database;
  clock: Clock;
  eventRetentionDays: number;
  deliveryRetentionDays: number;
}

export interface Reconciled {
  since: string;
  until: string;
  isClean: boolean;
  counts: Counts;
  differenceCounts: Partial<Record<Difference['kind'], number>>;
  differences: Difference[];
}

const daySeconds = 24 * 3600;
const longestDays = 31;
/** Younger events are skipped, because they may still be in progress. */
const settlingSeconds = 60;
const maxListed = 100;

/** Compares calls with their events, deliveries and ledger entries in a window. */
export async function reconcile(
  deps: ReconcileDeps,
  accountId: number,
  asked: { since?: string | undefined; until?: string | undefined },
): Promise<Reconciled> {
  const now = deps.clock.now();
  const until = asked.until ? new Date(asked.until) : secondsAfter(now, -settlingSeconds);
  const from = asked.since ? new Date(asked.since) : secondsAfter(until, -daySeconds);
  checkWindow(from, until, longestDays);
  const kept = secondsAfter(now, -deps.eventRetentionDays * daySeconds);
  const since = new Date(Math.max(from.getTime(), kept.getTime()));
  const deliveriesSince = secondsAfter(now, -deps.deliveryRetentionDays * daySeconds);
  const window = { accountId, since, until, deliveriesSince };
  return await inSnapshot(deps.longQueryDb, accountId, async (tx) => {
    const counts = await countAll(tx, window);
    const result = await findDifferences(tx, window, maxListed);
    return {
      since: since.toISOString(),
      until: until.toISOString(),
      isClean: result.differences.length === 0,
      counts,
      differenceCounts: result.counts,
      differences: result.differences.slice(0, maxListed),
    };
  });
}
