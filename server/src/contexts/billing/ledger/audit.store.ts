import { sql } from 'kysely';
import { type Database, queryRows, type Tx } from '../../../platform/db/database.ts';
import type { Book } from './ledger.ts';

export interface Difference {
  accountId: number;
  check: string;
  subject: string;
  expected: number;
  found: number;
}
type Found = Omit<Difference, 'accountId'>;

export interface BookKey {
  accountId: number;
  book: Book;
}

/** A transaction of a book, with the sums of all transactions up to it. */
export interface Position {
  number: number;
  availableMicros: number;
  heldMicros: number;
}

export interface Page {
  entries: number;
  position: Position;
  calls: string[];
  charges: string[];
  differences: Found[];
}

/** Verifies the next `limit` transactions after a position, up to the number `until` or the newest. */
export async function auditEntries(
  tx: Tx,
  { accountId, book }: BookKey,
  after: Position,
  until: number | null,
  limit: number,
): Promise<Page> {
  const { rows } = await sql<Page>`
    select entries, calls, charges, differences, jsonb_build_object(
             'number', number, 'availableMicros', available_micros, 'heldMicros', held_micros) as position
      from audit_entries(${accountId}, ${book}, ${after.number}, ${after.availableMicros}, ${after.heldMicros},
             ${until}, ${limit})`.execute(tx);
  return rows[0] as Page;
}

export async function auditCalls(tx: Tx, accountId: number, callIds: string[]): Promise<Found[]> {
  if (callIds.length === 0) return [];
  return (await sql<Found>`select * from audit_calls(${accountId}, ${callIds})`.execute(tx)).rows;
}

export async function auditCharges(tx: Tx, accountId: number, chargeIds: string[]): Promise<Found[]> {
  if (chargeIds.length === 0) return [];
  const query = sql<Found>`select * from audit_some_charges(${accountId}, ${chargeIds}, null, null)`;
  return (await query.execute(tx)).rows;
}

/** A range of creation times; null is unlimited. */
export interface Times {
  since: Date | null;
  before: Date | null;
}

export async function auditChargesOf(tx: Tx, accountId: number, { since, before }: Times): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select * from audit_some_charges(${accountId}, '{}',
      coalesce(${since}::timestamptz, '-infinity'), coalesce(${before}::timestamptz, 'infinity'))`.execute(
    tx,
  );
  return rows;
}

/** Returns the next calls of a book after a call, by the time in their ids. */
export async function listHeldCalls(
  tx: Tx,
  { accountId, book }: BookKey,
  { since, before }: Times,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select call_id::text as id from call_holds
     where account_id = ${accountId} and book = ${book}
       and call_id >= coalesce(uuid_floor(${since}), '00000000-0000-0000-0000-000000000000')
       and call_id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000')
       and call_id < coalesce(uuid_floor(${before}), 'ffffffff-ffff-ffff-ffff-ffffffffffff')
     order by call_id limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}

export async function listAccountIds(db: Database, afterId: number, limit: number): Promise<number[]> {
  const query = sql<{ id: number }>`select id from list_account_ids(${afterId}, ${limit}) as id`;
  const rows = await queryRows(db, query);
  return rows.map(({ id }) => id);
}

export async function saveAudit(db: Database, at: Date, differences: number): Promise<void> {
  await db.kysely
    .insertInto('ledger_audits')
    .values({ at, differences })
    // Two audits that end in the same millisecond have the same result.
    .onConflict((conflict) => conflict.column('at').doNothing())
    .execute();
}
