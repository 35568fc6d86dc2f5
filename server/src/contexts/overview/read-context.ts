import type { Caller } from '../../platform/caller.ts';
import { type Database, inAccount } from '../../platform/db/database.ts';
import { reaisFromMicros } from '../../platform/money.ts';
import type { Clock } from '../../platform/time.ts';
import { callsSeenBy } from '../../platform/visibility.ts';
import { findAccount } from '../accounts/index.ts';
import { readCredit } from '../billing/index.ts';
import { countLiveCalls, findSuspension, hasCalls } from '../calls/index.ts';
import { findExtensionsOf } from '../extensions/index.ts';
import { hasWebhook, integrationsOf } from '../integrations/index.ts';
import { findAvailability } from '../users/index.ts';

export interface OverviewDeps {
  db: Database;
  clock: Clock;
  /** Addresses where softphones reach the edges, as configured by the operator: `host:port`. */
  softphones: { tls: string | null; plain: string | null };
}

/** Reads everything that the console's start page needs. */
export async function readContext(deps: OverviewDeps, caller: Caller) {
  const { accountId, userId } = caller;
  const now = deps.clock.now();
  return await inAccount(deps.db, accountId, async (tx) => {
    const account = await findAccount(tx, accountId);
    const callingSuspended = (await findSuspension(tx, accountId)) !== undefined;
    const threshold = reaisFromMicros(account.balanceLowThresholdMicros);
    const credit = caller.permissions.money ? await readCredit(tx, accountId, now) : null;
    const seenBy = callsSeenBy(caller);
    const live = await countLiveCalls(tx, accountId, seenBy);
    const extensions = await findExtensionsOf(tx, accountId, userId, now);
    const webhooks = (await integrationsOf(tx, caller)).filter(({ webhook }) => webhook);
    const disabled = webhooks.filter(({ disabledAt }) => disabledAt !== null);
    return {
      user: caller,
      availability: await findAvailability(tx, accountId, userId),
      permissions: caller.permissions,
      account: { ...account, balanceLowThreshold: threshold, callingSuspended },
      credit: credit && { ...credit, isLow: credit.available < threshold },
      liveCalls: [...live.values()].reduce((sum, calls) => sum + calls, 0),
      extensions,
      softphones: deps.softphones,
      webhooks: {
        failing: webhooks.filter((each) => each.failingSince !== null && !disabled.includes(each)).length,
        disabled: disabled.length,
      },
      firstSteps: {
        called: await hasCalls(tx, accountId, seenBy),
        webhook: webhooks.length > 0 || (await hasWebhook(tx, accountId)),
      },
    };
  });
}
