import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { callsOf } from '../../calls/index.ts';

export interface CallToExplain {
  id: string;
  /** Whether the owner of the integration may receive the call. */
  isVisible: boolean;
  /** Fields of the constraint that the metadata does not contain. */
  unmet: string[];
  metadata: Record<string, unknown>;
  types: string[];
}

/** Returns the newest calls of a window that the owner sees, with the facts that decide whether their events are sent. */
export async function findCallsToExplain(
  tx: Tx,
  owner: { accountId: number; userId: number; role: string; callsOf: number | undefined },
  { since, until, constraint }: { since: Date; until: Date; constraint: Record<string, unknown> },
  limit: number,
): Promise<CallToExplain[]> {
  const { accountId, userId, role } = owner;
  const names = Object.keys(constraint);
  const { rows } = await sql<CallToExplain>`
    select c.id, receives_call(${role}, ${userId}, c.user_id, c.requested_by) as "isVisible",
           unmet_constraints(c.metadata, ${JSON.stringify(constraint)}) as unmet,
           (select coalesce(jsonb_object_agg(m.key, m.value), '{}') from jsonb_each(c.metadata) m
             where m.key = any(${names})) as metadata,
           array(select distinct e.type from recorded_events e
                  where e.account_id = ${accountId} and e.subject_id = c.id::text
                    and e.id >= uuid_floor(c.started_at - interval '1 minute')) as types
      from calls c
     where c.account_id = ${accountId} and c.id >= uuid_floor(${since}) and c.id < uuid_floor(${until})
       and ${callsOf(owner.callsOf, 'c')}
     order by c.id desc limit ${limit}`.execute(tx);
  return rows;
}
