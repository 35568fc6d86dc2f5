import type { Caller } from '../../platform/caller.ts';
import type { Tx } from '../../platform/db/database.ts';
import { Refusal } from '../../platform/errors.ts';
import { lockAdmins } from './user.store.ts';
import type { User } from './user.ts';

/**
 * The ADMINs of the account, who stay the same until the transaction ends. The caller was one when the request came and
 * may have been demoted or removed since: a request on its way must not give back what was just taken.
 */
export async function lockAdminsFor(tx: Tx, caller: Caller): Promise<number[]> {
  const admins = await lockAdmins(tx, caller.accountId);
  if (!admins.includes(caller.userId)) throw new Refusal('ACCESS_DENIED', 'This needs the role ADMIN.');
  return admins;
}

export function refuseLastAdmin(admins: number[], user: User): void {
  if (admins.some((id) => id !== user.id)) return;
  throw new Refusal('LAST_ADMIN', 'An account keeps at least one ADMIN. Make another user ADMIN first.');
}
