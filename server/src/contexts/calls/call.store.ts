import type { Database, Tx } from '../../platform/db/database.ts';
import { executePrepared, prepared, queryPrepared } from '../../platform/db/prepared.ts';
import { violatedConstraint } from '../../platform/db/unavailable.ts';
import { Refusal } from '../../platform/errors.ts';
import { uuidv7 } from '../../platform/ids.ts';
import type { Book } from '../billing/index.ts';
import type { CallState } from './call.rules.ts';
import type { CallKind, CallOrder, Lease, LiveCall } from './call.ts';
import type { Ending } from './lifecycle/end.rules.ts';

export interface NewCall {
  id: string;
  accountId: number;
  book: Book;
  kind: LiveCall['kind'];
  at: Date;
  order: CallOrder;
  extensionId: number | null;
  userId: number | null;
  requestedBy: number | null;
  email: string;
  firstName: string;
  lastName: string;
  bina: string | null;
  metadata: Record<string, unknown>;
  fundedSeconds: number;
  /** Set if the leg already exists on a node; the call is then written as claimed. */
  claim?: Lease;
}

const typeOf: Record<CallKind, 'outbound' | 'internal' | 'inbound'> = {
  click: 'outbound',
  code: 'outbound',
  dialled: 'outbound',
  internal: 'internal',
  inbound: 'inbound',
};

/**
 * Writes the record, the live call, its metadata and its first event in one statement. Refuses a call that another node
 * holds.
 */
export async function insertCall(tx: Tx, call: NewCall): Promise<void> {
  const { order, at, claim } = call;
  const from = call.kind === 'inbound' ? order.callerId : order.ramal;
  const query = prepared`
    with c as (
      insert into calls (id, account_id, domain, book, call_type, status, started_at, "from", "to", extension_id,
        user_id, requested_by, email, first_name, last_name, bina, caller_id, recorded, metadata, timeline)
      values (${call.id}, ${call.accountId}, ${order.domain}, ${call.book}, ${typeOf[call.kind]}, 'queued', ${at}, ${from},
        ${order.destination}, ${call.extensionId}, ${call.userId}, ${call.requestedBy}, ${call.email},
        ${call.firstName}, ${call.lastName}, ${call.bina}, ${order.callerId}, ${order.record},
        ${JSON.stringify(call.metadata)}, ${JSON.stringify([moment(at, 'queued')])})
      returning id, account_id, metadata, calls as whole_row
    ), live as (
      insert into live_calls (call_id, account_id, book, kind, state, requested_at, order_data, funded_seconds, node,
        claimed_at, sequence)
      values (${call.id}, ${call.accountId}, ${call.book}, ${call.kind}, 'queued', ${at}, ${JSON.stringify(order)},
        ${call.fundedSeconds}, ${claim?.node ?? null}, ${claim ? at : null}, 1)
    ), pairs as (
      insert into call_pairs (account_id, pair, id)
      select c.account_id, hashtextextended(key || '=' || value::text, 0), c.id
        from c, jsonb_each(c.metadata) where jsonb_typeof(value) in ('string', 'number', 'boolean')
      on conflict do nothing
    )
    select record_event(${uuidv7(at)}, c.account_id, 'channel-create', c.id::text,
             jsonb_build_object('sequence', 1, 'call', call_snapshot(c.whole_row)), ${at})
      from c`;
  try {
    await executePrepared(tx, query);
  } catch (error) {
    if (violatedConstraint(error) !== 'live_calls_sip') throw error;
    throw new Refusal('SERVICE_UNAVAILABLE', 'Another media node holds this call.');
  }
}

/** Returns the new call in the form that call control uses. */
export const liveCallOf = (call: NewCall): LiveCall => ({
  callId: call.id,
  accountId: call.accountId,
  book: call.book,
  kind: call.kind,
  state: 'queued',
  requestedAt: call.at,
  order: call.order,
  node: call.claim?.node ?? null,
  claimedAt: call.claim ? call.at : null,
  fundedSeconds: call.fundedSeconds,
  answeredOnNode: null,
  answeredAt: null,
  renewAt: null,
  hangupAskedAt: null,
  engineLostAt: null,
});

