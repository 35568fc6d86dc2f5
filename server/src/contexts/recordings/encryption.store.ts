import { sql } from 'kysely';
import { type Database, queryRows, type Tx } from '../../platform/db/database.ts';
import type { Due } from './recording.store.ts';

/** Returns stored recordings without encryption, ordered by call. */
export async function findUnencrypted(db: Database, after: string, limit: number): Promise<Due[]> {
  const query = sql<Due>`
    select account_id as "accountId", call_id as "callId"
      from find_unencrypted_recordings(${after}::uuid, ${limit})`;
  return await queryRows(db, query);
}

/** Returns encrypted recordings whose former file has not been deleted, ordered by call. */
export async function findPlainFiles(db: Database, after: string, limit: number): Promise<Due[]> {
  const query = sql<Due>`
    select account_id as "accountId", call_id as "callId" from find_plain_files(${after}::uuid, ${limit})`;
  return await queryRows(db, query);
}

/** Replaces the file of a stored recording; the former one is deleted later. False if it has changed meanwhile. */
export async function replaceFile(
  tx: Tx,
  { accountId, callId }: Due,
  files: { former: string; objectKey: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('recordings')
    .set({ object_key: files.objectKey, plain_key: files.former })
    .where('account_id', '=', accountId)
    .where('call_id', '=', callId)
    .where('state', '=', 'stored')
    .where('object_key', '=', files.former)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function findPlainKey(tx: Tx, { accountId, callId }: Due): Promise<string | undefined> {
  const row = await tx
    .selectFrom('recordings')
    .select('plain_key')
    .where('account_id', '=', accountId)
    .where('call_id', '=', callId)
    .executeTakeFirst();
  return row?.plain_key ?? undefined;
}

export async function clearPlainKey(tx: Tx, { accountId, callId }: Due): Promise<void> {
  await tx
    .updateTable('recordings')
    .set({ plain_key: null })
    .where('account_id', '=', accountId)
    .where('call_id', '=', callId)
    .execute();
}

/** Counts the files that are not encrypted. Needs the rights of operators. */
export async function countUnencrypted(db: Database): Promise<number> {
  const [row] = await queryRows(
    db,
    sql<{ count: number }>`
      select (select count(*) from recordings where state = 'stored' and object_key like '%.wav')::int
           + (select count(*) from recordings where plain_key is not null)::int as count`,
  );
  return row?.count ?? 0;
}
