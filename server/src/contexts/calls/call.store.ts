import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { executePrepared } from '../../platform/db/prepared.ts';
import { uuidv7 } from '../../platform/ids.ts';
import type { Book } from '../billing/index.ts';
import type { CallState } from './call.rules.ts';
import type { CallOrder, Lease, LiveCall } from './call.ts';
import type { Ending } from './end.rules.ts';

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
}

/** What an event tells of its call: as it was at that moment, whatever happens to it later. */
const snapshot = sql`jsonb_build_object('id', c.id, 'domain', c.domain, 'call_type', c.call_type, 'status', c.status,
  'from', c."from", 'to', c."to", 'user_id', c.user_id, 'started_at', c.started_at, 'answered_at', c.answered_at,
  'ended_at', c.ended_at, 'duration', c.duration, 'billed_duration', c.billed_duration,
  'hangup_cause', c.hangup_cause, 'ended_by', c.ended_by, 'recorded', c.recorded,
  'minute_price_micros', c.minute_price_micros, 'call_price_micros', c.call_price_micros, 'metadata', c.metadata)`;

/** The record, the running call, its pairs and its first event, in one statement. */
export async function insertCall(tx: Tx, call: NewCall): Promise<void> {
  const { order, at } = call;
  const query = sql`
    with c as (
      insert into calls (id, account_id, domain, book, call_type, status, started_at, "from", "to", extension_id,
        user_id, requested_by, email, first_name, last_name, bina, caller_id, recorded, metadata, timeline)
      values (${call.id}, ${call.accountId}, ${order.domain}, ${call.book}, 'outbound', 'queued', ${at}, ${order.ramal},
        ${order.destination}, ${call.extensionId}, ${call.userId}, ${call.requestedBy}, ${call.email},
        ${call.firstName}, ${call.lastName}, ${call.bina}, ${order.callerId}, ${order.record},
        ${JSON.stringify(call.metadata)}, ${JSON.stringify([moment(at, 'queued')])})
      returning *
    ), live as (
      insert into live_calls (call_id, account_id, book, kind, state, requested_at, order_data, funded_seconds, sequence)
      values (${call.id}, ${call.accountId}, ${call.book}, ${call.kind}, 'queued', ${at}, ${JSON.stringify(order)},
        ${call.fundedSeconds}, 1)
    ), pairs as (
      insert into call_pairs (account_id, pair, id)
      select c.account_id, hashtextextended(key || '=' || value::text, 0), c.id
        from c, jsonb_each(c.metadata) where jsonb_typeof(value) in ('string', 'number', 'boolean')
      on conflict do nothing
    )
    insert into events (id, account_id, type, subject_id, data, occurred_at)
    select ${uuidv7(at)}, c.account_id, 'channel-create', c.id::text,
           jsonb_build_object('sequence', 1, 'call', ${snapshot}), ${at}
      from c`;
  await executePrepared(tx, query.compile(tx));
}

const moment = (at: Date, what: string, more: object = {}) => ({ at: at.toISOString(), what, ...more });

export interface Move {
  callId: string;
  accountId: number;
  from: CallState[];
  to: CallState;
  at: Date;
  /** The event to tell, if any. */
  event: string | null;
  answeredOnNode?: number;
  renewAt?: Date;
}

/** Moves a call forward, in one statement. False when it was there already, has ended, or the lease is over. */
export async function moveCall(tx: Tx, lease: Lease, move: Move): Promise<boolean> {
  const isAnswer = move.to === 'answered';
  const query = sql`
    with live as (
      update live_calls l
         set state = ${move.to}, sequence = l.sequence + ${move.event === null ? 0 : 1}::integer,
             answered_on_node = coalesce(${move.answeredOnNode ?? null}::double precision, l.answered_on_node),
             answered_at = coalesce(${isAnswer ? move.at : null}::timestamptz, l.answered_at),
             renew_at = coalesce(${move.renewAt ?? null}::timestamptz, l.renew_at)
       where l.call_id = ${move.callId} and l.account_id = ${move.accountId} and l.state = any(${move.from})
         and exists (select from media_nodes n where n.name = ${lease.node} and n.epoch = ${lease.epoch})
      returning l.call_id, l.sequence
    ), c as (
      update calls c
         set status = ${move.to}, answered_at = coalesce(${isAnswer ? move.at : null}::timestamptz, c.answered_at),
             timeline = c.timeline || ${JSON.stringify(moment(move.at, move.to))}::jsonb, node = ${lease.node}
        from live where c.id = ${move.callId} and c.account_id = ${move.accountId}
      returning c.*
    ), told as (
      insert into events (id, account_id, type, subject_id, data, occurred_at)
      select ${uuidv7(move.at)}, c.account_id, ${move.event ?? ''}, c.id::text,
             jsonb_build_object('sequence', live.sequence, 'call', ${snapshot}), ${move.at}::timestamptz
        from c, live where ${move.event !== null}
    )
    select call_id from live`;
  return (await executePrepared(tx, query.compile(tx))).length > 0;
}

export interface Finish extends Ending {
  answeredAt: Date | null;
  endedAt: Date;
  billedSeconds: number;
  minutePriceMicros: number;
  callPriceMicros: number;
}

/** The record is complete, and the call lives no more; both are told, and so is its price. */
export async function finishCall(tx: Tx, { callId, accountId }: LiveCall, finish: Finish): Promise<void> {
  const entry = moment(finish.endedAt, 'ended', { cause: finish.hangupCause, by: finish.endedBy });
  const query = sql`
    with live as (
      delete from live_calls where call_id = ${callId} and account_id = ${accountId} returning sequence
    ), c as (
      update calls c
         set status = 'ended', answered_at = ${finish.answeredAt}, ended_at = ${finish.endedAt},
             duration = ${finish.seconds}, billed_duration = ${finish.billedSeconds},
             hangup_cause = ${finish.hangupCause}, ended_by = ${finish.endedBy},
             minute_price_micros = ${finish.minutePriceMicros}, call_price_micros = ${finish.callPriceMicros},
             timeline = c.timeline || ${JSON.stringify(entry)}::jsonb
       where c.id = ${callId} and c.account_id = ${accountId}
      returning c.*
    )
    insert into events (id, account_id, type, subject_id, data, occurred_at)
    select told.id, c.account_id, told.type, c.id::text,
           jsonb_build_object('sequence', live.sequence + told.step, 'call', ${snapshot}), ${finish.endedAt}::timestamptz
      from c, live, (values (${uuidv7(finish.endedAt)}::uuid, 'channel-hangup', 1),
                            (${uuidv7(finish.endedAt)}::uuid, 'call-priced', 2)) as told (id, type, step)`;
  await executePrepared(tx, query.compile(tx));
}

export interface NamedCall {
  callId: string;
  isEnded: boolean;
  /** The user whose extension it is, and the one who asked for it. */
  belongsTo: (number | null)[];
}

/** The call that somebody named by its own id or by the one that the dialer answered. */
export async function findCallId(tx: Tx, accountId: number, id: string): Promise<NamedCall | undefined> {
  const query = sql<NamedCall>`
    select c.id as "callId", c.status = 'ended' as "isEnded", json_build_array(c.user_id, c.requested_by) as "belongsTo"
      from calls c
     where c.account_id = ${accountId} and c.id = coalesce(
       (select d.call_id from dialer_calls d where d.account_id = ${accountId} and d.id = ${id}), ${id})`;
  const [found] = await executePrepared(tx, query.compile(tx));
  return found;
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
    .selectFrom('accounts')
    .select('domain')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return domain;
}
