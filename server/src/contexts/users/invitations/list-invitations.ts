import { type Caller, roles } from '../../../platform/caller.ts';
import { type Database, inAccount } from '../../../platform/db/database.ts';
import { defineList, fetchArray, parseFilter, pickFields } from '../../../platform/filter/index.ts';
import type { ArrayQuery } from '../../../platform/list-schemas.ts';
import { fromRow, selectInvitations } from './invitation.store.ts';
import type { Invitation } from './invitation.ts';

const invitations = defineList({
  name: 'invitations',
  fields: {
    uuid: { type: 'uuid', sortable: true },
    email: { type: 'text', isFolded: true, sortable: true },
    name: { type: 'text', isFolded: true, sortable: true },
    role: { type: 'enum', values: roles, sortable: true },
    createdAt: { type: 'timestamp', column: 'created_at', sortable: true },
    expiresAt: { type: 'timestamp', column: 'expires_at', sortable: true },
  },
  defaultOrder: ['createdAt DESC', 'uuid DESC'],
  tieBreaker: 'uuid',
  maxLimit: 1000,
});

/** Lists the invitations that were not accepted, including expired ones, which can be sent again. */
export async function listInvitations<Shown extends object>(
  deps: { db: Database },
  caller: Caller,
  { filter, limit, offset }: ArrayQuery,
  present: (invitation: Invitation) => Shown,
) {
  const asked = parseFilter(invitations, filter, { limit, offset });
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    const query = await asked.forAccount(tx, caller.accountId);
    const result = await fetchArray(tx, invitations, selectInvitations(tx, caller.accountId), query);
    return { ...result, items: result.rows.map((row) => pickFields(query, present(fromRow(row)))) };
  });
}
