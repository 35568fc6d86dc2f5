import type { Tx } from '../../platform/db/database.ts';

/** Removes an owned or pending number from the account, in both modes. */
export async function eraseCallerIds(tx: Tx, accountId: number, phone: string): Promise<number> {
  const remove = (table: 'caller_ids' | 'caller_id_calls') =>
    tx.deleteFrom(table).where('account_id', '=', accountId).where('number', '=', phone).executeTakeFirst();
  await remove('caller_id_calls');
  return Number((await remove('caller_ids')).numDeletedRows);
}
