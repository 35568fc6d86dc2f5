import type { Caller } from '../../platform/caller.ts';
import { inAccount, type Tx } from '../../platform/db/database.ts';
import { reaisFromMicros } from '../../platform/money.ts';
import { countCreatedTokens } from '../access/index.ts';
import { findDaySpend } from '../billing/index.ts';
import {
  countContacts,
  countTakenSlots,
  findCaps,
  findSetCaps,
  leastConcurrentCalls,
} from '../calls/index.ts';
import { countExtensions } from '../extensions/index.ts';
import { countIntegrationsOfAccount } from '../integrations/index.ts';
import { type Budgeted, findBudgets, limitBuckets, type RequestLimiter, usedToday } from '../limits/index.ts';
import { findRecordingUse } from '../recordings/index.ts';
import { requestRetentionDays } from '../requests/index.ts';
import { countSeats } from '../users/index.ts';
import type { OverviewDeps } from './read-context.ts';

export interface LimitsDeps extends OverviewDeps {
  limiter: RequestLimiter;
  /** Retention of recordings, in days. */
  retentionDays: number;
  callRetentionMonths: number;
  eventRetentionDays: number;
  deliveryRetentionDays: number;
}

/** Reads the account's call limits and budgets with their current use, and the rate limits. */
export async function readLimits(deps: LimitsDeps, { accountId }: Caller) {
  return await inAccount(deps.db, accountId, async (tx) => {
    const caps = await findCaps(tx, accountId);
    const set = await findSetCaps(tx, accountId);
    const takenSlots = await countTakenSlots(tx, accountId);
    const spentMicros = await findDaySpend(tx, accountId, deps.clock.now());
    const used = await readUse(tx, accountId, deps.clock.now());
    const budgets = await findBudgets(tx, accountId);
    const callBudget = budgets.find(({ resource }) => resource === 'calls')?.most ?? Infinity;
    const isSet = (value: unknown): boolean => value != null;
    return {
      calls: {
        perSecond: { limit: caps.callsPerSecond, isSet: isSet(set?.callsPerSecond) },
        atOnce: {
          limit:
            caps.concurrentCalls ?? Math.min(Math.max(leastConcurrentCalls, used.extensions), callBudget),
          isSet: isSet(set?.concurrentCalls),
          used: takenSlots,
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
      budgets: budgets.map(({ resource, most, isSet }) => ({
        resource,
        limit: most,
        isSet,
        used: resource === 'calls' ? takenSlots : (used[resource] ?? null),
      })),
      requests: limitBuckets().map(({ by, windowSeconds, routes, ...limit }) => ({
        by,
        requests: deps.limiter.maxRequests(limit),
        windowSeconds,
        routes,
      })),
      retention: {
        callMonths: deps.callRetentionMonths,
        recordingDays: deps.retentionDays,
        eventDays: deps.eventRetentionDays,
        deliveryDays: deps.deliveryRetentionDays,
        requestDays: requestRetentionDays,
      },
    };
  });
}

/** Returns how much of the budgets is used, where it is known here. */
async function readUse(
  tx: Tx,
  accountId: number,
  at: Date,
): Promise<Partial<Record<Budgeted, number>> & { extensions: number }> {
  const { recordedMs, storedBytes } = await findRecordingUse(tx, accountId, at);
  return {
    contacts: await countContacts(tx, accountId),
    extensions: await countExtensions(tx, accountId),
    users: await countSeats(tx, accountId),
    integrations: await countIntegrationsOfAccount(tx, accountId),
    tokens: await countCreatedTokens(tx, accountId, at),
    replayed_events: await usedToday(tx, accountId, 'replayed_events', at),
    mails: await usedToday(tx, accountId, 'mails', at),
    code_calls: await usedToday(tx, accountId, 'code_calls', at),
    recorded_minutes: Math.ceil(recordedMs / 60_000),
    stored_megabytes: Math.ceil(storedBytes / 1_000_000),
  };
}
