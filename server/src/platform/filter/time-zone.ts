import type { Tx } from '../db/database.ts';

/** Returns the time zone of an account, in which times without zone are read. */
export async function findTimeZone(tx: Tx, accountId: number): Promise<string> {
  const account = tx.selectFrom('account_info').select('timezone').where('id', '=', accountId);
  return (await account.executeTakeFirstOrThrow()).timezone ?? 'UTC';
}
