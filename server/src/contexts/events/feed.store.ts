import { type RawBuilder, sql } from 'kysely';
import { type Database, inTransaction, type Tx } from '../../platform/db/database.ts';
import { executePrepared } from '../../platform/db/prepared.ts';
import { callEvents, followingEvents } from '../../platform/event-types.ts';
import { callsOf, ownColumn } from '../calls/index.ts';
import type { CallSnapshot } from './payload.rules.ts';
import type { LoggedEvent } from './present-event.ts';

export interface FeedEvent extends LoggedEvent {
  id: string;
  /** Whether it is an event of the reader's own call; null if the reader is not a USER. */
  isOwn: boolean | null;
}

export interface FeedQuery {
  accountId: number;
  /** The USER who reads, and gets the events of calls only: of one user's, or of all. Undefined for all events. */
  reader: { userId: number; callsOf: number | undefined } | undefined;
  after: number;
  /** Maximum number of events to return, and of rows to scan. */
  limit: number;
  maxScanned: number;
}

interface FeedPage {
  events: FeedEvent[];
  /** The number up to which the log was scanned. */
  reached: number;
}

/**
 * Returns the next events by number. Most clients follow the newest events, so the last hour is searched first, in one
 * or two partitions of the log. Numbers have no gaps: if one is missing there, all partitions are searched.
 */
export async function readFeed(tx: Tx, feedQuery: FeedQuery): Promise<FeedPage> {
  const { accountId, after, maxScanned } = feedQuery;
  const recent = await readFrom(tx, feedQuery, sql`recent_events(${accountId}, ${after}, ${maxScanned})`);
  return recent.isComplete ? recent : await readFrom(tx, feedQuery, sql`events`);
}

type Row = { reached: number | null; scanned: number; head: number | null } & (
  | FeedEvent
  | { [Name in keyof FeedEvent]: null }
);

async function readFrom(
  tx: Tx,
  { accountId, reader, after, limit, maxScanned }: FeedQuery,
  source: RawBuilder<unknown>,
): Promise<FeedPage & { isComplete: boolean }> {
  const isUser = reader !== undefined;
  const isSeen = reader ? sql`c.id is not null and ${callsOf(reader.callsOf, 'c')}` : sql`true`;
  const isOwn = reader ? ownColumn(reader.userId, 'c') : sql`null::boolean`;
  const query = sql<Row>`
    with looked as materialized (
      select e.id, e.type, e.subject_id, e.data, e.occurred_at, e.account_sequence
        from ${source} e
       where e.account_id = ${accountId} and e.account_sequence > ${after}
       order by e.account_sequence limit ${maxScanned}
    )
    select (select max(account_sequence) from looked) as reached, (select count(*) from looked) as scanned,
           (select c.last from event_counters c where c.account_id = ${accountId}) as head, seen.*
      from (values (1)) as one left join lateral (
        select l.id, l.type, l.subject_id as "subjectId", l.data, l.occurred_at as "occurredAt",
               l.account_sequence as "accountSequence",
               case when l.type = any(${followingEvents}) then noted_call(c) end as call, ${isOwn} as "isOwn"
          from looked l
          left join calls c on c.account_id = ${accountId} and (l.type = any(${followingEvents}) or ${isUser}::boolean)
           and c.id = case when l.type = any(${callEvents}) then l.subject_id::uuid end
         where ${isSeen}
         order by l.account_sequence limit ${limit}
      ) seen on true`;
  const rows = await executePrepared(tx, query.compile(tx));
  const events = rows.filter((row) => row.id !== null);
  const { scanned = 0, head = null, reached = null } = rows[0] ?? {};
  const last = events.length === limit ? events.at(-1)?.accountSequence : reached;
  const isContiguous = (reached ?? after) === after + scanned;
  const isComplete = isContiguous && (scanned === maxScanned || (reached ?? after) >= (head ?? 0));
  return { events, reached: last ?? after, isComplete };
}

/** Returns a call that has not ended, and its extension's user and the user who requested it. */
export async function findRunningCall(
  tx: Tx,
  accountId: number,
  callId: string,
): Promise<{ call: CallSnapshot; belongsTo: (number | null)[] } | undefined> {
  const query = sql<{ call: CallSnapshot; belongsTo: (number | null)[] }>`
    select call_snapshot(c) as call, json_build_array(c.user_id, c.requested_by) as "belongsTo"
      from calls c where c.account_id = ${accountId} and c.id = ${callId} and c.status <> 'ended'`;
  const [row] = await executePrepared(tx, query.compile(tx));
  return row;
}

/** Returns a user and their current availability. */
export async function findAvailability(tx: Tx, accountId: number, userId: number) {
  return await tx
    .selectFrom('user_availability')
    .select([
      'uuid',
      'name',
      'availability as status',
      'availability_reason as reason',
      'availability_since as since',
    ])
    .where('account_id', '=', accountId)
    .where('id', '=', userId)
    .$narrowType<{ uuid: string; name: string; status: string }>()
    .executeTakeFirst();
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
