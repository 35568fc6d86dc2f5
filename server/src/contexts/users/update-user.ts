import type { Caller } from '../../platform/caller.ts';
import { type Database, inAccount, type Tx } from '../../platform/db/database.ts';
import { type Fault, invalid, notFound, Refusal } from '../../platform/errors.ts';
import { isUuid } from '../../platform/ids.ts';
import { isEmailHeld, revokeOtherTokens } from '../access/index.ts';
import { recordChangeBy } from '../audit/index.ts';
import { spendBudget } from '../limits/index.ts';
import { lockAdminsFor, refuseLoss } from './admins.ts';
import { type ConfirmLinkDeps, mailConfirmation } from './confirm-email.ts';
import type { LinkExtensions } from './link-extensions.ts';
import { refuseScopedRights } from './scoped-rights.ts';
import { keepAddress } from './undo-email.ts';
import { changed, losesAdmin, refuseForeignRights, type UserChange, vouches } from './user.rules.ts';
import { duplicateEmail, findUserByUuid, lockUserByUuid, saveUser } from './user.store.ts';
import { auditView, type User } from './user.ts';

export interface UpdateUserDeps extends ConfirmLinkDeps {
  db: Database;
  consoleUrl: string;
  linkExtensions: LinkExtensions;
}

/** Updates the caller, or for an ADMIN the user with `uuid`. */
export async function updateUser(
  deps: UpdateUserDeps,
  caller: Caller,
  { uuid = caller.uuid, ...change }: UserChange & { uuid?: string | undefined },
): Promise<User> {
  const target = uuid.toLowerCase();
  if (target !== caller.uuid && caller.role !== 'ADMIN') {
    throw new Refusal('ACCESS_DENIED', 'Only an ADMIN may change another user.');
  }
  if (!isUuid(target)) throw notFound();
  const now = deps.clock.now();
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    const admins = caller.role === 'ADMIN' ? await lockAdminsFor(tx, caller) : [];
    const before = await lockUserByUuid(tx, caller.accountId, target);
    if (!before) throw notFound();
    refuseForeignRights(caller.role, before, change);
    refuseScopedRights(caller, before, changed(caller.role, before, change, now));
    const { after, link } = await keepAddress(tx, deps, before, changed(caller.role, before, change, now));
    if (losesAdmin(before, after)) await refuseLoss(tx, admins, before);
    if (await isEmailHeld(tx, after.email, now, before.id)) throw invalid(duplicateEmail);
    await saveUser(tx, after);
    await recordChangeBy(tx, caller, {
      at: now,
      action: 'user.update',
      target: { type: 'user', id: before.uuid },
      before: auditView(before),
      after: auditView(after),
    });
    if (vouches(caller.role, change)) await deps.linkExtensions(tx, caller, after, now);
    await followUp(tx, deps, caller, { before, after, link });
    return after;
  });
}

/**
 * Returns the faults of a change that only the database can detect. Looks up the user in the account first, because the
 * response must not reveal whether an address belongs to a user of another account.
 */
export async function faultsOfUserChange(
  { db, clock }: UpdateUserDeps,
  caller: Caller,
  { uuid = caller.uuid, email }: { uuid?: string | undefined; email?: string | undefined },
): Promise<Fault[]> {
  const target = uuid.toLowerCase();
  const mayChange = target === caller.uuid || caller.role === 'ADMIN';
  if (email === undefined || !mayChange || !isUuid(target)) return [];
  return await inAccount(db, caller.accountId, async (tx) => {
    const user = await findUserByUuid(tx, caller.accountId, target);
    return user && (await isEmailHeld(tx, email, clock.now(), user.id)) ? [duplicateEmail] : [];
  });
}

async function followUp(
  tx: Tx,
  deps: UpdateUserDeps,
  caller: Caller,
  { before, after, link }: { before: User; after: User; link: string | undefined },
): Promise<void> {
  if (before.role !== after.role) {
    const own = before.id === caller.userId ? caller.tokenHash : undefined;
    await revokeOtherTokens(tx, { accountId: after.accountId, userId: after.id }, own);
  }
  if (before.email.toLowerCase() !== after.email.toLowerCase()) {
    await spendBudget(tx, after.accountId, 'mails', 1, after.updatedAt);
    if (!after.emailVerified) await mailConfirmation(tx, deps, after);
    await deps.queueMail(tx, {
      to: before.email,
      locale: before.locale,
      template: 'email-changed',
      data: { newAddress: after.email, changedAt: after.updatedAt.toISOString(), ...(link ? { link } : {}) },
    });
  }
}
