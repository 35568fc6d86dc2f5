import type { Database, Tx } from '../../../platform/db/database.ts';
import { conjuncts, type Query } from '../../../platform/filter/index.ts';
import type { Clock } from '../../../platform/time.ts';
import { dayMs, rangeFromConditions, splitAt } from './call-count.rules.ts';
import { countCalls, countNextDay, findCountedUntil } from './call-count.store.ts';
import { rollUp } from './roll-up.ts';

/**
 * If more than this much of the range is outside the counted days, the calls themselves are counted, with a time limit.
 */
const maxUncountedMs = 4 * dayMs;

/**
 * Returns the exact total of a filter by time, of all or of ended calls, mostly from counted days; undefined if days do not suffice.
 */
export async function countByDays(
  tx: Tx,
  { now, accountId }: { now: Date; accountId: number },
  query: Query,
): Promise<number | undefined> {
  const range = rangeFromConditions(conjuncts(query.where));
  const countedUntil = range && (await findCountedUntil(tx));
  if (!range || !countedUntil) return undefined;
  const split = splitAt(dayMs, range, countedUntil.getTime());
  if (!split) return undefined;
  // Future time does not count, because no call starts there; one day is a margin.
  const endMs = now.getTime() + dayMs;
  const restMs = split.rest.reduce((sum, { fromMs, untilMs }) => sum + Math.min(untilMs, endMs) - fromMs, 0);
  return restMs > maxUncountedMs ? undefined : await countCalls(tx, accountId, split, range.isEnded);
}

/** Counts the days that are over. A day with a running call is postponed, together with all later days. */
export async function countDays(deps: { db: Database; clock: Clock }, signal: AbortSignal): Promise<void> {
  await rollUp(deps, signal, (before) => countNextDay(deps.db, before));
}
