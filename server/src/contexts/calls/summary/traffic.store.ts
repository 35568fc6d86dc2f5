import type { Database, Tx } from '../../../platform/db/database.ts';
import { executePrepared, prepared, queryPrepared } from '../../../platform/db/prepared.ts';
import type { Traffic, TrafficHistory } from './traffic.ts';

/** Returns the traffic of the live accounts that have an outbound call running and may call. */
export const findRecentTraffic = (db: Database, at: Date): Promise<Traffic[]> =>
  queryPrepared(
    db,
    prepared<Traffic>`
      select account_id as "accountId", timezone, calls, ended, answered, short, spent_micros as "spentMicros",
             destinations
        from recent_traffic(${at})`,
  );

/** Returns the live calls of the 28 days before the last hour, in quarter-hours that have been summed. */
export async function findTrafficHistory(
  tx: Tx,
  { accountId, timezone }: Pick<Traffic, 'accountId' | 'timezone'>,
  at: Date,
): Promise<TrafficHistory> {
  const query = prepared<Omit<TrafficHistory, 'byHourOfWeek'> & { hours: Record<string, number> | null }>`
    with quarters as (
      select starts_at, sum(outbound) as calls, sum(answered) as answered, sum(short) as short,
             sum(talk_seconds) as talk_seconds, sum(spend_micros) as spend_micros
        from call_sums
       where account_id = ${accountId} and book = 'live'
         and starts_at >= ${at}::timestamptz - interval '28 days' and starts_at < ${at}::timestamptz - interval '1 hour'
       group by starts_at having sum(outbound) > 0
    ), hours as (
      select sum(spend_micros) as spend_micros from quarters group by date_trunc('hour', starts_at)
    ), weekly as (
      select (extract(isodow from starts_at at time zone ${timezone}) - 1) * 24
               + extract(hour from starts_at at time zone ${timezone}) as hour, sum(calls) as calls
        from quarters group by 1
    )
    select coalesce(floor(extract(epoch from ${at}::timestamptz - min(starts_at)) / 86400), 0)::integer as days,
           coalesce(sum(calls), 0)::integer as calls, coalesce(sum(answered), 0)::integer as answered,
           coalesce(sum(short), 0)::integer as short, coalesce(sum(talk_seconds), 0)::float8 as "talkSeconds",
           coalesce(sum(spend_micros), 0)::float8 as "spentMicros",
           coalesce((select max(spend_micros) from hours), 0)::float8 as "highestHourMicros",
           (select json_object_agg(hour::integer, calls) from weekly) as hours
      from quarters`;
  const [row] = await executePrepared(tx, query);
  if (!row) throw new Error('An aggregate without groups returns one row.');
  const { hours, ...totals } = row;
  return { ...totals, byHourOfWeek: Array.from({ length: 168 }, (_, hour) => hours?.[hour] ?? 0) };
}

/** Returns those of the prefixes that the account has called in the 90 days before the last hour. */
export async function findCalledPrefixes(
  tx: Tx,
  accountId: number,
  prefixes: string[],
  at: Date,
): Promise<string[]> {
  const query = prepared<{ prefix: string }>`
    select prefix from unnest(${prefixes}::text[]) as p (prefix)
     where exists (
       select from call_words w
        where w.account_id = ${accountId} and w.word ^@ p.prefix
          and w.id >= uuid_floor(${at}::timestamptz - interval '90 days')
          and w.id < uuid_floor(${at}::timestamptz - interval '1 hour'))`;
  return (await executePrepared(tx, query)).map(({ prefix }) => prefix);
}
