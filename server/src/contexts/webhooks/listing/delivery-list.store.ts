import { sql } from 'kysely';
import type { Caller } from '../../../platform/caller.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { followingEvents } from '../../../platform/event-types.ts';
import { idFloor, isUuid, msOfId } from '../../../platform/ids.ts';
import { callsSeenBy } from '../../../platform/visibility.ts';
import { callsOf, ownColumn } from '../../calls/index.ts';
import type { Outcome } from '../ports.ts';

export const selectDeliveries = (tx: Tx, accountId: number, integrationId: number) =>
  tx
    .selectFrom('deliveries')
    .select([
      'id',
      'event_id',
      'type',
      'state',
      'attempts',
      'last_outcome',
      'created_at',
      'next_attempt_at',
      'ended_at',
      'is_test',
      sql<boolean>`coalesce(last_outcome <> 'delivered', false)`.as('failed'),
    ])
    .where('account_id', '=', accountId)
    .where('integration_id', '=', integrationId);

export async function seesCall(tx: Tx, caller: Caller, callId: string): Promise<boolean> {
  const { rows } = await sql`
    select from calls c where c.account_id = ${caller.accountId} and c.id = ${callId}
       and ${callsOf(callsSeenBy(caller), 'c')}`.execute(tx);
  return rows.length > 0;
}

/** A call has a handful of events, which are replayed with the same deliveries. */
const maxOfCall = 1_000;
/** An event is never much older than its call. */
const clockSkewMs = 60_000;

/** Returns the ids of an integration's deliveries of a call's events. */
export async function findIdsOfCall(
  tx: Tx,
  { accountId, integrationId }: { accountId: number; integrationId: number },
  callId: string,
): Promise<string[]> {
  const earliest = idFloor(msOfId(callId) - clockSkewMs);
  const { rows } = await sql<{ id: string }>`
    select d.id from events e
      join deliveries d on d.event_id = e.id and d.integration_id = ${integrationId} and d.id >= ${earliest}::uuid
     where e.account_id = ${accountId} and d.account_id = ${accountId} and e.subject_id = ${callId}
       and e.id >= ${earliest}::uuid
     limit ${maxOfCall}`.execute(tx);
  return rows.map(({ id }) => id);
}

export const isAmong = (ids: string[]) => sql<boolean>`id = any(${ids}::uuid[])`;

export interface DeliveredCall {
  id: string;
  call_type: 'outbound' | 'inbound' | 'internal';
  from: string;
  to: string;
  /** Whether it is the caller's own. */
  is_own: boolean;
}

/** Returns the calls of events, by event id. Omits calls that the caller does not see. */
export async function findCallsOfEvents(
  tx: Tx,
  caller: Caller,
  eventIds: string[],
): Promise<Map<string, DeliveredCall>> {
  if (eventIds.length === 0) return new Map();
  const { accountId } = caller;
  const { rows: events } = await sql<{ id: string; callId: string }>`
    select e.id, e.subject_id as "callId" from find_events(${eventIds}::uuid[]) e
     where e.account_id = ${accountId}`.execute(tx);
  const callIds = events.map(({ callId }) => callId).filter(isUuid);
  const { rows: calls } = await sql<DeliveredCall>`
    select c.id, c.call_type, c."from", c."to", ${ownColumn(caller.userId, 'c')} as is_own from calls c
     where c.account_id = ${accountId} and c.id = any(${callIds}::uuid[])
       and ${callsOf(callsSeenBy(caller), 'c')}`.execute(tx);
  const byId = new Map(calls.map((call) => [call.id, call]));
  return new Map(
    events.flatMap(({ id, callId }) => {
      const call = byId.get(callId);
      return call ? [[id, call]] : [];
    }),
  );
}

export interface StoredAttempt {
  deliveryId: string;
  number: number;
  at: Date;
  durationMs: number;
  outcome: Outcome;
  status: number | null;
  detail: string | null;
  address: string | null;
  responseBody: string | null;
}

/** Returns the newest attempts of each delivery, oldest first. */
export async function findAttempts(
  tx: Tx,
  accountId: number,
  deliveryIds: string[],
  maxEach: number,
): Promise<Map<string, StoredAttempt[]>> {
  if (deliveryIds.length === 0) return new Map();
  const { rows } = await sql<StoredAttempt>`
    select a.delivery_id as "deliveryId", a.number, a.at, a.duration_ms as "durationMs", a.outcome, a.status,
           a.detail, a.address, a.response_body as "responseBody"
      from unnest(${deliveryIds}::uuid[]) as wanted (id)
      cross join lateral (
        select * from delivery_attempts a where a.delivery_id = wanted.id and a.account_id = ${accountId}
         order by a.number desc limit ${maxEach}) a
     order by a.delivery_id, a.number`.execute(tx);
  return Map.groupBy(rows, ({ deliveryId }) => deliveryId);
}

export interface DeliveryEvent {
  eventId: string;
  type: string;
  subjectId: string;
  data: Record<string, unknown>;
  occurredAt: Date;
  accountSequence: number;
  domain: string;
  timezone: string;
  call: Record<string, unknown> | null;
}

/** Returns the event of a delivery; undefined if it is no longer kept. */
export async function findDeliveryEvent(
  tx: Tx,
  accountId: number,
  deliveryId: string,
): Promise<DeliveryEvent | undefined> {
  const { rows } = await sql<DeliveryEvent>`
    select e.id as "eventId", e.type, e.subject_id as "subjectId", e.data, e.occurred_at as "occurredAt",
           e.account_sequence as "accountSequence", a.domain, a.timezone,
           case when e.type = any(${followingEvents}) then (
             select noted_call(c) from calls c
              where c.account_id = ${accountId} and c.id = e.subject_id::uuid) end as call
      from deliveries d
      join events e on e.id = d.event_id and e.account_id = ${accountId}
      join account_info a on a.id = ${accountId}
     where d.id = ${deliveryId} and d.account_id = ${accountId}`.execute(tx);
  return rows[0];
}
