import { sql } from 'kysely';
import type { Database, Tx } from '../../../platform/db/database.ts';
import { prepared, queryPrepared } from '../../../platform/db/prepared.ts';
import type { FreeNode } from './node-directory.ts';

export interface NodeSummary {
  name: string;
  sipAddress: string;
  state: string;
  isConnected: boolean;
  calls: number;
  lastSeenAt: Date | null;
  clockSkewMs: number | null;
  engineVersion: string | null;
}

const maxNodes = 10_000;

/** Reads the calls of all accounts, so `db` must have the rights of operators. */
export async function findNodes(db: Database): Promise<NodeSummary[]> {
  return await db.kysely
    .selectFrom('media_nodes as n')
    .leftJoin('calls_per_node as c', 'c.node', 'n.name')
    .select((of) => [
      'n.name',
      'n.sip_address as sipAddress',
      'n.state',
      'n.connected as isConnected',
      of.fn.coalesce('c.calls', of.lit(0)).as('calls'),
      'n.last_seen_at as lastSeenAt',
      'n.clock_skew_ms as clockSkewMs',
      'n.engine_version as engineVersion',
    ])
    .orderBy('n.name')
    .limit(maxNodes)
    .execute();
}

/** Returns the connected nodes that take new calls and were seen within the last `seconds`. */
export async function findFreeNodes(db: Database, seconds: number): Promise<FreeNode[]> {
  const query = prepared<FreeNode>`
    select name as node, epoch, free_slots as "freeSlots" from media_nodes
     where connected and state = 'active' and free_slots > 0 and heard_at > now() - make_interval(secs => ${seconds})
     limit ${maxNodes}`;
  return await queryPrepared(db, query);
}

/** Returns false if the name or the address is taken. */
export async function insertNode(
  tx: Tx,
  node: { name: string; sipAddress: string; secretHash: Buffer; at: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('media_nodes')
    .values({
      name: node.name,
      sip_address: node.sipAddress,
      secret_hash: node.secretHash,
      created_at: node.at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Sets the state; returns false if the node does not exist. */
export async function setNodeState(tx: Tx, name: string, state: 'active' | 'draining'): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('media_nodes')
    .set({ state })
    .where('name', '=', name)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function raiseEpochs(tx: Tx, by: number): Promise<void> {
  await tx
    .updateTable('media_nodes')
    .set({ epoch: sql`epoch + ${by}`, connected: false })
    .execute();
}

export async function deleteNode(tx: Tx, name: string): Promise<'removed' | 'busy' | 'missing'> {
  const { rows } = await sql<{ calls: number }>`
    select coalesce((select c.calls from calls_per_node c where c.node = n.name), 0) as calls
      from media_nodes n where n.name = ${name} for update`.execute(tx);
  if (!rows[0]) return 'missing';
  if (rows[0].calls > 0) return 'busy';
  await tx.deleteFrom('media_nodes').where('name', '=', name).execute();
  return 'removed';
}
