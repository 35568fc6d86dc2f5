import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import type { EndedBy } from '../call.ts';
import type { CallQuality } from '../lifecycle/quality.rules.ts';

/** A leg as `leg_record` writes it. */
export interface RecordedLeg {
  id: string;
  leg: string;
  role: 'extension' | 'destination' | 'supervisor';
  number: string;
  purpose: 'blind' | 'attended' | 'conference' | null;
  started_at: string | null;
  answered_at: string | null;
  ended_at: string | null;
  duration: number | null;
  billed_duration: number | null;
  hangup_cause: string | null;
  ended_by: EndedBy | null;
  minute_price_micros: number | null;
  price_micros: number | null;
}

/** Details that are returned for a single call only; they are too expensive for lists. */
export interface CallDetails {
  requestedByUuid: string | null;
  requestedByName: string | null;
  callerId: string | null;
  node: string | null;
  recordingState: 'expected' | 'stored' | 'absent' | 'removed' | null;
  recordingDurationMs: number | null;
  recordingExpiresAt: Date | null;
  legQuality: CallQuality['legs'] | null;
  /** Null if the call has had no command. */
  legs: RecordedLeg[] | null;
  notedAt: Date | null;
  notedByUuid: string | null;
  notedByName: string | null;
}

export async function findCallDetails(tx: Tx, accountId: number, id: string): Promise<CallDetails> {
  const { rows } = await sql<CallDetails>`
    select u.uuid as "requestedByUuid", u.name as "requestedByName", c.caller_id as "callerId", c.node, c.leg_quality as "legQuality",
           coalesce(c.legs, (select jsonb_agg(leg_record(g) order by g.letter) from live_legs g
                              where g.account_id = c.account_id and g.call_id = c.id)) as legs,
           coalesce(r.state, case when c.recorded and c.status <> 'ended' then 'expected' end) as "recordingState", r.duration_ms as "recordingDurationMs", r.expires_at as "recordingExpiresAt",
           n.updated_at as "notedAt", w.uuid as "notedByUuid", w.name as "notedByName"
      from call_records c
      left join users u on u.id = c.requested_by and u.account_id = c.account_id
      left join recordings r on r.call_id = c.id and r.account_id = c.account_id
      left join call_notes n on n.id = c.id and n.account_id = c.account_id
      left join users w on w.id = n.updated_by and w.account_id = c.account_id
     where c.account_id = ${accountId} and c.id = ${id}`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error(`No call ${id}.`);
  return row;
}
