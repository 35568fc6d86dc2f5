import type { ProveAddress } from '../access/index.ts';
import { recordChangeBy } from '../audit/index.ts';
import { markProved } from './account.store.ts';

/**
 * The first proof of an address allows the account live mode, caller ids and invitations, and gives it the mode of new
 * accounts.
 */
export const createProveAddress =
  (defaultMode: 'test' | 'live'): ProveAddress =>
  async (tx, author, at) => {
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
