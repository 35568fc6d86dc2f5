import { sql } from 'kysely';
import { type Database, queryRows } from '../../../platform/db/database.ts';
import type { OrphanedCall } from './live-call.store.ts';

/** Reads the calls of all accounts, so `db` must be connected as the database owner. */
export async function findOpenCalls(db: Database, limit: number): Promise<OrphanedCall[]> {
  const query = sql<OrphanedCall>`
    select l.call_id as "callId", l.account_id as "accountId", l.node, n.last_seen_at as "lastSeenAt"
      from live_calls l left join node_leases n on n.name = l.node
     order by l.call_id limit ${limit}`;
  return await queryRows(db, query);
}
