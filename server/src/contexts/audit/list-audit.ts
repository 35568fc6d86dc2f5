import { type Database, inAccount } from '../../platform/db/database.ts';
import { defineList, fetchPageOrCursor, parseFilter, pickFields } from '../../platform/filter/index.ts';
import type { PageQuery } from '../../platform/list-schemas.ts';
import { selectEntries } from './audit.store.ts';

type Values = Record<string, unknown> | null;

const entries = defineList({
  name: 'audit',
  fields: {
    id: { type: 'uuid', sortable: true },
    at: { type: 'timestamp', sortable: true, aliases: ['date'] },
    actorUuid: { type: 'uuid', column: 'actor_uuid', nullable: true },
    actorEmail: { type: 'text', isFolded: true, column: 'actor_email', nullable: true },
    action: { type: 'text' },
    targetType: { type: 'text', column: 'target_type' },
    targetId: { type: 'text', column: 'target_id' },
    before: { type: 'json', nullable: true },
    after: { type: 'json', nullable: true },
    address: { type: 'text', nullable: true },
    requestId: { type: 'text', column: 'request_id', nullable: true },
  },
  defaultOrder: ['at DESC', 'id DESC'],
  tieBreaker: 'id',
  maxLimit: 100,
});

/** Fetches one page of the account's changes, by number or by cursor. */
export async function listAudit(
  deps: { db: Database },
  accountId: number,
  { filter, page, cursor }: PageQuery,
) {
  const asked = parseFilter(entries, filter);
  return await inAccount(deps.db, accountId, async (tx) => {
    const query = await asked.forAccount(tx, accountId);
    const source = selectEntries(tx, accountId);
    const result = await fetchPageOrCursor(tx, entries, source, query, { page, cursor });
    const data = result.rows.map((row) =>
      pickFields(query, {
        id: row.id,
        at: row.at.toISOString(),
        actorUuid: row.actor_uuid,
        actorEmail: row.actor_email,
        action: row.action,
        targetType: row.target_type,
        targetId: row.target_id,
        before: row.before as Values,
        after: row.after as Values,
        address: row.address,
        requestId: row.request_id,
      }),
    );
    return { ...result, data };
  });
}
