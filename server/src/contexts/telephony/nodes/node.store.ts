import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type Database, inTransaction } from '../../../platform/db/database.ts';
import type { Lease } from '../../calls/index.ts';

/** Returns true if this is the node's secret. */
export async function isNodeSecret(db: Database, name: string, secret: string): Promise<boolean> {
  const hash = createHash('sha256').update(secret).digest();
  const node = await db.kysely
    .selectFrom('media_nodes')
    .select('name')
    .where('name', '=', name)
    .where('secret_hash', '=', hash)
    .executeTakeFirst();
  return node !== undefined;
}

export interface TakenLease extends Lease {
  /** When the node was last seen before this lease. */
  lastSeenAt: Date | null;
  /** True if the engine has restarted since then: all its earlier calls have ended. */
  isNewLife: boolean;
}

/**
 * Takes the node's lease. The process with the connection holds it: taking it raises the epoch, which fences every
 * earlier holder.
 */
export async function takeLease(
  db: Database,
  node: string,
  engine: { startedAt: string; version: string; controlsCalls: boolean },
  at: Date,
): Promise<TakenLease> {
  return await inTransaction(db, async (tx) => {
    const before = await tx
      .selectFrom('media_nodes')
      .select(['last_seen_at', 'engine_started_at'])
      .where('name', '=', node)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const { epoch } = await tx
      .updateTable('media_nodes')
      .set({
        epoch: sql`epoch + 1`,
        connected: true,
        engine_started_at: engine.startedAt,
        engine_version: engine.version,
        controls_calls: engine.controlsCalls,
        last_seen_at: at,
        heard_at: sql`now()`,
        silent_since: null,
      })
      .where('name', '=', node)
      .returning('epoch')
      .executeTakeFirstOrThrow();
    const isNewLife = before.engine_started_at !== null && before.engine_started_at !== engine.startedAt;
    if (isNewLife) await sql`select lose_calls_of_node(${node}, ${before.last_seen_at ?? at})`.execute(tx);
    return { node, epoch, lastSeenAt: before.last_seen_at, isNewLife };
  });
}

export interface NodeStatus {
  recordsCompleteAt: Date | null;
}

/**
 * Records that the node responded and how many calls it can take; edges and the API compare the time with the database's
 * clock. Returns undefined if the lease is no longer held.
 */
export async function noteSeen(
  db: Database,
  lease: Lease,
  { at, msAgo, skewMs, freeSlots }: { at: Date; msAgo: number; skewMs: number; freeSlots: number },
): Promise<NodeStatus | undefined> {
  const row = await db.kysely
    .updateTable('media_nodes')
    .set({
      last_seen_at: at,
      heard_at: sql`now() - make_interval(secs => ${msAgo / 1_000})`,
      silent_since: null,
      clock_skew_ms: skewMs,
      free_slots: freeSlots,
      connected: true,
    })
    .where('name', '=', lease.node)
    .where('epoch', '=', lease.epoch)
    .returning('records_complete_at')
    .executeTakeFirst();
  return row && { recordsCompleteAt: row.records_complete_at };
}

/** Records that the node takes no more calls under this lease. */
export async function noteFull(db: Database, lease: Lease): Promise<void> {
  await db.kysely
    .updateTable('media_nodes')
    .set({ free_slots: 0 })
    .where('name', '=', lease.node)
    .where('epoch', '=', lease.epoch)
    .execute();
}

export async function noteGone(db: Database, lease: Lease): Promise<void> {
  await db.kysely
    .updateTable('media_nodes')
    .set({ connected: false })
    .where('name', '=', lease.node)
    .where('epoch', '=', lease.epoch)
    .execute();
}

export async function noteRecordsComplete(db: Database, node: string, at: Date): Promise<void> {
  await db.kysely
    .updateTable('media_nodes')
    .set({ records_complete_at: at })
    .where('name', '=', node)
    .execute();
}

export async function findSkewMs(db: Database, node: string): Promise<number> {
  const row = await db.kysely
    .selectFrom('media_nodes')
    .select('clock_skew_ms')
    .where('name', '=', node)
    .executeTakeFirst();
  return row?.clock_skew_ms ?? 0;
}
