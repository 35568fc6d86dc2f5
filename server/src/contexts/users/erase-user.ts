import type { Tx } from '../../platform/db/database.ts';
import type { Person } from '../../platform/erased.ts';
import { eraseFormerEmail } from '../access/index.ts';
import { refuseLastAdmin } from './admins.ts';
import { erasePhone, findUserByEmail } from './erasure.store.ts';
import { deleteUser, lockAdmins } from './user.store.ts';
import type { User } from './user.ts';

/**
 * Erases a person from the users: by e-mail, removes the user after `beforehand`; by number, clears users' numbers.
 * Returns the uuids of removed users. Refuses with LAST_ADMIN, because an account without ADMIN could not be managed.
 */
export async function eraseUser(
  tx: Tx,
  accountId: number,
  person: Person,
  beforehand: (user: User) => Promise<void>,
): Promise<{ users: number; removed: string[] }> {
  if ('phone' in person) return { users: await erasePhone(tx, accountId, person.phone), removed: [] };
  const admins = await lockAdmins(tx, accountId);
  await eraseFormerEmail(tx, accountId, person.email);
  const user = await findUserByEmail(tx, accountId, person.email);
  if (!user) return { users: 0, removed: [] };
  if (user.role === 'ADMIN') refuseLastAdmin(admins, user);
  await beforehand(user);
  await deleteUser(tx, accountId, user.id);
  return { users: 1, removed: [user.uuid] };
}
