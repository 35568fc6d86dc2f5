import { sql } from 'kysely';
import { type Database, inTransaction, queryRows } from '../../../platform/db/database.ts';

const checkViolation = '23514';

/** Creates the missing tables of a month. Returns how many, or undefined if the default partition has calls of that month. */
export async function makeMonth(db: Database, month: Date): Promise<number | undefined> {
  try {
    return await inTransaction(db, async (tx) => {
      // Attaching waits for all readers of calls, and new readers queue behind it, so the wait is limited.
      await sql`set local lock_timeout = '3s'`.execute(tx);
      const { rows } = await sql<{ made: number }>`
        select make_call_months(${dayOf(month)}::date, ${dayOf(month)}::date) as made`.execute(tx);
      return rows[0]?.made ?? 0;
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === checkViolation) return undefined;
    throw error;
  }
}

/** Moves the months that ended before this time to the archive; returns the number of tables. */
export async function detachMonths(db: Database, before: Date): Promise<number> {
  const query = sql<{ moved: number }>`select detach_call_months(${dayOf(before)}::date) as moved`;
  const [row] = await queryRows(db, query);
  return row?.moved ?? 0;
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
