import { sql } from 'kysely';
import { type Database, queryRows, type Tx } from '../../../platform/db/database.ts';
import type { Span, Split } from './call-count.rules.ts';

/** Returns the time before which all calls are counted and their status is final. */
export async function findCountedUntil(tx: Tx): Promise<Date | undefined> {
  const { rows } = await sql<{ until: Date | null }>`
    select until::timestamp at time zone 'UTC' as until from call_days_counted`.execute(tx);
  return rows[0]?.until ?? undefined;
}

/**
 * Sums the counted days and counts the calls in the spans around them. Uses days instead of the quarter-hours of
 * `call_sums`: a list without a time filter spans years, which are 365 rows per year here and up to 35,000 per end
 * reason there.
 */
export async function countCalls(
  tx: Tx,
  accountId: number,
  { counted, rest }: Split,
  isEnded: boolean,
): Promise<number> {
  const inDays = sql`(select coalesce(sum(calls), 0) from call_counts
    where account_id = ${accountId} and day >= ${dayOf(counted.fromMs)}::date and day < ${dayOf(counted.untilMs)}::date)`;
  const parts = [inDays, ...rest.map((span) => countIn(accountId, span, isEnded))];
  const { rows } = await sql<{ total: number }>`
    select (${sql.join(parts, sql` + `)})::bigint as total`.execute(tx);
  return rows[0]?.total ?? 0;
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

function countIn(accountId: number, { fromMs, untilMs }: Span, isEnded: boolean) {
  const hasEnded = isEnded ? sql`and status = 'ended'` : sql``;
  return sql`(select count(*) from calls where account_id = ${accountId} ${hasEnded}
    and id >= uuid_floor(${new Date(fromMs)}) and id < uuid_floor(${new Date(untilMs)}))`;
}

/** Counts the next complete day before this one; false if there is none. */
export async function countNextDay(db: Database, before: Date): Promise<boolean> {
  const query = sql<{ day: string | null }>`select count_call_day(${dayOf(before.getTime())}::date) as day`;
  const [row] = await queryRows(db, query);
  return row?.day != null;
}
