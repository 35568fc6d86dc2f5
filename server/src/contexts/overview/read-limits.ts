import type { Caller } from '../../platform/caller.ts';
import { inAccount } from '../../platform/db/database.ts';
import { reaisFromMicros } from '../../platform/money.ts';
import { findDaySpend } from '../billing/index.ts';
import { countLiveCalls, findCaps, findSetCaps, leastConcurrentCalls } from '../calls/index.ts';
import { countExtensions } from '../extensions/index.ts';
import { limitBuckets, type RequestLimiter } from '../limits/index.ts';
import type { OverviewDeps } from './read-context.ts';

export interface LimitsDeps extends OverviewDeps {
  limiter: RequestLimiter;
}

/** Reads the account's call limits with their current use, and the rate limits. */
export async function readLimits(deps: LimitsDeps, { accountId }: Caller) {
  return await inAccount(deps.db, accountId, async (tx) => {
    const caps = await findCaps(tx, accountId);
    const set = await findSetCaps(tx, accountId);
    const live = await countLiveCalls(tx, accountId);
    const spentMicros = await findDaySpend(tx, accountId, deps.clock.now());
    const extensions = caps.concurrentCalls === undefined ? await countExtensions(tx, accountId) : 0;
    const isSet = (value: unknown): boolean => value != null;
    return {
      calls: {
        perSecond: { limit: caps.callsPerSecond, isSet: isSet(set?.callsPerSecond) },
        atOnce: {
          limit: caps.concurrentCalls ?? Math.max(leastConcurrentCalls, extensions),
          isSet: isSet(set?.concurrentCalls),
          used: [...live.values()].reduce((sum, calls) => sum + calls, 0),
        },
        spendPerDay: {
          limit: reaisFromMicros(caps.dailySpendMicros),
          isSet: isSet(set?.dailySpendMicros),
          used: reaisFromMicros(spentMicros),
        },
        pricePerMinute: {
          limit: reaisFromMicros(caps.pricePerMinuteMicros),
          isSet: isSet(set?.pricePerMinuteMicros),
        },
        countries: { allowed: [...caps.countries], isSet: isSet(set?.countries) },
      },
      requests: limitBuckets().map(({ by, windowSeconds, routes, ...limit }) => ({
        by,
        requests: deps.limiter.maxRequests(limit),
        windowSeconds,
        routes,
      })),
    };
  });
}
