import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { executePrepared, prepared } from '../../../platform/db/prepared.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import type { Balance, Book, Posting, PostOutcome } from './ledger.ts';

interface PostRow {
  outcome: 'posted' | 'replayed' | 'conflict' | 'insufficient';
  available_micros: number;
  held_micros: number;
  became_low: boolean;
  spent_today_micros: number;
}

/** Writes the posting if its key is new. The transaction must have its account set. */
export async function post(tx: Tx, posting: Posting): Promise<PostOutcome> {
  const { available = 0, held = 0, revenue = 0, gateway = 0, adjustments = 0 } = posting.legs;
  const query = prepared<PostRow>`select outcome, available_micros, held_micros, became_low, spent_today_micros
    from ledger_post(
    ${uuidv7(posting.at)}, ${posting.book}, ${posting.kind}, ${posting.subjectId}, ${posting.key}, ${inputHash(posting)},
    ${available}, ${held}, ${revenue}, ${gateway}, ${adjustments},
    ${posting.description}, ${posting.at})`;
  const [row] = await executePrepared(tx, query);
  if (!row || row.outcome === 'conflict') {
    throw new Error(`Ledger key ${posting.key} exists with different input.`);
  }
  const balance = {
    availableMicros: row.available_micros,
    heldMicros: row.held_micros,
    spentTodayMicros: row.spent_today_micros,
  };
  return row.outcome === 'posted'
    ? { outcome: 'posted', becameLow: row.became_low, ...balance }
    : { outcome: row.outcome, ...balance };
}

/** Excludes the time, because a repeated posting has a later one. */
function inputHash({ book, kind, subjectId, legs }: Posting): Buffer {
  const { available = 0, held = 0, revenue = 0, gateway = 0, adjustments = 0 } = legs;
  return createHash('sha256')
    .update(JSON.stringify([book, kind, subjectId, available, held, revenue, gateway, adjustments]))
    .digest();
}

export async function findBalance(tx: Tx, accountId: number, book: Book): Promise<Balance> {
  const row = await tx
    .selectFrom('ledger_balances')
    .select(['available_micros', 'held_micros'])
    .where('account_id', '=', accountId)
    .where('book', '=', book)
    .executeTakeFirst();
  return { availableMicros: row?.available_micros ?? 0, heldMicros: row?.held_micros ?? 0 };
}

/** Serialises requests that set the credit, so that each one starts from the result of the previous. */
export async function lockCreditSetting(tx: Tx, accountId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`play-credit:${accountId}`}, 0))`.execute(tx);
}

/** Returns the cost of today's calls, by the calendar of Sao Paulo, plus the holds of running ones. */
export async function findDaySpend(tx: Tx, accountId: number, at: Date): Promise<number> {
  const { rows } = await sql<{ micros: number }>`
    select b.held_micros + spent_at(${at}, b.spent_on, b.spent_micros) as micros
      from account_info a join ledger_balances b on b.account_id = a.id and b.book = a.mode
     where a.id = ${accountId}`.execute(tx);
  return rows[0]?.micros ?? 0;
}

/** Entries that changed the balance; holds and releases do not. */
export const selectStatement = (tx: Tx, accountId: number, book: Book) =>
  tx
    .selectFrom('ledger_transactions')
    .select((row) => [
      'id',
      'number',
      'at',
      'kind',
      'subject_id',
      'description',
      'balance_after_micros',
      sql<number>`${row.ref('available_micros')} + ${row.ref('held_micros')}`.as('amount_micros'),
      // Amount in reais, for filters.
      sql<string>`(${row.ref('available_micros')} + ${row.ref('held_micros')}) / 1000000.0`.as('amount'),
      sql<string>`${row.ref('balance_after_micros')} / 1000000.0`.as('balance'),
    ])
    .where('account_id', '=', accountId)
    .where('book', '=', book)
    .where('kind', 'not in', ['hold', 'release']);

export async function findBook(tx: Tx, accountId: number): Promise<Book> {
  const { mode } = await tx
    .selectFrom('account_info')
    .select('mode')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return mode as Book;
}

/** More than the renewals of a day, at one per 30 s. */
const maxEntriesPerSubject = 5_000;

export async function findTransactionsOf(tx: Tx, accountId: number, subjectIds: string[]) {
  return await tx
    .selectFrom('ledger_transactions')
    .select([
      'id',
      'subject_id',
      'kind',
      'at',
      'available_micros',
      'held_micros',
      'revenue_micros',
      'description',
    ])
    .where('account_id', '=', accountId)
    .where('subject_id', '=', sql<string>`any(${subjectIds})`)
    .orderBy('number')
    .limit(maxEntriesPerSubject * subjectIds.length)
    .execute();
}
