import { type Database, inAccount } from '../../../platform/db/database.ts';

/** Returns whether the phones of an account may send audio from another address than their signalling. */
export async function allowsAnySource(db: Database, accountId: number): Promise<boolean> {
  const account = await inAccount(db, accountId, (tx) =>
    tx
      .selectFrom('account_info')
      .select('media_from_any_address')
      .where('id', '=', accountId)
      .executeTakeFirst(),
  );
  return account?.media_from_any_address ?? false;
}
