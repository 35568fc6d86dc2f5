import type { Caller } from '../../platform/caller.ts';
import { type Database, inAccount } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/time.ts';
import { recordChangeBy } from '../audit/index.ts';
import { findAccount, lockAccount, saveAccount } from './account.store.ts';
import { type Account, type AccountChange, auditView } from './account.ts';

interface AccountDeps {
  db: Database;
  clock: Clock;
}

export async function getAccount(deps: AccountDeps, caller: Caller): Promise<Account> {
  return await inAccount(deps.db, caller.accountId, (tx) => findAccount(tx, caller.accountId));
}

export async function updateAccount(
  deps: AccountDeps,
  caller: Caller,
  change: AccountChange,
): Promise<Account> {
  const now = deps.clock.now();
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    const before = await lockAccount(tx, caller.accountId);
    const after: Account = {
      ...before,
      name: change.name ?? before.name,
      email: change.email ?? before.email,
      phone: change.phone ?? before.phone,
      timezone: change.timezone ?? before.timezone,
      balanceLowThresholdMicros: change.balanceLowThresholdMicros ?? before.balanceLowThresholdMicros,
      requestHandling: change.requestHandling ?? before.requestHandling,
      encryptedPhonesOnly: change.encryptedPhonesOnly ?? before.encryptedPhonesOnly,
      mediaFromAnyAddress: change.mediaFromAnyAddress ?? before.mediaFromAnyAddress,
      usersSee: change.usersSee ?? before.usersSee,
      secondFactorRequired: change.secondFactorRequired ?? before.secondFactorRequired,
      updatedAt: now,
    };
    await saveAccount(tx, after);
    await recordChangeBy(tx, caller, {
      at: now,
      action: 'account.update',
      target: { type: 'account', id: before.uuid },
      before: auditView(before),
      after: auditView(after),
    });
    return after;
  });
}
