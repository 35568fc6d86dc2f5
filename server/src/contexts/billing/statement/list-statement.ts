import { type Database, inAccount } from '../../../platform/db/database.ts';
import { defineList, fetchPageOrCursor, parseFilter, pickFields } from '../../../platform/filter/index.ts';
import type { PageQuery } from '../../../platform/list-schemas.ts';
import { reaisFromMicros } from '../../../platform/money.ts';
import { findBook, selectStatement } from '../ledger/ledger.store.ts';

const types = ['charge', 'refund', 'chargeback', 'adjustment', 'call'] as const;
export type StatementType = (typeof types)[number];

const statement = defineList({
  name: 'statement',
  fields: {
    id: { type: 'uuid' },
    number: { type: 'integer', sortable: true },
    createdAt: { type: 'timestamp', column: 'at', sortable: true, sortColumn: 'number', aliases: ['date'] },
    type: { type: 'enum', column: 'kind', values: types },
    reference: { type: 'text', column: 'subject_id' },
    description: { type: 'text' },
    amount: { type: 'number', column: 'amount' },
    balance: { type: 'number', column: 'balance' },
  },
  defaultOrder: ['number DESC'],
  tieBreaker: 'number',
  maxLimit: 100,
});

/** Returns one page of the entries that changed the balance, newest first. */
export async function listStatement(
  deps: { db: Database },
  accountId: number,
  { filter, page, cursor }: PageQuery,
) {
  const asked = parseFilter(statement, filter);
  return await inAccount(deps.db, accountId, async (tx) => {
    const query = await asked.forAccount(tx, accountId);
    const source = selectStatement(tx, accountId, await findBook(tx, accountId));
    const result = await fetchPageOrCursor(tx, statement, source, query, { page, cursor });
    const data = result.rows.map((row) =>
      pickFields(query, {
        id: row.id,
        number: row.number,
        createdAt: row.at.toISOString(),
        type: row.kind as StatementType,
        reference: row.subject_id,
        description: row.description,
        amount: reaisFromMicros(row.amount_micros),
        balance: reaisFromMicros(row.balance_after_micros),
      }),
    );
    return { ...result, data };
  });
}
