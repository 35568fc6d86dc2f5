import { type Selectable, sql } from 'kysely';
import { type Database, inTransaction, type Tx } from '../../../platform/db/database.ts';
import { columns, executePrepared, prepared, queryPrepared } from '../../../platform/db/prepared.ts';
import type { LiveCalls } from '../../../platform/db/schema.ts';
import type { Book } from '../../billing/index.ts';
import type { CallState } from '../call.rules.ts';
import type { CallOrder, Lease, LiveCall } from '../call.ts';
import { callsOf } from '../own-calls.store.ts';

type Row = Omit<Selectable<LiveCalls>, 'sequence' | 'chosen_node' | 'chosen_until' | 'timeline' | 'on_hold'>;

const liveColumns = columns`
  call_id, account_id, book, kind, state, requested_at, order_data, node, claimed_at, funded_seconds, answered_on_node,
  answered_at, renew_at, hangup_asked_at, engine_lost_at, has_legs`;

const fromRow = (row: Row): LiveCall => ({
  callId: row.call_id,
  accountId: row.account_id,
  book: row.book as Book,
  kind: row.kind as LiveCall['kind'],
  state: row.state as CallState,
  requestedAt: row.requested_at,
  order: row.order_data as unknown as CallOrder,
  node: row.node,
  claimedAt: row.claimed_at,
  fundedSeconds: row.funded_seconds,
  answeredOnNode: row.answered_on_node,
  answeredAt: row.answered_at,
  renewAt: row.renew_at,
  hangupAskedAt: row.hangup_asked_at,
  engineLostAt: row.engine_lost_at,
  hasLegs: row.has_legs,
});

/**
 * Claims calls for a node, each exactly once: those for which it was chosen, and those that their chosen node has not
 * claimed in time. Returns nothing if the node is draining or fenced.
 */
export async function claimCalls(
  db: Database,
  lease: Lease,
  requestedAfter: Date,
  at: Date,
  limit: number,
): Promise<LiveCall[]> {
  const query = prepared<Row>`
    select ${liveColumns} from claim_calls(${lease.node}, ${lease.epoch}, ${requestedAfter}, ${at}, ${limit})`;
  return (await queryPrepared(db, query)).map(fromRow);
}

/** Like `claimCalls`, only for calls for which the node was chosen. */
export const claimChosenCalls: typeof claimCalls = async (db, lease, requestedAfter, at, limit) => {
  const query = prepared<Row>`
    select ${liveColumns} from claim_chosen_calls(${lease.node}, ${lease.epoch}, ${requestedAfter}, ${at}, ${limit})`;
  return (await queryPrepared(db, query)).map(fromRow);
};

/** Like `claimCalls`, only for calls of live accounts. */
export const claimLiveCalls: typeof claimCalls = async (db, lease, requestedAfter, at, limit) => {
  const query = prepared<Row>`
    select ${liveColumns} from claim_live_calls(${lease.node}, ${lease.epoch}, ${requestedAfter}, ${at}, ${limit})`;
  return (await queryPrepared(db, query)).map(fromRow);
};

export async function findCallsOfNode(db: Database, node: string): Promise<LiveCall[]> {
  const query = prepared<Row>`select ${liveColumns} from calls_of_node(${node})`;
  return (await queryPrepared(db, query)).map(fromRow);
}

export interface OrphanedCall {
  callId: string;
  accountId: number;
  node: string | null;
  lastSeenAt: Date | null;
}

export interface Deadlines {
  /** Calls requested before this time must have been claimed. */
  requestedBefore: Date;
  /** A node last seen before this time is silent. */
  seenBefore: Date;
  /** A node that was found silent before this time, and still is, is considered lost. */
  silentBefore: Date;
}

export async function findOrphanedCalls(
  db: Database,
  { requestedBefore, seenBefore, silentBefore }: Deadlines,
  at: Date,
  limit: number,
): Promise<OrphanedCall[]> {
  return await inTransaction(db, async (tx) => {
    await sql`select mark_silent_nodes(${seenBefore}, ${at})`.execute(tx);
    const { rows } = await sql<OrphanedCall>`
      select call_id as "callId", account_id as "accountId", node, last_seen_at as "lastSeenAt"
        from orphaned_calls(${requestedBefore}, ${seenBefore}, ${silentBefore}, ${limit})`.execute(tx);
    return rows;
  });
}

