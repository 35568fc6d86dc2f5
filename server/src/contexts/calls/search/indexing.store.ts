import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import type { SearchableCall } from './words.rules.ts';

export type UnindexedCall = SearchableCall & { id: string; account_id: number };

/** A pass over all calls, see `call_indexing`. */
export interface Pass {
  name: 'new' | 'all';
  /** Calls that started before this time are indexed. */
  before: Date;
  /** Seconds by which steps overlap, for calls that are committed after later ones. */
  overlapSeconds: number;
}

/** Moves a pass forward; undefined if another worker has it. Locks it until the end of the transaction. */
export async function advance(
  tx: Tx,
  { name, before, overlapSeconds }: Pass,
  most: number,
): Promise<{ firstId: string; endId: string; isMore: boolean } | undefined> {
  const { rows } = await sql<{ firstId: string | null; endId: string | null; isMore: boolean | null }>`
    select first_id as "firstId", end_id as "endId", is_more as "isMore"
      from advance_call_indexing(${name}, ${before}, make_interval(secs => ${overlapSeconds}), ${most})`.execute(
    tx,
  );
  const { firstId, endId, isMore } = rows[0] ?? {};
  return firstId && endId ? { firstId, endId, isMore: isMore ?? false } : undefined;
}

export async function findUnindexed(tx: Tx, firstId: string, endId: string): Promise<UnindexedCall[]> {
  const { rows } = await sql<UnindexedCall>`select * from unindexed_calls(${firstId}, ${endId})`.execute(tx);
  return rows;
}

export interface WordRow {
  accountId: number;
  word: string;
  id: string;
}

/** Writes words of calls of any account. */
export async function writeWords(tx: Tx, rows: WordRow[]): Promise<void> {
  await sql`select write_call_words(${rows.map(({ accountId }) => accountId)}::bigint[],
    ${rows.map(({ word }) => word)}::text[], ${rows.map(({ id }) => id)}::uuid[])`.execute(tx);
}

/** Keeps the worker from writing words of calls that this transaction erases. */
export async function holdIndexing(tx: Tx): Promise<void> {
  await sql`select hold_call_indexing()`.execute(tx);
}

/** Deletes the words of calls and returns the calls as they are now. */
export async function removeWords(tx: Tx, accountId: number, ids: string[]): Promise<UnindexedCall[]> {
  await sql`delete from call_words where account_id = ${accountId} and id = any(${ids}::uuid[])`.execute(tx);
  const { rows } = await sql<UnindexedCall>`
    select id, account_id, "from", "to", bina, email, first_name, last_name, metadata
      from calls where account_id = ${accountId} and id = any(${ids}::uuid[])`.execute(tx);
  return rows;
}
