import { sql } from 'kysely';
import { type Database, queryRows, type Tx } from '../../platform/db/database.ts';

/** Stores a key for the account's files unless it has one, and returns the one it has. */
export async function ensureKey(tx: Tx, accountId: number, keySealed: string, at: Date): Promise<string> {
  await tx
    .insertInto('recording_keys')
    .values({ account_id: accountId, key_sealed: keySealed, created_at: at })
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .execute();
  return (await lockKey(tx, accountId)) ?? keySealed;
}

export async function lockKey(tx: Tx, accountId: number): Promise<string | undefined> {
  const row = await tx
    .selectFrom('recording_keys')
    .select('key_sealed')
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
  return row?.key_sealed;
}

export async function saveKey(tx: Tx, accountId: number, keySealed: string): Promise<void> {
  await tx
    .updateTable('recording_keys')
    .set({ key_sealed: keySealed })
    .where('account_id', '=', accountId)
    .execute();
}

/** Returns accounts whose key is sealed with another key of the ring, ordered by account. */
export async function findKeysToReseal(
  db: Database,
  keyId: string,
  after: number,
  limit: number,
): Promise<number[]> {
  const query = sql<{ accountId: number }>`
    select account_id as "accountId" from find_keys_to_reseal(${keyId}, ${after}, ${limit})`;
  return (await queryRows(db, query)).map(({ accountId }) => accountId);
}

/** Counts the keys of accounts by the key of the ring. Needs the rights of operators. */
export async function countKeys(db: Database): Promise<{ key: string; count: number }[]> {
  return await queryRows(
    db,
    sql<{ key: string; count: number }>`
      select split_part(key_sealed, '.', 1) as key, count(*)::int as count from recording_keys group by 1 order by 1`,
  );
}
