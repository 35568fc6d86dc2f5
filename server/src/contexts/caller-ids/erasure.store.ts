import type { Tx } from '../../platform/db/database.ts';

/** Removes an owned or pending number from the account, in both modes. */
export async function eraseCallerIds(tx: Tx, accountId: number, phone: string): Promise<number> {
  await tx
    .deleteFrom('caller_id_calls')
    .where('account_id', '=', accountId)
    .where('number', '=', phone)
    .execute();
  const { numDeletedRows } = await tx
    .deleteFrom('caller_ids')
    .where('account_id', '=', accountId)
    .where('number', '=', phone)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
