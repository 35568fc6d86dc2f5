import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

export interface CallToExplain {
  id: string;
  isOwn: boolean;
  metadata: Record<string, unknown>;
  types: string[];
}

/** Returns the newest calls of a window with the requested metadata keys and their event types. */
export async function findCallsToExplain(
  tx: Tx,
  owner: { accountId: number; userId: number },
  { since, until, names }: { since: Date; until: Date; names: string[] },
  most: number,
): Promise<CallToExplain[]> {
  const { accountId, userId } = owner;
  const { rows } = await sql<CallToExplain>`
    select c.id, coalesce(c.user_id = ${userId}, false) or coalesce(c.requested_by = ${userId}, false) as "isOwn",
           (select coalesce(jsonb_object_agg(m.key, m.value), '{}') from jsonb_each(c.metadata) m
             where m.key = any(${names})) as metadata,
           array(select distinct e.type from events e
                  where e.account_id = ${accountId} and e.subject_id = c.id::text) as types
      from calls c
     where c.account_id = ${accountId} and c.id >= uuid_floor(${since}) and c.id < uuid_floor(${until})
     order by c.id desc limit ${most}`.execute(tx);
  return rows;
}
