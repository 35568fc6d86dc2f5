import { sql } from 'kysely';
import { type Database, queryRows } from '../../platform/db/database.ts';

export interface KnownRecording {
  callId: string;
  accountId: number;
  state: string;
  objectKey: string;
  node: string | null;
}

/** Reads all accounts, so `db` must be connected as the database owner. */
export async function findByCalls(db: Database, callIds: string[]): Promise<KnownRecording[]> {
  const query = sql<KnownRecording>`
    select call_id as "callId", account_id as "accountId", state, object_key as "objectKey", node
      from recordings where call_id = any(${callIds}::uuid[])`;
  return await queryRows(db, query);
}

/** Recordings marked as stored, ordered by call. */
export async function findStored(db: Database, afterId: string, limit: number): Promise<KnownRecording[]> {
  const query = sql<KnownRecording>`
    select call_id as "callId", account_id as "accountId", state, object_key as "objectKey", node
      from recordings where state = 'stored' and call_id > ${afterId}::uuid
     order by call_id limit ${limit}`;
  return await queryRows(db, query);
}
