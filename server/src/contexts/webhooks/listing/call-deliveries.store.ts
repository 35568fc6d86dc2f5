import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import type { DeliveryRow } from './list-deliveries.ts';

export interface CallFacts {
  id: string;
  startedAt: Date;
  /** Whether the user may receive the call. */
  isVisible: boolean;
  /** For each constraint, the fields that the metadata does not contain. */
  unmet: string[][];
  metadata: Record<string, unknown>;
  /** Types of the call's events so far. */
  types: string[];
}

/** Returns a call with the facts that decide which integrations receive it. */
export async function findCallFacts(
  tx: Tx,
  { accountId, userId, role }: { accountId: number; userId: number; role: string },
  callId: string,
  constraints: Record<string, unknown>[],
): Promise<CallFacts | undefined> {
  const { rows } = await sql<CallFacts>`
    select c.id, c.started_at as "startedAt", c.metadata,
           receives_call(${role}, ${userId}, c.user_id, c.requested_by) as "isVisible",
           (select coalesce(jsonb_agg(unmet_constraints(c.metadata, k.value) order by k.ordinality), '[]')
              from jsonb_array_elements(${JSON.stringify(constraints)}::jsonb) with ordinality as k) as unmet,
           array(select distinct e.type from recorded_events e
                  where e.account_id = ${accountId} and e.subject_id = c.id::text
                    and e.id >= uuid_floor(c.started_at - interval '1 minute')) as types
      from calls c where c.account_id = ${accountId} and c.id = ${callId}`.execute(tx);
  return rows[0];
}

/** A call has a handful of events, and a user at most 100 integrations. */
const maxDeliveries = 1_000;

/** Returns the deliveries of a call's events to a user's integrations, in the order of the events. */
export async function findCallDeliveries(
  tx: Tx,
  { accountId, userId }: { accountId: number; userId: number },
  { id, startedAt }: Pick<CallFacts, 'id' | 'startedAt'>,
): Promise<(DeliveryRow & { integration_id: number })[]> {
  // A delivery is never older than its call, so earlier partitions are skipped.
  const { rows } = await sql<DeliveryRow & { integration_id: number }>`
    select d.id, d.integration_id, d.event_id, d.type, d.state, d.attempts, d.last_outcome, d.created_at,
           d.next_attempt_at, d.ended_at, d.is_test, coalesce(d.last_outcome <> 'delivered', false) as failed
      from events e
      join deliveries d on d.event_id = e.id and d.account_id = e.account_id and d.id >= uuid_floor(${startedAt})
      join integrations i on i.id = d.integration_id and i.account_id = e.account_id and i.user_id = ${userId}
     where e.account_id = ${accountId} and e.subject_id = ${id}
     order by e.account_sequence, d.id limit ${maxDeliveries}`.execute(tx);
  return rows;
}
