import type { Caller } from '../../platform/caller.ts';
import type { Tx } from '../../platform/db/database.ts';
import { invalidToken, Refusal } from '../../platform/errors.ts';
import { hasServiceToken, refuseExemptAdmin } from '../access/index.ts';
import { lockAdmins } from './user.store.ts';
import type { User } from './user.ts';

/**
 * Returns the account's ADMINs, locked until the transaction ends. Refuses if the caller was demoted or removed, or the
 * service token revoked, since the request was authenticated.
 */
export async function lockAdminsFor(tx: Tx, caller: Caller): Promise<number[]> {
  const admins = await lockAdmins(tx, caller.accountId);
  if (caller.isService) {
    if (!(await hasServiceToken(tx, caller.accountId, caller.tokenHash))) throw invalidToken();
    return admins;
  }
  if (!admins.includes(caller.userId)) throw new Refusal('ACCESS_DENIED', 'This requires the role ADMIN.');
  return admins;
}

/** Refuses that an account loses its last ADMIN, or the one who is exempt from single sign-on. */
export async function refuseLoss(tx: Tx, admins: number[], user: User): Promise<void> {
  if (admins.some((id) => id !== user.id)) return await refuseExemptAdmin(tx, user.accountId, user.id);
  throw new Refusal('LAST_ADMIN', 'An account needs at least one ADMIN. Make another user ADMIN first.');
}
