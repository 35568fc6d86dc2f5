import { type RawBuilder, sql } from 'kysely';
import { type Database, queryRows, type Tx } from '../../../platform/db/database.ts';
import { callsOf } from '../own-calls.store.ts';
import type { Span, Split } from './call-count.rules.ts';
import type { SumRow } from './summary.rules.ts';

/** Rolls up the next batch of complete quarter-hours; false if there is none. */
export async function sumNextQuarters(db: Database, before: Date): Promise<boolean> {
  const query = sql<{ until: Date | null }>`select sum_calls(${before}) as until`;
  const [row] = await queryRows(db, query);
  return row?.until != null;
}

export interface SummedAccount {
  accountId: number;
  timezone: string;
  mode: string;
  /** Every call that started before this time is rolled up, or recorded as still running. */
  summedUntil: Date | null;
}

export async function findSummedAccount(tx: Tx, accountId: number): Promise<SummedAccount> {
  const { rows } = await sql<SummedAccount>`
    select a.id as "accountId", a.timezone, a.mode, (select s.until from calls_summed s) as "summedUntil"
      from account_info a where a.id = ${accountId}`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error(`No account ${accountId}.`);
  return row;
}

/** Returns totals for some spans: overall, by day and by hour in the account's time zone, and by cause. */
export async function sumWindow(
  tx: Tx,
  { accountId, mode, timezone }: SummedAccount,
  { counted, rest }: { counted: Split['counted'] | undefined; rest: Span[] },
): Promise<SumRow[]> {
  const parts = [
    ...(counted ? [summed(accountId, mode, counted), unsummedCalls(accountId, mode, counted)] : []),
    ...rest.map((span) => startedCalls(accountId, mode, span, undefined)),
  ];
  // One statement, and therefore one snapshot: a call moves between the two sources atomically.
  return await totalsOf(tx, timezone, parts);
}

/** Returns the same totals for the calls of one user, which are not rolled up. */
export const sumCallsOf = (
  tx: Tx,
  { accountId, mode, timezone }: SummedAccount,
  span: Span,
  userId: number,
): Promise<SumRow[]> => totalsOf(tx, timezone, [startedCalls(accountId, mode, span, userId)]);

async function totalsOf(tx: Tx, timezone: string, parts: RawBuilder<unknown>[]): Promise<SumRow[]> {
  const { rows } = await sql<SumRow>`
    with local as (
      select p.at at time zone ${timezone} as at, p.cause, p.calls, p.ended, p.answered, p.talk, p.spend, p.outbound, p.short
        from (${sql.join(parts, sql` union all `)}) p)
    select at::date as day, extract(hour from at)::int as hour, cause, grouping(at::date, extract(hour from at)::int, cause) as level,
           coalesce(sum(calls), 0)::bigint as calls, coalesce(sum(ended), 0)::bigint as ended,
           coalesce(sum(answered), 0)::bigint as answered, coalesce(sum(talk), 0)::bigint as "talkSeconds",
           coalesce(sum(spend), 0)::bigint as "spendMicros", coalesce(sum(outbound), 0)::bigint as outbound,
           coalesce(sum(short), 0)::bigint as short
      from local
     group by grouping sets ((), (at::date), (extract(hour from at)::int), (cause))`.execute(tx);
  return rows;
}

const moment = (ms: number): Date => new Date(ms);

const summed = (accountId: number, mode: string, { fromMs, untilMs }: Span): RawBuilder<unknown> => sql`
  select starts_at as at, hangup_cause as cause, calls, calls as ended, answered, talk_seconds as talk,
         case when book = ${mode} then spend_micros else 0 end as spend, outbound, short
    from call_sums
   where account_id = ${accountId} and starts_at >= ${moment(fromMs)} and starts_at < ${moment(untilMs)}`;

/** Looks up each call by its id: there are few of them, whatever the planner estimates. */
const unsummedCalls = (
  accountId: number,
  mode: string,
  { fromMs, untilMs }: Span,
): RawBuilder<unknown> => sql`
  select ${each(mode)}
    from unsummed_calls u
   cross join lateral (select * from calls c where c.id = u.call_id and c.account_id = u.account_id limit 1) c
   where u.account_id = ${accountId}
     and u.call_id >= uuid_floor(${moment(fromMs)}) and u.call_id < uuid_floor(${moment(untilMs)})`;

const startedCalls = (
  accountId: number,
  mode: string,
  { fromMs, untilMs }: Span,
  userId: number | undefined,
): RawBuilder<unknown> => sql`
  select ${each(mode)} from calls c
   where c.account_id = ${accountId} and ${callsOf(userId, 'c')}
     and c.id >= uuid_floor(${moment(fromMs)}) and c.id < uuid_floor(${moment(untilMs)})`;

/** The contribution of one call, the same as in `sum_calls`. A call that has not ended adds only to `calls`. */
const each = (mode: string): RawBuilder<unknown> => sql`
  c.started_at as at, case when c.status = 'ended' then coalesce(c.hangup_cause, '') end as cause, 1 as calls,
  (c.status = 'ended')::int as ended, (c.status = 'ended' and c.answered_at is not null)::int as answered,
  c.duration as talk, case when c.book = ${mode} then coalesce(c.call_price_micros, 0) else 0 end as spend,
  (c.status = 'ended' and c.call_type = 'outbound')::int as outbound,
  (c.status = 'ended' and c.call_type = 'outbound' and c.duration <= 6)::int as short`;
