import type { Tx } from '../../platform/db/database.ts';
import type { ProveAddress } from '../access/index.ts';
import { recordChangeBy } from '../audit/index.ts';
import { findUserByUuid } from '../users/index.ts';
import { findAccount, markProved } from './account.store.ts';

/**
 * The first proof of the address of the user who signed up allows the account live mode, caller ids and invitations, and
 * gives it the mode of new accounts.
 */
export const createProveAddress =
  (defaultMode: 'test' | 'live'): ProveAddress =>
  async (tx, author, at) => {
    if (!(await hasSignedUp(tx, author))) return;
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
 * Whether the user is the one who signed up, who was created at the same moment as the account. An address of another
 * user, whom a squatter may have added, says nothing about the owner of the account.
 */
async function hasSignedUp(
  tx: Tx,
  { accountId, uuid }: { accountId: number; uuid: string | null },
): Promise<boolean> {
  const user = uuid === null ? undefined : await findUserByUuid(tx, accountId, uuid);
  const account = await findAccount(tx, accountId);
  return user?.createdAt.getTime() === account.createdAt.getTime();
}
