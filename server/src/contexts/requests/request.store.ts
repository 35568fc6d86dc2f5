import { sql } from 'kysely';
import type { Database, Tx } from '../../platform/db/database.ts';
import { maxPerDay, oldestListed } from './request.rules.ts';

/** A request as it is recorded; the names are the columns of `record_requests`. */
export interface RequestRecord {
  account_id: number;
  user_uuid: string;
  /** In base64; stored as the token's name only. */
  token_hash: string;
  /** ISO 8601: serialising a Date in JSON takes longer than the rest of the record. */
  at: string;
  method: string;
  route: string | null;
  status: number;
  error_code: string | null;
  invalid_fields: string[] | null;
  ignored_fields: string[] | null;
  request_id: string;
  address: string;
  duration_ms: number;
}

/** Stores a batch of requests of any accounts. */
export async function insertRequests(db: Database, batch: RequestRecord[]): Promise<void> {
  await db.pool.query('select record_requests($1, $2)', [JSON.stringify(batch), maxPerDay]);
}

export interface Reader {
  accountId: number;
  /** Restricts the list to the requests of one user. */
  userUuid: string | undefined;
}

export function selectRequests(tx: Tx, { accountId, userUuid }: Reader, now: Date) {
  const listed = tx
    .selectFrom('requests')
    .select([
      'id',
      'at',
      'user_uuid',
      'method',
      'route',
      'status',
      'error_code',
      'request_id',
      'token_name',
      'address',
      'duration_ms',
    ])
    // As text, so that a filter finds names by pattern.
    .select([
      sql<string | null>`invalid_fields::text`.as('invalid_fields'),
      sql<string | null>`ignored_fields::text`.as('ignored_fields'),
    ])
    .where('account_id', '=', accountId)
    .where('id', '>=', sql<string>`uuid_floor(${oldestListed(now)})`);
  return userUuid === undefined ? listed : listed.where('user_uuid', '=', userUuid);
}

/** Returns how many requests of the last days were counted but not stored, because a day had too many. */
export async function countUnlisted(tx: Tx, accountId: number, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(greatest(total - ${maxPerDay}::bigint, 0)), 0)::bigint as count from request_counts
     where account_id = ${accountId} and day >= (${oldestListed(now)}::timestamptz at time zone 'UTC')::date`.execute(
    tx,
  );
  return rows[0]?.count ?? 0;
}
