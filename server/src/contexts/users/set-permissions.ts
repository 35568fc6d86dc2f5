import type { Caller } from '../../platform/caller.ts';
import { type Database, inAccount, type Tx } from '../../platform/db/database.ts';
import { invalid, notFound } from '../../platform/errors.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Permissions } from '../../platform/permissions.ts';
import type { Clock } from '../../platform/time.ts';
import { recordChangeBy } from '../audit/index.ts';
import { lockAdminsFor } from './admins.ts';
import { faultsOfPermissions } from './permission.rules.ts';
import { type DecidedPermissions, findPermissions, savePermissions } from './permission.store.ts';
import { findUserByUuid, lockUserByUuid } from './user.store.ts';
import type { User } from './user.ts';

interface PermissionDeps {
  db: Database;
  clock: Clock;
}

/** Returns the permissions of a user of the account. */
export async function getPermissions(
  deps: Pick<PermissionDeps, 'db'>,
  { accountId }: Caller,
  uuid: string,
): Promise<DecidedPermissions> {
  if (!isUuid(uuid)) throw notFound();
  return await inAccount(deps.db, accountId, async (tx) => {
    const user = await findUserByUuid(tx, accountId, uuid.toLowerCase());
    if (!user) throw notFound();
    return await permissionsOf(tx, user);
  });
}

/** Sets all permissions of a user. They apply from the user's next request, and while the user has the role USER. */
export async function setPermissions(
  deps: PermissionDeps,
  caller: Caller,
  uuid: string,
  permissions: Permissions,
): Promise<DecidedPermissions> {
  if (!isUuid(uuid)) throw notFound();
  const faults = faultsOfPermissions(permissions);
  if (faults.length > 0) throw invalid(...faults);
  const now = deps.clock.now();
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    await lockAdminsFor(tx, caller);
    const user = await lockUserByUuid(tx, caller.accountId, uuid.toLowerCase());
    if (!user) throw notFound();
    const before = await permissionsOf(tx, user);
    await savePermissions(tx, user, permissions, now);
    const after = await permissionsOf(tx, user);
    await recordChangeBy(tx, caller, {
      at: now,
      action: 'user.permit',
      target: { type: 'user', id: user.uuid },
      before: { ...before },
      after: { ...after },
    });
    return after;
  });
}

async function permissionsOf(tx: Tx, { accountId, id, uuid }: User): Promise<DecidedPermissions> {
  const permissions = await findPermissions(tx, accountId, id);
  if (!permissions) throw new Error(`No user ${uuid}.`);
  return permissions;
}
