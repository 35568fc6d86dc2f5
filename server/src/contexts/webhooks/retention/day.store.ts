import { sql } from 'kysely';
import { type Database, inTransaction } from '../../../platform/db/database.ts';

/** Makes what is missing of the days from one to another; returns how many tables it made. */
export async function makeDays(db: Database, first: Date, last: Date): Promise<number> {
  return await inTransaction(db, async (tx) => {
    // A new day waits for all who read deliveries, and all who come meanwhile wait behind it.
    await sql`set local lock_timeout = '3s'`.execute(tx);
    const { rows } = await sql<{ made: number }>`
      select make_delivery_days(${dayOf(first)}::date, ${dayOf(last)}::date) as made`.execute(tx);
    return rows[0]?.made ?? 0;
  });
}

/** Drops the days that were over by then; returns how many tables it dropped. */
export async function dropDays(db: Database, before: Date): Promise<number> {
  return await inTransaction(db, async (tx) => {
    await sql`set local lock_timeout = '3s'`.execute(tx);
    const { rows } = await sql<{ dropped: number }>`
      select drop_delivery_days(${dayOf(before)}::date) as dropped`.execute(tx);
    return rows[0]?.dropped ?? 0;
  });
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
