import type { OwnerQuery } from '../../harness/fixtures/billing-rows.ts';

/** Rows that are written once and never changed, by id, with their table and subject. */
export type ImmutableRows = Map<string, { table: string; subject: string }>;

export async function readImmutableRows(query: OwnerQuery): Promise<ImmutableRows> {
  const rows = await query(
    `select 'ledger' as "table", id::text, subject_id as subject from ledger_transactions
      union all select 'event', id::text, subject_id from recorded_events
      union all select 'call', id::text, id::text from calls
      union all select 'charge', id::text, id::text from charges
      union all select 'audit', id::text, target_id from audit_entries`,
  );
  return new Map(rows.map(({ table, id, subject }) => [`${table} ${id}`, { table, subject }]));
}

/** Returns the rows that are in `books` but not in `others`. */
export const without = (books: ImmutableRows, others: ImmutableRows): { table: string; subject: string }[] =>
  [...books].filter(([key]) => !others.has(key)).map(([, row]) => row);
