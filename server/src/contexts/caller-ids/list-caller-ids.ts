import type { Caller } from '../../platform/caller.ts';
import { type Database, inAccount } from '../../platform/db/database.ts';
import { defineList, fetchArray, parseFilter, pickFields } from '../../platform/filter/index.ts';
import type { ArrayQuery } from '../../platform/list-schemas.ts';
import { callerIdFromRow, selectCallerIds } from './caller-id.store.ts';
import type { CallerId } from './caller-id.ts';

const callerIds = defineList({
  name: 'caller ids',
  fields: {
    id: { type: 'integer', sortable: true },
    number: { type: 'text', isPhone: true, sortable: true },
    status: { type: 'enum', values: ['pending', 'owned'] },
    source: { type: 'enum', values: ['operator', 'verified'] },
    createdAt: { type: 'timestamp', column: 'created_at', sortable: true },
    ownedAt: { type: 'timestamp', column: 'owned_at', sortable: true, nullable: true },
  },
  defaultOrder: ['createdAt DESC', 'id DESC'],
  tieBreaker: 'id',
  maxLimit: 1000,
});

export async function listCallerIds<Shown extends object>(
  deps: { db: Database },
  caller: Caller,
  { filter, limit, offset }: ArrayQuery,
  present: (callerId: CallerId) => Shown,
) {
  const asked = parseFilter(callerIds, filter, { limit, offset });
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    const query = await asked.forAccount(tx, caller.accountId);
    const result = await fetchArray(tx, callerIds, selectCallerIds(tx, caller.accountId), query);
    return { ...result, items: result.rows.map((row) => pickFields(query, present(callerIdFromRow(row)))) };
  });
}
