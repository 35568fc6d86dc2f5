import type { Caller } from '../../platform/caller.ts';
import { type Database, inAccount } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Clock } from '../../platform/time.ts';
import { recordChangeBy } from '../audit/index.ts';
import { lockAdminsFor, refuseLoss } from './admins.ts';
import { deleteUser, lockUserByUuid } from './user.store.ts';
import { auditView } from './user.ts';

export async function removeUser(
  deps: { db: Database; clock: Clock },
  caller: Caller,
  uuid: string,
): Promise<void> {
  if (!isUuid(uuid)) throw notFound();
  await inAccount(deps.db, caller.accountId, async (tx) => {
    const admins = await lockAdminsFor(tx, caller);
    const user = await lockUserByUuid(tx, caller.accountId, uuid);
    if (!user) throw notFound();
    if (user.role === 'ADMIN') await refuseLoss(tx, admins, user);
    await deleteUser(tx, caller.accountId, user.id);
    await recordChangeBy(tx, caller, {
      at: deps.clock.now(),
      action: 'user.remove',
      target: { type: 'user', id: user.uuid },
      before: auditView(user),
    });
  });
}
