import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { selectUsers, userFromRow } from './user.store.ts';
import type { User } from './user.ts';

export async function findUserByEmail(tx: Tx, accountId: number, email: string): Promise<User | undefined> {
  const row = await selectUsers(tx, accountId)
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst();
  return row && userFromRow(row);
}

/** Matches the number in any spelling. */
export async function erasePhone(tx: Tx, accountId: number, phone: string): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ phone: '' })
    .where('account_id', '=', accountId)
    .where(sql<string>`regexp_replace(phone, '\\D', '', 'g')`, '=', phone)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
