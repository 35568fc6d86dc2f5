import type { Tx } from '../../platform/db/database.ts';
import type { ProveAddress } from '../access/index.ts';
import { recordChangeBy } from '../audit/index.ts';
import { findUserByUuid } from '../users/index.ts';
import { findAccount, isAddressProved, markProved } from './account.store.ts';

/**
 * The first proof of the address of the account allows it live mode, caller ids and invitations, and gives it the mode of
 * new accounts.
 */
export const createProveAddress =
  (defaultMode: 'test' | 'live'): ProveAddress =>
  async (tx, author, at) => {
    if (!(await awaitsProofBy(tx, author))) return;
    const uuid = await markProved(tx, author.accountId, defaultMode, at);
    if (uuid === undefined) return;
    await recordChangeBy(tx, author, {
      at,
      action: 'account.prove-address',
      target: { type: 'account', id: uuid },
      before: { addressProved: false },
      after: { addressProved: true },
    });
  };

/**
 * Returns whether the address of the account is not proved, and the user can prove it: an ADMIN who has that address. Other
 * addresses, which a squatter may have, say nothing about the owner of that of the account.
 */
export async function awaitsProofBy(
  tx: Tx,
  { accountId, uuid }: { accountId: number; uuid: string | null },
): Promise<boolean> {
  if (uuid === null || (await isAddressProved(tx, accountId))) return false;
  const user = await findUserByUuid(tx, accountId, uuid);
  const account = await findAccount(tx, accountId);
  return user?.role === 'ADMIN' && user.email.toLowerCase() === account.email.toLowerCase();
}
