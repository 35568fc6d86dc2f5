import { type Caller, roles } from '../../platform/caller.ts';
import { type Database, inAccount } from '../../platform/db/database.ts';
import { defineList, fetchArray, parseFilter, pickFields } from '../../platform/filter/index.ts';
import type { ArrayQuery } from '../../platform/list-schemas.ts';
import { phoneDigitsColumn, selectUsers, userFromRow } from './user.store.ts';
import type { User } from './user.ts';

const users = defineList({
  name: 'users',
  fields: {
    uuid: { type: 'uuid', sortable: true },
    name: { type: 'text', isFolded: true, sortable: true },
    email: { type: 'text', isFolded: true, sortable: true },
    phone: { type: 'text', isPhone: true, digitsColumn: 'phone_digits', sortable: true },
    role: { type: 'enum', values: roles, sortable: true },
    locale: { type: 'enum', values: ['pt-BR', 'en'], sortable: true },
    emailVerified: { type: 'boolean', column: 'email_verified', sortable: true },
    createdAt: { type: 'timestamp', column: 'created_at', sortable: true },
    updatedAt: { type: 'timestamp', column: 'updated_at', sortable: true },
    lastLoginAt: { type: 'timestamp', column: 'last_login_at', sortable: true, nullable: true },
  },
  defaultOrder: ['createdAt DESC', 'uuid DESC'],
  tieBreaker: 'uuid',
  maxLimit: 1000,
});

export async function listUsers<Shown extends object>(
  deps: { db: Database },
  caller: Caller,
  { filter, limit, offset }: ArrayQuery,
  present: (user: User) => Shown,
): Promise<{ items: Partial<Shown>[]; total: number; isEstimated: boolean }> {
  const asked = parseFilter(users, filter, { limit, offset });
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    const query = await asked.forAccount(tx, caller.accountId);
    const { rows, total, isEstimated } = await fetchArray(
      tx,
      users,
      selectUsers(tx, caller.accountId).select(phoneDigitsColumn.as('phone_digits')),
      query,
    );
    return { items: rows.map((row) => pickFields(query, present(userFromRow(row)))), total, isEstimated };
  });
}
