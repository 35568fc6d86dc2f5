import type { Origin } from '../../../platform/caller.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { invalid } from '../../../platform/errors.ts';
import { isEmailHeld, type Passwords, releaseUnconfirmedEmail } from '../../access/index.ts';
import { recordChangeBy } from '../../audit/index.ts';
import type { LinkExtensions } from '../link-extensions.ts';
import { requireSeat } from '../seats.ts';
import { duplicateEmail, findUsers, insertUser, lockAdmins } from '../user.store.ts';
import { auditView, type User } from '../user.ts';
import { deleteInvitation, findInvitation, lockInvitation } from './invitation.store.ts';
import type { Invitation } from './invitation.ts';
import { deadLink, findCompany, type InvitationLinkDeps, withInvitation } from './invitation-link.ts';

export interface OpenedInvitation extends Pick<Invitation, 'email' | 'name' | 'locale'> {
  companyName: string;
  /** Null if the ADMIN was removed, or a service token sent the invitation. */
  inviterName: string | null;
}

/** Returns what the page of an invitation shows. Changes nothing, because mail scanners open links. */
export async function openInvitation(deps: InvitationLinkDeps, token: string): Promise<OpenedInvitation> {
  return await withInvitation(deps, token, async (tx, { accountId, uuid }) => {
    const invitation = await findInvitation(tx, accountId, uuid);
    if (!invitation) throw deadLink();
    const { email, name, locale, invitedBy } = invitation;
    const [inviter] = await findUsers(tx, accountId, invitedBy === null ? [] : [invitedBy]);
    const { name: companyName } = await findCompany(tx, accountId);
    return { email, name, locale, companyName, inviterName: inviter?.name ?? null };
  });
}

export interface AcceptDeps extends InvitationLinkDeps {
  passwords: Passwords;
  linkExtensions: LinkExtensions;
}

export interface Acceptance {
  token: string;
  name: string;
  password: string;
}

/**
 * Creates the invited user, whose address is confirmed by the link, and makes them the owner of the extensions with the
 * same e-mail.
 */
export async function acceptInvitation(
  deps: AcceptDeps,
  { token, name, password }: Acceptance,
  origin: Origin,
): Promise<void> {
  // Refuses a dead link before the password is hashed, which costs more than all the rest.
  await openInvitation(deps, token);
  const passwordHash = await deps.passwords.hash(password);
  const at = deps.clock.now();
  await withInvitation(deps, token, async (tx, { accountId, uuid }) => {
    await lockAdmins(tx, accountId);
    const invitation = await lockInvitation(tx, accountId, uuid);
    if (!invitation) throw deadLink();
    const user = await addInvitedUser(tx, { ...invitation, name }, passwordHash, at);
    const author = { accountId, uuid, email: user.email, origin };
    await recordChangeBy(tx, author, {
      at,
      action: 'user.accept-invitation',
      target: { type: 'user', id: uuid },
      after: auditView(user),
    });
    await deps.linkExtensions(tx, author, user, at);
  });
}

async function addInvitedUser(tx: Tx, invitation: Invitation, passwordHash: string, at: Date): Promise<User> {
  const { accountId, uuid, name, email, phone, role, locale } = invitation;
  await releaseUnconfirmedEmail(tx, email, at);
  if (await isEmailHeld(tx, email, at)) throw invalid(duplicateEmail);
  await requireSeat(tx, accountId, email);
  await deleteInvitation(tx, invitation);
  return await insertUser(tx, {
    accountId,
    uuid,
    name,
    email,
    phone,
    role,
    locale,
    emailVerified: true,
    emailByAdmin: email,
    passwordHash,
    createdAt: at,
    updatedAt: at,
  });
}
