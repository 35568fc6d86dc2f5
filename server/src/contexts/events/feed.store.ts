import { sql } from 'kysely';
import { type Database, inTransaction, queryRows, type Tx } from '../../platform/db/database.ts';
import { executePrepared } from '../../platform/db/prepared.ts';
import { callEvents } from '../../platform/event-types.ts';
import type { LoggedEvent } from './present-event.ts';

export interface FeedEvent extends LoggedEvent {
  id: string;
}

export interface FeedQuery {
  accountId: number;
  /** Limits the result to calls that this user placed or owns; undefined for all events of the account. */
  callsOf: number | undefined;
  after: number;
  /** Maximum number of events to return, and of rows to scan. */
  limit: number;
  maxScanned: number;
}

type Row = { reached: number | null } & (FeedEvent | { [Name in keyof FeedEvent]: null });

/** Returns the next events by number, and the number up to which the log was scanned. */
export async function readFeed(
  tx: Tx,
  feedQuery: FeedQuery,
): Promise<{ events: FeedEvent[]; reached: number }> {
  const { accountId, after, limit } = feedQuery;
  const sees = feedQuery.callsOf ?? null;
  const query = sql<Row>`
    with looked as materialized (
      select e.id, e.type, e.subject_id, e.data, e.occurred_at, e.account_sequence
        from events e
       where e.account_id = ${accountId} and e.account_sequence > ${after}
       order by e.account_sequence limit ${feedQuery.maxScanned}
    )
    select (select max(account_sequence) from looked) as reached, seen.*
      from (values (1)) as one left join lateral (
        select l.id, l.type, l.subject_id as "subjectId", l.data, l.occurred_at as "occurredAt",
               l.account_sequence as "accountSequence",
               case when l.type = 'recording-ready' then to_jsonb(c) - 'timeline' end as call
          from looked l
          left join calls c on c.account_id = ${accountId} and (l.type = 'recording-ready' or ${sees}::bigint is not null)
           and c.id = case when l.type = any(${callEvents}) then l.subject_id::uuid end
         where ${sees}::bigint is null or c.user_id = ${sees} or c.requested_by = ${sees}
         order by l.account_sequence limit ${limit}
      ) seen on true`;
  const rows = await executePrepared(tx, query.compile(tx));
  const events = rows.filter((row) => row.id !== null);
  const last = events.length === limit ? events.at(-1)?.accountSequence : rows[0]?.reached;
  return { events, reached: last ?? after };
}

/** Returns the number of the account's newest event. */
export async function readHead(tx: Tx, accountId: number): Promise<number> {
  const row = await tx
    .selectFrom('event_counters')
    .select('last')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.last ?? 0;
}

/** Returns the newest event numbers of many accounts. */
export async function readHeads(db: Database, accountIds: number[]): Promise<Map<number, number>> {
  return await inTransaction(db, async (tx) => {
    const query = sql<{ accountId: number; last: number }>`
      select account_id as "accountId", last from event_heads(${accountIds})`;
    const rows = await executePrepared(tx, query.compile(tx));
    return new Map(rows.map(({ accountId, last }) => [accountId, last]));
  });
}

export async function findRecipient(
  tx: Tx,
  accountId: number,
): Promise<{ domain: string; timezone: string }> {
  return await tx
    .selectFrom('account_info')
    .select(['domain', 'timezone'])
    .where('id', '=', accountId)
    .$narrowType<{ domain: string; timezone: string }>()
    .executeTakeFirstOrThrow();
}

/** Deletes up to `limit` older events across all accounts; returns how many. */
export async function removeOldEvents(db: Database, before: Date, limit: number): Promise<number> {
  const query = sql<{ removed: number }>`select sweep_events(${before}, ${limit}) as removed`;
  const [row] = await queryRows(db, query);
  return row?.removed ?? 0;
}
