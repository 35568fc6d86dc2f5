import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import type { BookKey, Position } from './audit.store.ts';
import type { Book } from './ledger.ts';

/** How far a book is verified, and how far the rotation through its verified rows has come. */
export interface Checkpoint {
  verified: Position;
  /** When calls and charges were last verified up to their newest. Null: never. */
  auditedAt: Date | null;
  rotated: Position;
  /** The rotation of calls and charges, by the time of their creation. Null: it begins anew. */
  rotatedUntil: Date | null;
}

/** The books of an account that have rows, and the creation time of the account. */
export async function findBooks(tx: Tx, accountId: number): Promise<{ book: Book; since: Date }[]> {
  const { rows } = await sql<{ book: Book; since: Date }>`
    select b.book, a.created_at as since
      from account_info a, unnest(array['test', 'live']) as b (book)
     where a.id = ${accountId}
       and (exists (select from ledger_balances l where l.account_id = a.id and l.book = b.book)
         or exists (select from ledger_checkpoints c where c.account_id = a.id and c.book = b.book)
         or exists (select from ledger_transactions t where t.account_id = a.id and t.book = b.book))`.execute(
    tx,
  );
  return rows;
}

export async function findCheckpoint(tx: Tx, { accountId, book }: BookKey): Promise<Checkpoint | undefined> {
  const row = await tx
    .selectFrom('ledger_checkpoints')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('book', '=', book)
    .executeTakeFirst();
  return (
    row && {
      verified: {
        number: row.number,
        availableMicros: row.available_micros,
        heldMicros: row.held_micros,
      },
      auditedAt: row.audited_at,
      rotated: {
        number: row.rotated_number,
        availableMicros: row.rotated_available_micros,
        heldMicros: row.rotated_held_micros,
      },
      rotatedUntil: row.rotated_until,
    }
  );
}

export async function saveCheckpoint(
  tx: Tx,
  { accountId, book }: BookKey,
  { verified, auditedAt, rotated, rotatedUntil }: Checkpoint,
): Promise<void> {
  const row = {
    number: verified.number,
    available_micros: verified.availableMicros,
    held_micros: verified.heldMicros,
    audited_at: auditedAt,
    rotated_number: rotated.number,
    rotated_available_micros: rotated.availableMicros,
    rotated_held_micros: rotated.heldMicros,
    rotated_until: rotatedUntil,
  };
  await tx
    .insertInto('ledger_checkpoints')
    .values({ account_id: accountId, book, ...row })
    .onConflict((conflict) => conflict.columns(['account_id', 'book']).doUpdateSet(row))
    .execute();
}
