import type { Origin } from '../../platform/caller.ts';
import type { Tx } from '../../platform/db/database.ts';
import { isEmailHeld, type Passwords, releaseUnconfirmedEmail } from '../access/index.ts';
import { recordChange } from '../audit/index.ts';
import {
  addUser,
  auditView,
  findTrustedUsers,
  findUsers,
  type LinkExtensions,
  lockAdmins,
  requireSeat,
  takeInvitation,
  type User,
} from '../users/index.ts';
import { type Flow, ssoRefused } from './flow.ts';
import type { Identity } from './ports.ts';
import { localeFrom, nameFrom } from './sso.rules.ts';
import {
  findSettings,
  findUserOfSubject,
  hasIdentity,
  insertIdentity,
  noteIdentityUse,
} from './sso.store.ts';

export interface ResolveUserDeps {
  passwords: Passwords;
  linkExtensions: LinkExtensions;
}

interface Arrival {
  identity: Identity;
  /** Of a random password, for a user who is created. */
  passwordHash: string;
}

/**
 * Returns the user to whom the provider's user is bound. At the first login that is the user of the account with the
 * same address, or a new user, with the role of an invitation or USER. Users of other accounts are never found, and their
 * addresses are refused.
 */
export async function resolveUser(
  tx: Tx,
  deps: ResolveUserDeps,
  flow: Flow,
  arrival: Arrival,
  by: { origin: Origin; at: Date },
): Promise<User> {
  const { accountId, issuer } = flow;
  const { subject } = arrival.identity;
  // Concurrent first logins of one user, and changes of the settings, run one after the other.
  await lockAdmins(tx, accountId);
  const settings = await findSettings(tx, accountId);
  if (settings?.issuer !== issuer || settings.clientId !== flow.clientId) throw ssoRefused(flow.purpose, '');
  const boundTo = await findUserOfSubject(tx, accountId, issuer, subject);
  if (boundTo !== undefined) {
    await noteIdentityUse(tx, accountId, boundTo, by.at);
    return await userOf(tx, accountId, boundTo);
  }
  const user = await findOrAdd(tx, deps, flow, arrival, by);
  await insertIdentity(tx, accountId, user.id, { issuer, subject }, by.at);
  await recordChange(tx, {
    accountId,
    ...by,
    actor: user,
    action: 'sso.link',
    target: { type: 'user', id: user.uuid },
    after: { issuer, subject },
  });
  return user;
}

async function findOrAdd(
  tx: Tx,
  deps: ResolveUserDeps,
  flow: Flow,
  { identity, passwordHash }: Arrival,
  by: { origin: Origin; at: Date },
): Promise<User> {
  const { accountId } = flow;
  const email = identity.email ?? '';
  // Trusted: a user could have changed their own address to that of a colleague.
  const trusted = (await findTrustedUsers(tx, accountId, [email])).get(email.toLowerCase());
  if (trusted !== undefined) {
    // The address was given to another person at the provider.
    if (await hasIdentity(tx, accountId, trusted)) throw ssoRefused(flow.purpose, '');
    return await userOf(tx, accountId, trusted);
  }
  await releaseUnconfirmedEmail(tx, email, by.at);
  if (await isEmailHeld(tx, email, by.at)) throw ssoRefused(flow.purpose, '');
  await requireSeat(tx, accountId, email);
  const invitation = await takeInvitation(tx, accountId, email);
  const user = await addUser(tx, {
    accountId,
    uuid: invitation?.uuid,
    name: nameFrom(identity),
    email,
    phone: invitation?.phone ?? '',
    // The ADMIN who invited the address has decided about the role, for as long as the invitation is valid.
    role: invitation && invitation.expiresAt > by.at ? invitation.role : 'USER',
    locale: localeFrom(identity),
    emailByAdmin: invitation ? email : null,
    emailVerified: true,
    passwordHash,
    at: by.at,
  });
  const change = { accountId, ...by, actor: user, target: { type: 'user', id: user.uuid } };
  await recordChange(tx, { ...change, action: 'user.create', after: auditView(user) });
  await deps.linkExtensions(tx, { ...user, origin: by.origin }, user, by.at);
  return user;
}

async function userOf(tx: Tx, accountId: number, id: number): Promise<User> {
  const [user] = await findUsers(tx, accountId, [id]);
  if (!user) throw new Error('The user of an identity was not found.');
  return user;
}
