import type { Tx } from '../../platform/db/database.ts';
import { requireRoom } from '../limits/index.ts';
import { countInvitations, isInvited } from './invitations/invitation.store.ts';
import { countUsers } from './user.store.ts';

/** Returns how much of the budget of users is used: open invitations count, so that there is room when they are accepted. */
export const countSeats = async (tx: Tx, accountId: number): Promise<number> =>
  (await countUsers(tx, accountId)) + (await countInvitations(tx, accountId));

/** Refuses a user or an invitation for whom there is no room. An invited person has a seat, unless the budget was lowered. */
export async function requireSeat(tx: Tx, accountId: number, email: string): Promise<void> {
  const count = (await isInvited(tx, accountId, email)) ? countUsers : countSeats;
  await requireRoom(tx, accountId, 'users', () => count(tx, accountId));
}
