import { sql } from 'kysely';
import { type Database, inTransaction } from '../../platform/db/database.ts';

/**
 * Creates missing daily partitions of the log from one day to another; returns how many. Waits only briefly for its
 * locks, because statements that read or number events queue behind it.
 */
export async function makeDays(db: Database, first: Date, last: Date): Promise<number> {
  return await inTransaction(db, async (tx) => {
    await sql`set local lock_timeout = '1s'`.execute(tx);
    const { rows } = await sql<{ made: number }>`
      select make_event_days(${dayOf(first)}::date, ${dayOf(last)}::date) as made`.execute(tx);
    return rows[0]?.made ?? 0;
  });
}

/** Drops partitions of days that ended before then; returns how many. Waits briefly, like `makeDays`. */
export async function dropDays(db: Database, before: Date): Promise<number> {
  return await inTransaction(db, async (tx) => {
    await sql`set local lock_timeout = '1s'`.execute(tx);
    const { rows } = await sql<{ dropped: number }>`
      select drop_event_days(${dayOf(before)}::date) as dropped`.execute(tx);
    return rows[0]?.dropped ?? 0;
  });
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