/** Returns a live call without locking it. */
export async function findLiveCall(
  db: Database,
  { accountId, callId }: Pick<LiveCall, 'accountId' | 'callId'>,
): Promise<LiveCall | undefined> {
  const query = prepared<Row>`
    select ${liveColumns} from live_among(array[${callId}::uuid]) where account_id = ${accountId}`;
  const [row] = await queryPrepared(db, query);
  return row && fromRow(row);
}

/** Locks a live call. Lock order: the call, its hold, the balance. */
export async function lockLiveCall(tx: Tx, accountId: number, callId: string): Promise<LiveCall | undefined> {
  const query = prepared<Row>`
    select ${liveColumns} from live_calls where account_id = ${accountId} and call_id = ${callId} for update`;
  const [row] = await executePrepared(tx, query);
  return row && fromRow(row);
}

export async function saveFunding(
  tx: Tx,
  { accountId, callId }: LiveCall,
  fundedSeconds: number,
  renewAt: Date | null,
): Promise<void> {
  const query = tx
    .updateTable('live_calls')
    .set({ funded_seconds: fundedSeconds, renew_at: renewAt })
    .where('account_id', '=', accountId)
    .where('call_id', '=', callId);
  await executePrepared(tx, query.compile());
}

export async function saveHangupAsked(tx: Tx, { accountId, callId }: LiveCall, at: Date): Promise<void> {
  await tx
    .updateTable('live_calls')
    .set({ hangup_asked_at: at })
    .where('account_id', '=', accountId)
    .where('call_id', '=', callId)
    .where('hangup_asked_at', 'is', null)
    .execute();
}

/** Locks all live calls of an account, before any of them locks the balance. */
export async function lockLiveCallIds(tx: Tx, accountId: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('live_calls')
    .select('call_id')
    .where('account_id', '=', accountId)
    .orderBy('call_id')
    .forUpdate()
    .execute();
  return rows.map((row) => row.call_id);
}

/** Returns the node's calls with a pending hang-up request. */
export async function findHangups(db: Database, node: string): Promise<string[]> {
  const query = prepared<{
    callId: string;
  }>`select call_id as "callId" from hangups_of_node(${node}) as call_id`;
  return (await queryPrepared(db, query)).map(({ callId }) => callId);
}

/** Returns which of the calls have not ended and belong to the node. */
export async function findLiveAmong(db: Database, node: string, callIds: string[]): Promise<LiveCall[]> {
  const query = prepared<Row>`select ${liveColumns} from live_among(${callIds}) where node = ${node}`;
  return (await queryPrepared(db, query)).map(fromRow);
}

/** Counts the running calls of an account, or of one of its users, by state. */
export async function countLiveCalls(
  tx: Tx,
  accountId: number,
  userId: number | undefined,
): Promise<Map<string, number>> {
  const isSeen =
    userId === undefined
      ? sql`true`
      : sql`exists (select from calls c where c.account_id = l.account_id and c.id = l.call_id and ${callsOf(userId, 'c')})`;
  const { rows } = await sql<{ state: string; calls: number }>`
    select l.state, count(*) as calls from live_calls l where l.account_id = ${accountId} and ${isSeen}
     group by l.state`.execute(tx);
  return new Map(rows.map(({ state, calls }) => [state, calls]));
}

/** Returns the slots of concurrent calls that the account's calls and their further legs take. */
export async function countTakenSlots(tx: Tx, accountId: number): Promise<number> {
  const { rows } = await sql<{ calls: number }>`
    select count(*) as calls from taken_slots where account_id = ${accountId}`.execute(tx);
  return rows[0]?.calls ?? 0;
}

/** Returns how many counters of running calls were wrong. */
export async function correctRunningCalls(db: Database): Promise<number> {
  const [row] = await queryPrepared(
    db,
    prepared<{ corrected: number }>`select correct_running_calls() as corrected`,
  );
  return row?.corrected ?? 0;
}
