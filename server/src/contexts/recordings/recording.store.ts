import { type Selectable, sql } from 'kysely';
import { type Database, queryRows, type Tx } from '../../platform/db/database.ts';
import type { Recordings } from '../../platform/db/schema.ts';
import type { Recording } from './recording.ts';

type Row = Pick<
  Selectable<Recordings>,
  | 'call_id'
  | 'account_id'
  | 'state'
  | 'expected_at'
  | 'object_key'
  | 'node'
  | 'bytes'
  | 'sha256'
  | 'expires_at'
> & { key_sealed: string | null };

const recordingFromRow = (row: Row): Recording => ({
  callId: row.call_id,
  accountId: row.account_id,
  state: row.state as Recording['state'],
  expectedAt: row.expected_at,
  objectKey: row.object_key,
  node: row.node,
  keySealed: row.key_sealed,
  file:
    row.bytes && row.sha256 && row.expires_at
      ? { bytes: row.bytes, sha256: row.sha256, expiresAt: row.expires_at }
      : undefined,
});

/** Returns the account of a call's recording. The only query here without an account id. */
export async function findRecordingAccount(db: Database, callId: string): Promise<number | undefined> {
  const query = sql<{ account: number | null }>`select find_recording_account(${callId}) as account`;
  const [row] = await queryRows(db, query);
  return row?.account ?? undefined;
}

export async function findRecording(
  tx: Tx,
  accountId: number,
  callId: string,
): Promise<Recording | undefined> {
  const row = await tx
    .selectFrom('recordings as r')
    .leftJoin('recording_keys as k', 'k.account_id', 'r.account_id')
    .select(['r.call_id', 'r.account_id', 'r.state', 'r.expected_at', 'r.object_key', 'r.node'])
    .select(['r.bytes', 'r.sha256', 'r.expires_at', 'k.key_sealed'])
    .where('r.account_id', '=', accountId)
    .where('r.call_id', '=', callId)
    .executeTakeFirst();
  return row && recordingFromRow(row);
}

/** Marks a recording as stored, even if the file is late. Returns false if it was already stored or removed. */
export async function markStored(
  tx: Tx,
  { accountId, callId }: Pick<Recording, 'accountId' | 'callId'>,
  file: {
    objectKey: string;
    node: string;
    bytes: number;
    sha256: Buffer;
    durationMs: number | undefined;
    storedAt: Date;
    expiresAt: Date;
  },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('recordings')
    .set({
      state: 'stored',
      object_key: file.objectKey,
      node: file.node,
      bytes: file.bytes,
      sha256: file.sha256,
      duration_ms: file.durationMs ?? null,
      stored_at: file.storedAt,
      expires_at: file.expiresAt,
    })
    .where('account_id', '=', accountId)
    .where('call_id', '=', callId)
    .where('state', 'in', ['expected', 'absent'])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Marks a recording as absent. Its file is still accepted for a week, and deleted only after that, because an upload
 * may be in progress.
 */
export async function markAbsent(tx: Tx, accountId: number, callId: string): Promise<void> {
  await tx
    .updateTable('recordings')
    .set({ state: 'absent', expires_at: sql`expected_at + interval '7 days'` })
    .where('account_id', '=', accountId)
    .where('call_id', '=', callId)
    .where('state', '=', 'expected')
    .execute();
}

/**
 * Marks recordings as erased: links stop working and files are refused, including those being uploaded. Stored files
 * become due for deletion. Returns the number of recordings.
 */
export async function markErased(tx: Tx, accountId: number, callIds: string[], at: Date): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('recordings')
    .set({ state: 'removed', removed_at: at, expires_at: at })
    .where('account_id', '=', accountId)
    .where('call_id', 'in', callIds)
    .where('state', '!=', 'removed')
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Marks recordings as removed, after their files were deleted. */
export async function markRemoved(tx: Tx, accountId: number, callIds: string[], at: Date): Promise<void> {
  await tx
    .updateTable('recordings')
    .set({ state: 'removed', removed_at: sql`coalesce(removed_at, ${at})`, may_have_file: false })
    .where('account_id', '=', accountId)
    .where('call_id', 'in', callIds)
    .execute();
}

export async function findKeys(tx: Tx, accountId: number, callIds: string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('recordings')
    .select('object_key')
    .where('account_id', '=', accountId)
    .where('call_id', 'in', callIds)
    .execute();
  return rows.map((row) => row.object_key);
}

export async function findLinkable(tx: Tx, accountId: number, callIds: string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('recordings')
    .select('call_id')
    .where('account_id', '=', accountId)
    .where('call_id', '=', sql<string>`any(${callIds})`)
    .where('state', 'in', ['expected', 'stored'])
    .execute();
  return rows.map((row) => row.call_id);
}

export interface Due {
  accountId: number;
  callId: string;
}

export async function findOverdue(db: Database, expectedBefore: Date, limit: number): Promise<Due[]> {
  const query = sql<Due>`
    select account_id as "accountId", call_id as "callId"
      from find_overdue_recordings(${expectedBefore}, ${limit})`;
  return await queryRows(db, query);
}

export async function findExpired(db: Database, at: Date, limit: number): Promise<Due[]> {
  const query = sql<Due>`
    select account_id as "accountId", call_id as "callId"
      from find_expired_recordings(${at}, ${limit})`;
  return await queryRows(db, query);
}
