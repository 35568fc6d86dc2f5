import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { contactReadings, spellingsOf } from '../../platform/phone.ts';
import { phoneDigitsColumn, selectUsers, userFromRow } from './user.store.ts';
import type { User } from './user.ts';

export async function findUserByEmail(tx: Tx, accountId: number, email: string): Promise<User | undefined> {
  const row = await selectUsers(tx, accountId)
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst();
  return row && userFromRow(row);
}

/** Erases the number from users, in any notation. */
export async function erasePhone(tx: Tx, accountId: number, phone: string): Promise<number> {
  const spelled = await tx
    .selectFrom('users')
    .select(['id', 'phone'])
    .where('account_id', '=', accountId)
    // The stored number may be followed by an extension.
    .where(sql<boolean>`${phoneDigitsColumn} like any(${spellingsOf(phone).map((digits) => `${digits}%`)})`)
    .execute();
  // The same digits can be another country's number, such as +47 32221234 and (47) 3222-1234.
  const ids = spelled.filter((user) => contactReadings(user.phone).includes(phone)).map(({ id }) => id);
  if (ids.length === 0) return 0;
  await tx
    .updateTable('users')
    .set({ phone: '' })
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .execute();
  return ids.length;
}
