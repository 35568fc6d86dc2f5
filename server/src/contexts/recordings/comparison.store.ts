import { sql } from 'kysely';
import { type Database, queryRows } from '../../platform/db/database.ts';

export interface KnownRecording {
  callId: string;
  accountId: number;
  state: string;
  objectKey: string;
  node: string | null;
  keySealed: string | null;
}

/** Reads all accounts, so `db` must be connected as the database owner. */
export async function findByCalls(db: Database, callIds: string[]): Promise<KnownRecording[]> {
  const query = sql<KnownRecording>`
    select r.call_id as "callId", r.account_id as "accountId", r.state, r.object_key as "objectKey", r.node,
           k.key_sealed as "keySealed"
      from recordings r left join recording_keys k on k.account_id = r.account_id
     where r.call_id = any(${callIds}::uuid[])`;
  return await queryRows(db, query);
}

/** Recordings marked as stored, ordered by call. */
export async function findStored(db: Database, afterId: string, limit: number): Promise<KnownRecording[]> {
  const query = sql<KnownRecording>`
    select r.call_id as "callId", r.account_id as "accountId", r.state, r.object_key as "objectKey", r.node,
           k.key_sealed as "keySealed"
      from recordings r left join recording_keys k on k.account_id = r.account_id
     where r.state = 'stored' and r.call_id > ${afterId}::uuid
     order by r.call_id limit ${limit}`;
  return await queryRows(db, query);
}
