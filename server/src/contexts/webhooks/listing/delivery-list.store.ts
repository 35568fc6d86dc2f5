import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
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
    ])
    .where('account_id', '=', accountId)
    .where('integration_id', '=', integrationId);

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
           case when e.type = 'recording-ready' then (
             select to_jsonb(c) - 'timeline' from calls c
              where c.account_id = ${accountId} and c.id = e.subject_id::uuid) end as call
      from deliveries d
      join events e on e.id = d.event_id and e.account_id = ${accountId}
      join account_info a on a.id = ${accountId}
     where d.id = ${deliveryId} and d.account_id = ${accountId}`.execute(tx);
  return rows[0];
}
