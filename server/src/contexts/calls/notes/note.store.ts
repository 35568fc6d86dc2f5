import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { type CallNote, noNote } from './note.rules.ts';

/** Returns the notes of those of the calls that have one. */
export async function findNotes(tx: Tx, accountId: number, ids: string[]): Promise<Map<string, CallNote>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .selectFrom('call_notes')
    .select(['id', 'disposition', 'note', 'tags'])
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, ...note }) => [id, { ...note, tags: note.tags ?? [] }]));
}

export interface NotedCall {
  id: string;
  /** The extension's user and the user who requested the call. */
  belongsTo: (number | null)[];
}

/** Finds a call and locks it against other changes of its note until the end of the transaction. */
export async function lockNotedCall(tx: Tx, accountId: number, id: string): Promise<NotedCall | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`call-note ${id}`}, 0))`.execute(tx);
  const row = await tx
    .selectFrom('calls')
    .select(['id', 'user_id', 'requested_by'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && { id: row.id, belongsTo: [row.user_id, row.requested_by] };
}

export async function findNote(tx: Tx, accountId: number, id: string): Promise<CallNote> {
  return (await findNotes(tx, accountId, [id])).get(id) ?? noNote;
}

export async function saveNote(
  tx: Tx,
  call: { accountId: number; id: string },
  { disposition, note, tags }: CallNote,
  by: { userId: number; at: Date },
): Promise<void> {
  const values = {
    disposition,
    note,
    tags: tags.length === 0 ? null : tags,
    updated_at: by.at,
    updated_by: by.userId,
  };
  await tx
    .insertInto('call_notes')
    .values({ account_id: call.accountId, id: call.id, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'id']).doUpdateSet(values))
    .execute();
}

export async function findDispositions(tx: Tx, accountId: number): Promise<string[]> {
  const row = await tx
    .selectFrom('call_dispositions')
    .select('names')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.names ?? [];
}

export async function saveDispositions(tx: Tx, accountId: number, names: string[]): Promise<void> {
  await tx
    .insertInto('call_dispositions')
    .values({ account_id: accountId, names })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ names }))
    .execute();
}
