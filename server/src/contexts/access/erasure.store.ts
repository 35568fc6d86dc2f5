import type { Tx } from '../../platform/db/database.ts';

/** Returns the addresses from which the user logged in. */
export async function addressesOf(tx: Tx, accountId: number, userId: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('known_addresses')
    .select('address')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute();
  return rows.map(({ address }) => address);
}
