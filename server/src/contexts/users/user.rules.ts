import { Refusal } from '../../platform/errors.ts';
import type { User } from './user.ts';

export interface UserChange {
  name?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
  role?: User['role'] | undefined;
  locale?: User['locale'] | undefined;
  emailVerified?: boolean | undefined;
}

/** Refuses changes of role and verification by users other than ADMINs, who may still send the current values. */
export function refuseForeignRights(callerRole: User['role'], before: User, change: UserChange): void {
  const changesRole = change.role !== undefined && change.role !== before.role;
  const changesVerified = change.emailVerified !== undefined && change.emailVerified !== before.emailVerified;
  if (callerRole !== 'ADMIN' && (changesRole || changesVerified)) {
    throw new Refusal('ACCESS_DENIED', 'Only an ADMIN may change `role` or `emailVerified`.');
  }
}

/** Returns whether an ADMIN vouches for a user's address: by sending it, or by declaring it verified. */
export const vouches = (callerRole: User['role'], change: UserChange): boolean =>
  callerRole === 'ADMIN' && (change.email !== undefined || change.emailVerified === true);

/** Returns the user after the change. A new address is unverified until it is confirmed, whatever was sent. */
export function changed(callerRole: User['role'], before: User, change: UserChange, at: Date): User {
  const email = change.email ?? before.email;
  const moved = email.toLowerCase() !== before.email.toLowerCase();
  return {
    ...before,
    name: change.name ?? before.name,
    email,
    phone: change.phone ?? before.phone,
    role: change.role ?? before.role,
    locale: change.locale ?? before.locale,
    emailVerified: moved ? false : (change.emailVerified ?? before.emailVerified),
    emailByAdmin: vouches(callerRole, change) ? email : moved ? null : before.emailByAdmin,
    updatedAt: at,
  };
}

export const losesAdmin = (before: User, after: User): boolean =>
  before.role === 'ADMIN' && after.role !== 'ADMIN';
