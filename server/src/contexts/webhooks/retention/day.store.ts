import { sql } from 'kysely';
import { type Database, inTransaction } from '../../../platform/db/database.ts';

/** Creates missing daily partitions from one day to another; returns how many. */
export async function makeDays(db: Database, first: Date, last: Date): Promise<number> {
  return await inTransaction(db, async (tx) => {
    // Creating a partition waits for all readers of deliveries, and new readers queue behind it, so the wait is
    // limited.
    await sql`set local lock_timeout = '3s'`.execute(tx);
    const { rows } = await sql<{ made: number }>`
      select make_delivery_days(${dayOf(first)}::date, ${dayOf(last)}::date) as made`.execute(tx);
    return rows[0]?.made ?? 0;
  });
}

/** Drops partitions of days that ended before this time; returns how many. */
export async function dropDays(db: Database, before: Date): Promise<number> {
  return await inTransaction(db, async (tx) => {
    await sql`set local lock_timeout = '3s'`.execute(tx);
    const { rows } = await sql<{ dropped: number }>`
      select drop_delivery_days(${dayOf(before)}::date) as dropped`.execute(tx);
    return rows[0]?.dropped ?? 0;
  });
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
