import { sql } from 'kysely';
import { type Database, inTransaction } from '../../platform/db/database.ts';

/**
 * Creates missing daily partitions from one day to another; returns how many. Waits only briefly for the lock on the
 * default partition: batches of requests queue behind it.
 */
export async function makeDays(db: Database, first: Date, last: Date): Promise<number> {
  return await inTransaction(db, async (tx) => {
    await sql`set local lock_timeout = '1s'`.execute(tx);
    const { rows } = await sql<{ made: number }>`
      select make_request_days(${dayOf(first)}::date, ${dayOf(last)}::date) as made`.execute(tx);
    return rows[0]?.made ?? 0;
  });
}

/**
 * Drops partitions of days that ended before then, with their counters; returns how many. Dropping one waits for all
 * readers of the table, and batches queue behind it, so it gives up early and is retried.
 */
export async function dropDays(db: Database, before: Date): Promise<number> {
  return await inTransaction(db, async (tx) => {
    await sql`set local lock_timeout = '1s'`.execute(tx);
    const { rows } = await sql<{ dropped: number }>`
      select drop_request_days(${dayOf(before)}::date) as dropped`.execute(tx);
    return rows[0]?.dropped ?? 0;
  });
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
