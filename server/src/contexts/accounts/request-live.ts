import type { Caller } from '../../platform/caller.ts';
import { type Database, inAccount } from '../../platform/db/database.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Clock } from '../../platform/time.ts';
import { recordChangeBy } from '../audit/index.ts';
import { lockAccount, saveAccount } from './account.store.ts';
import type { Account } from './account.ts';

interface RequestLiveDeps {
  db: Database;
  clock: Clock;
}

/** Stores that the account waits for live mode, which only the operator switches on. */
export async function requestLive(deps: RequestLiveDeps, caller: Caller): Promise<Account> {
  const now = deps.clock.now();
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    const before = await lockAccount(tx, caller.accountId);
    if (before.mode === 'live') throw new Refusal('ALREADY_LIVE', 'The account is in live mode.');
    if (before.liveRequestedAt) return before;
    const after = { ...before, liveRequestedAt: now, updatedAt: now };
    await saveAccount(tx, after);
    await recordChangeBy(tx, caller, {
      at: now,
      action: 'account.request-live',
      target: { type: 'account', id: before.uuid },
      before: { liveRequestedAt: null },
      after: { liveRequestedAt: now.toISOString() },
    });
    return after;
  });
}
