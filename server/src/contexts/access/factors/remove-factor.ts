import type { Caller, Origin } from '../../../platform/caller.ts';
import { type Database, inAccount, type Tx } from '../../../platform/db/database.ts';
import { notFound, Refusal } from '../../../platform/errors.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { Clock } from '../../../platform/time.ts';
import { type Actor, recordChange, recordChangeBy } from '../../audit/index.ts';
import type { QueueMail } from '../../notifications/index.ts';
import { findPassword, lockUser } from '../access.store.ts';
import { revokeLogins } from '../token.store.ts';
import { findDemand } from './admins.store.ts';
import { countFactors, deleteFactor, deleteFactors } from './factor.store.ts';
import { queueFactorMail } from './factor-mail.ts';
import { deleteRecoveryCodes, insertRecoveryCodes } from './recovery-code.store.ts';
import { newRecoveryCodes } from './recovery-code.ts';

export interface RemoveFactorDeps {
  db: Database;
  clock: Clock;
  queueMail: QueueMail;
}

/** Removes a factor of the caller; with the last one, the recovery codes. */
export async function removeFactor(deps: RemoveFactorDeps, caller: Caller, id: string): Promise<void> {
  if (!isUuid(id)) throw notFound();
  const at = deps.clock.now();
  await inAccount(deps.db, caller.accountId, async (tx) => {
    await lockUser(tx, caller.accountId, caller.userId);
    const name = await deleteFactor(tx, caller, id);
    if (name === undefined) throw notFound();
    if ((await countFactors(tx, caller)) === 0) {
      const demand = await findDemand(tx, caller.accountId, caller.userId);
      if (demand?.isRequired)
        throw new Refusal(
          'LAST_FACTOR',
          'Your account requires a second factor of ADMINs. Add another one before you remove this.',
        );
      await deleteRecoveryCodes(tx, caller);
    }
    await recordChangeBy(tx, caller, {
      at,
      action: 'factor.remove',
      target: { type: 'factor', id },
      before: { name },
    });
    await queueFactorMail(tx, deps.queueMail, caller, { change: 'removed', name, at });
  });
}

/** Replaces the recovery codes of the caller. Returns none to a caller without a factor, for whom they mean nothing. */
export async function replaceRecoveryCodes(deps: RemoveFactorDeps, caller: Caller): Promise<string[]> {
  const at = deps.clock.now();
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    await lockUser(tx, caller.accountId, caller.userId);
    if ((await countFactors(tx, caller)) === 0) return [];
    const codes = newRecoveryCodes();
    await deleteRecoveryCodes(tx, caller);
    await insertRecoveryCodes(
      tx,
      caller,
      codes.map(({ hash }) => hash),
    );
    await recordChangeBy(tx, caller, {
      at,
      action: 'recovery-codes.replace',
      target: { type: 'user', id: caller.uuid },
    });
    await queueFactorMail(tx, deps.queueMail, caller, { change: 'recovery-codes-replaced', name: '', at });
    return codes.map(({ code }) => code);
  });
}

/**
 * Removes all factors and recovery codes of a user of the account, for example of one who has lost the device, and ends
 * the user's logins. The author is null for the operator. Returns the number of removed factors.
 */
export async function resetFactors(
  deps: RemoveFactorDeps,
  accountId: number,
  userUuid: string,
  by: { actor: Actor | null; origin: Origin },
): Promise<number> {
  if (!isUuid(userUuid)) throw notFound();
  return await inAccount(deps.db, accountId, async (tx) => {
    const user = await findPassword(tx, accountId, userUuid);
    if (!user) throw notFound();
    await lockUser(tx, accountId, user.id);
    return await reset(tx, deps, { accountId, userId: user.id, ...user }, by);
  });
}

async function reset(
  tx: Tx,
  { clock, queueMail }: RemoveFactorDeps,
  user: { accountId: number; userId: number; uuid: string; email: string; locale: string },
  by: { actor: Actor | null; origin: Origin },
): Promise<number> {
  const at = clock.now();
  const removed = await deleteFactors(tx, user);
  await deleteRecoveryCodes(tx, user);
  if (removed === 0) return 0;
  await revokeLogins(tx, user);
  await recordChange(tx, {
    accountId: user.accountId,
    at,
    ...by,
    action: 'factor.reset',
    target: { type: 'user', id: user.uuid },
    before: { factors: removed },
  });
  await queueFactorMail(tx, queueMail, user, { change: 'reset', name: '', at });
  return removed;
}
