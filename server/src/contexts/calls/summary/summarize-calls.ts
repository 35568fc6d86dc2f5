import type { Caller } from '../../../platform/caller.ts';
import { type Database, inAccount } from '../../../platform/db/database.ts';
import { type Clock, dayIn, startOfDay } from '../../../platform/time.ts';
import { callsSeenBy } from '../../../platform/visibility.ts';
import { checkWindow } from '../../../platform/window.ts';
import { countLiveCalls } from '../lifecycle/live-call.store.ts';
import { dayMs, splitAt } from './call-count.rules.ts';
import { findSummedAccount, sumCallsOf, sumWindow } from './call-sum.store.ts';
import { summaryOf } from './summary.rules.ts';

export interface SummarizeDeps {
  db: Database;
  clock: Clock;
}

const longestDays = 92;
const quarterMs = 15 * 60 * 1000;

/**
 * Returns totals for the calls of a window that the caller sees: those of the account mostly from rolled-up quarter-hours,
 * those of one user from the calls. The default window is the day so far.
 */
export async function summarizeCalls(
  deps: SummarizeDeps,
  caller: Pick<Caller, 'accountId' | 'userId' | 'permissions'>,
  asked: { since?: string | undefined; until?: string | undefined },
) {
  const { accountId } = caller;
  const userId = callsSeenBy(caller);
  return await inAccount(deps.db, accountId, async (tx) => {
    const account = await findSummedAccount(tx, accountId);
    const { timezone, summedUntil } = account;
    const until = asked.until === undefined ? deps.clock.now() : new Date(asked.until);
    const lastDay = dayIn(new Date(until.getTime() - 1), timezone);
    const since = asked.since === undefined ? startOfDay(lastDay, timezone) : new Date(asked.since);
    checkWindow(since, until, longestDays);
    const window = { fromMs: since.getTime(), untilMs: until.getTime() };
    const split = splitAt(quarterMs, window, summedUntil?.getTime() ?? 0);
    const rows =
      userId === undefined
        ? await sumWindow(tx, account, split ?? { counted: undefined, rest: [window] })
        : await sumCallsOf(tx, account, window, userId);
    const live = await countLiveCalls(tx, accountId, userId);
    return {
      since: since.toISOString(),
      until: until.toISOString(),
      timezone,
      live: {
        total: [...live.values()].reduce((sum, calls) => sum + calls, 0),
        queued: live.get('queued') ?? 0,
        ringing: live.get('ringing') ?? 0,
        dialing: live.get('dialing') ?? 0,
        answered: live.get('answered') ?? 0,
      },
      ...summaryOf(rows, daysFrom(dayIn(since, timezone), lastDay)),
    };
  });
}

/** Returns all days from the first to the last, inclusive. */
function daysFrom(first: string, last: string): string[] {
  const firstMs = Date.parse(first);
  const count = (Date.parse(last) - firstMs) / dayMs + 1;
  return Array.from({ length: count }, (_, days) =>
    new Date(firstMs + days * dayMs).toISOString().slice(0, 10),
  );
}
