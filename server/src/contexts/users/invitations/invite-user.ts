import type { Caller } from '../../../platform/caller.ts';
import { type Database, inAccount, type Tx } from '../../../platform/db/database.ts';
import { type Fault, invalid, notFound } from '../../../platform/errors.ts';
import { isUuid, uuidv7 } from '../../../platform/ids.ts';
import type { Clock } from '../../../platform/time.ts';
import { isEmailFreeForOwner } from '../../access/index.ts';
import { recordChangeBy } from '../../audit/index.ts';
import { spendBudget } from '../../limits/index.ts';
import { lockAdminsFor } from '../admins.ts';
import { requireProvedAddress } from '../require-proved-address.ts';
import { refuseScopedRights } from '../scoped-rights.ts';
import { requireSeat } from '../seats.ts';
import { duplicateEmail } from '../user.store.ts';
import type { User } from '../user.ts';
import {
  deleteInvitation,
  duplicateInvitation,
  extendInvitation,
  insertInvitation,
  isInvited,
  lockInvitation,
} from './invitation.store.ts';
import { auditTarget, auditView, type Invitation } from './invitation.ts';
import { invitationExpiry, type MailInvitationDeps, mailInvitation } from './invitation-link.ts';

export interface InviteDeps extends MailInvitationDeps {
  db: Database;
  clock: Clock;
}

export interface NewInvitation {
  email: string;
  role: User['role'];
  name?: string | undefined;
  phone?: string | undefined;
  locale?: User['locale'] | undefined;
}

/** Mails a person the link with which they become a user of the account. */
export async function inviteUser(
  deps: InviteDeps,
  caller: Caller,
  { email, role, name = '', phone = '', locale = caller.locale as User['locale'] }: NewInvitation,
): Promise<Invitation> {
  refuseScopedRights(caller, undefined, { role });
  const { accountId } = caller;
  const at = deps.clock.now();
  return await inAccount(deps.db, accountId, async (tx) => {
    await lockAdminsFor(tx, caller);
    await requireProvedAddress(tx, accountId);
    await requireSeat(tx, accountId, email);
    const faults = await findDuplicates(tx, accountId, email, at);
    if (faults.length > 0) throw invalid(...faults);
    const invitation = await insertInvitation(tx, {
      uuid: uuidv7(at),
      accountId,
      email,
      name,
      phone,
      role,
      locale,
      invitedBy: caller.isService ? null : caller.userId,
      createdAt: at,
      expiresAt: invitationExpiry(at),
    });
    await recordChangeBy(tx, caller, {
      at,
      action: 'user.invite',
      target: auditTarget(invitation),
      after: auditView(invitation),
    });
    await send(tx, deps, caller, invitation, at);
    return invitation;
  });
}

async function findDuplicates(tx: Tx, accountId: number, email: string, at: Date): Promise<Fault[]> {
  if (!(await isEmailFreeForOwner(tx, email, at))) return [duplicateEmail];
  return (await isInvited(tx, accountId, email)) ? [duplicateInvitation] : [];
}

/** Returns the faults of an invitation that only the database can detect. */
export async function faultsOfInvitation(
  { db, clock }: InviteDeps,
  { accountId }: Caller,
  email: string | undefined,
): Promise<Fault[]> {
  if (email === undefined) return [];
  return await inAccount(db, accountId, (tx) => findDuplicates(tx, accountId, email, clock.now()));
}

/** Mails the link again, valid from now on. Earlier links work until they expire. */
export async function resendInvitation(deps: InviteDeps, caller: Caller, uuid: string): Promise<Invitation> {
  const at = deps.clock.now();
  return await changeInvitation(deps, caller, uuid, async (tx, before) => {
    const invitation = { ...before, expiresAt: invitationExpiry(at) };
    await extendInvitation(tx, invitation, invitation.expiresAt);
    await recordChangeBy(tx, caller, {
      at,
      action: 'user.invite-again',
      target: auditTarget(invitation),
      after: auditView(invitation),
    });
    await send(tx, deps, caller, invitation, at);
    return invitation;
  });
}

/** Withdraws an invitation: its links no longer work. */
export async function revokeInvitation(deps: InviteDeps, caller: Caller, uuid: string): Promise<void> {
  await changeInvitation(deps, caller, uuid, async (tx, invitation) => {
    await deleteInvitation(tx, invitation);
    await recordChangeBy(tx, caller, {
      at: deps.clock.now(),
      action: 'user.revoke-invitation',
      target: auditTarget(invitation),
      before: auditView(invitation),
    });
  });
}

async function changeInvitation<Result>(
  { db }: InviteDeps,
  caller: Caller,
  uuid: string,
  change: (tx: Tx, invitation: Invitation) => Promise<Result>,
): Promise<Result> {
  if (!isUuid(uuid)) throw notFound();
  return await inAccount(db, caller.accountId, async (tx) => {
    await lockAdminsFor(tx, caller);
    const invitation = await lockInvitation(tx, caller.accountId, uuid);
    if (!invitation) throw notFound();
    return await change(tx, invitation);
  });
}

async function send(
  tx: Tx,
  deps: InviteDeps,
  caller: Caller,
  invitation: Invitation,
  at: Date,
): Promise<void> {
  await spendBudget(tx, caller.accountId, 'mails', 1, at);
  await mailInvitation(tx, deps, invitation, caller.isService ? '' : caller.name);
}