const moment = (at: Date, what: string, more: object = {}) => ({ at: at.toISOString(), what, ...more });

export interface Move {
  callId: string;
  from: CallState[];
  /** The states passed through, with their times, ending with the final one. */
  passes: { state: CallState; at: Date }[];
  to: CallState;
  at: Date;
  /** Event to publish, if any. */
  event: string | null;
  answeredOnNode?: number;
  renewAt?: Date;
}

/**
 * Advances calls, each through its moves in order, and returns which ones changed. Calls already in the state and ended
 * calls are skipped; if the lease is no longer held, all are.
 */
export async function moveCalls(db: Database, lease: Lease, movesOfCalls: Move[][]): Promise<boolean[]> {
  const rows = movesOfCalls.flatMap((moves) => moves.map(rowOf));
  const query = prepared<{ callId: string }>`
    select call_id as "callId" from move_calls(${lease.node}, ${lease.epoch}, ${JSON.stringify(rows)}) as call_id`;
  const moved = new Set((await queryPrepared(db, query)).map(({ callId }) => callId));
  return movesOfCalls.map((moves) => moves.some(({ callId }) => moved.has(callId)));
}

const rowOf = (move: Move, step: number) => ({
  call_id: move.callId,
  step,
  earlier: move.from,
  state: move.to,
  at: move.at,
  moments: move.passes.map(({ state, at }) => moment(at, state)),
  event: move.event,
  event_id: uuidv7(move.at),
  answered_on_node: move.answeredOnNode,
  answered_at: move.to === 'answered' ? move.at : undefined,
  renew_at: move.renewAt,
});

export interface Finish extends Ending {
  answeredAt: Date | null;
  endedAt: Date;
  billedSeconds: number;
  minutePriceMicros: number;
  callPriceMicros: number;
}

/** Completes the record, deletes the live call and publishes the end and the price. */
export async function finishCall(tx: Tx, { callId, accountId }: LiveCall, finish: Finish): Promise<void> {
  const row = {
    call_id: callId,
    answered_at: finish.answeredAt,
    ended_at: finish.endedAt,
    duration: finish.seconds,
    billed_duration: finish.billedSeconds,
    hangup_cause: finish.hangupCause,
    ended_by: finish.endedBy,
    minute_price_micros: finish.minutePriceMicros,
    call_price_micros: finish.callPriceMicros,
    moment: moment(finish.endedAt, 'ended', { cause: finish.hangupCause, by: finish.endedBy }),
    hangup_event: uuidv7(finish.endedAt),
    price_event: uuidv7(finish.endedAt),
  };
  const query = prepared`select finish_call(${accountId}, ${JSON.stringify(row)})`;
  await executePrepared(tx, query);
}

export interface NamedCall {
  callId: string;
  isEnded: boolean;
  /** The extension's user and the user who requested the call. */
  belongsTo: (number | null)[];
}

/** Finds a call by its id or by the id that `POST /dialer` returned. */
export async function findCallId(tx: Tx, accountId: number, id: string): Promise<NamedCall | undefined> {
  const query = prepared<NamedCall>`
    select c.id as "callId", c.status = 'ended' as "isEnded", json_build_array(c.user_id, c.requested_by) as "belongsTo"
      from calls c
     where c.account_id = ${accountId} and c.id = coalesce(
       (select d.call_id from dialer_calls d where d.account_id = ${accountId} and d.id = ${id}), ${id})`;
  const [row] = await executePrepared(tx, query);
  return row;
}

export async function insertDialerId(
  tx: Tx,
  accountId: number,
  id: string,
  callId: string,
  at: Date,
): Promise<void> {
  await tx
    .insertInto('dialer_calls')
    .values({ id, account_id: accountId, call_id: callId, created_at: at })
    .execute();
}

export async function findDomain(tx: Tx, accountId: number): Promise<string> {
  const { domain } = await tx
    .selectFrom('account_info')
    .select('domain')
    .where('id', '=', accountId)
    .$narrowType<{ domain: string }>()
    .executeTakeFirstOrThrow();
  return domain;
}
