import { sql } from 'kysely';
import { type Database, inTransaction } from '../../../platform/db/database.ts';

const checkViolation = '23514';

/** Makes what is missing of a month: how many tables, or undefined if the default ones have calls of that month. */
export async function makeMonth(db: Database, month: Date): Promise<number | undefined> {
  try {
    return await inTransaction(db, async (tx) => {
      // A new month waits for all who read calls, and all who come meanwhile wait behind it.
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

/** Moves the months that were over by then to the archive; returns how many tables it moved. */
export async function detachMonths(db: Database, before: Date): Promise<number> {
  return await inTransaction(db, async (tx) => {
    const { rows } = await sql<{ moved: number }>`
      select detach_call_months(${dayOf(before)}::date) as moved`.execute(tx);
    return rows[0]?.moved ?? 0;
  });
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
