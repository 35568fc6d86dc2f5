import type { Tx } from '../../platform/db/database.ts';
import type { Person } from '../../platform/erased.ts';
import { eraseFormerEmail } from '../access/index.ts';
import { refuseLoss } from './admins.ts';
import { eraseReasons } from './availability/availability.store.ts';
import { erasePhone, findUserByEmail } from './erasure.store.ts';
import { eraseInvitation, eraseInvitedPhone } from './invitations/invitation.store.ts';
import { deleteUser, lockAdmins } from './user.store.ts';
import type { User } from './user.ts';

/**
 * Erases a person from the users: by e-mail, removes the user after `beforehand`; by number, clears users' numbers. Both
 * clear reasons of absence that mention the person. Returns the uuids of removed users. Refuses the loss of an ADMIN without whom the account could not be managed.
 */
export async function eraseUser(
  tx: Tx,
  accountId: number,
  person: Person,
  beforehand: (user: User) => Promise<void>,
): Promise<{ users: number; removed: string[] }> {
  await eraseReasons(tx, accountId, person);
  if ('phone' in person) {
    await eraseInvitedPhone(tx, accountId, person.phone);
    return { users: await erasePhone(tx, accountId, person.phone), removed: [] };
  }
  const admins = await lockAdmins(tx, accountId);
  await eraseFormerEmail(tx, accountId, person.email);
  const invited = await eraseInvitation(tx, accountId, person.email);
  const user = await findUserByEmail(tx, accountId, person.email);
  if (!user) return { users: 0, removed: invited };
  if (user.role === 'ADMIN') await refuseLoss(tx, admins, user);
  await beforehand(user);
  await deleteUser(tx, accountId, user.id);
  return { users: 1, removed: [user.uuid, ...invited] };
}
