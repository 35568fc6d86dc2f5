import { sql } from 'kysely';
import { type Database, inTransaction } from '../../platform/db/database.ts';

/** Makes what is missing of the months from one day's to another's; returns how many tables it made. */
export async function makeMonths(db: Database, first: Date, last: Date): Promise<number> {
  return await inTransaction(db, async (tx) => {
    // A new month waits for all who read calls, and all who come meanwhile wait behind it.
    await sql`set local lock_timeout = '3s'`.execute(tx);
    const { rows } = await sql<{ made: number }>`
      select make_call_months(${dayOf(first)}::date, ${dayOf(last)}::date) as made`.execute(tx);
    return rows[0]?.made ?? 0;
  });
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
