import type { Tx } from '../../platform/db/database.ts';

/** A number that was shown or was to be verified is not the account's any more, in either mode. */
export async function eraseCallerIds(tx: Tx, accountId: number, phone: string): Promise<number> {
  const remove = (table: 'caller_ids' | 'caller_id_calls') =>
    tx.deleteFrom(table).where('account_id', '=', accountId).where('number', '=', phone).executeTakeFirst();
  await remove('caller_id_calls');
  return Number((await remove('caller_ids')).numDeletedRows);
}
