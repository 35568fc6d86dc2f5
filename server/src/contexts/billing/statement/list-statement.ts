import { type Database, inAccount } from '../../../platform/db/database.ts';
import {
  defineList,
  fetchPageOrCursor,
  findTimeZone,
  parseFilter,
  pickFields,
} from '../../../platform/filter/index.ts';
import type { PageQuery } from '../../../platform/list-schemas.ts';
import { reaisFromMicros } from '../../../platform/money.ts';
import { callsSeenBy, type Viewer } from '../../../platform/visibility.ts';
import { findBook, selectStatement } from '../ledger/ledger.store.ts';
import { type CallParties, findParties } from './statement-call.store.ts';

const types = ['charge', 'refund', 'chargeback', 'adjustment', 'call'] as const;
type StatementType = (typeof types)[number];

export interface StatementLine {
  id: string;
  number: number;
  createdAt: string;
  type: StatementType;
  reference: string;
  description: string;
  amount: number;
  balance: number;
  /** Who called whom; null for other entries and for calls that the viewer does not see. */
  call: { from: string; to: string; name: string; duration: number } | null;
}

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

/** Returns one page of the entries that changed the balance, newest first, and the account's time zone. */
export async function listStatement(
  deps: { db: Database },
  viewer: Viewer,
  { filter, page, cursor }: PageQuery,
) {
  const { accountId } = viewer;
  const asked = parseFilter(statement, filter);
  return await inAccount(deps.db, accountId, async (tx) => {
    const query = await asked.forAccount(tx, accountId);
    const source = selectStatement(tx, accountId, await findBook(tx, accountId));
    const result = await fetchPageOrCursor(tx, statement, source, query, { page, cursor });
    const callIds = result.rows.filter(({ kind }) => kind === 'call').map((row) => row.subject_id);
    const parties = await findParties(tx, accountId, callIds, callsSeenBy(viewer));
    const data = result.rows.map((row) =>
      pickFields<StatementLine>(query, {
        id: row.id,
        number: row.number,
        createdAt: row.at.toISOString(),
        type: row.kind as StatementType,
        reference: parties.get(row.subject_id)?.callId ?? row.subject_id,
        description: row.description,
        amount: reaisFromMicros(row.amount_micros),
        balance: reaisFromMicros(row.balance_after_micros),
        call: presentCall(parties.get(row.subject_id)),
      }),
    );
    return { ...result, data, timeZone: await findTimeZone(tx, accountId) };
  });
}

const presentCall = (parties: CallParties | undefined): StatementLine['call'] =>
  parties === undefined
    ? null
    : {
        from: parties.from,
        to: parties.to,
        name: `${parties.firstName} ${parties.lastName}`.trim(),
        duration: parties.duration,
      };
