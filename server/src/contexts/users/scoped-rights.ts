import type { Caller } from '../../platform/caller.ts';
import { Refusal } from '../../platform/errors.ts';
import type { User } from './user.ts';

type Rights = Pick<User, 'role' | 'email' | 'emailVerified'>;

/**
 * Refuses tokens with scopes what would let them log in as an ADMIN: to make one, or to change the role, the address or
 * its verification of one. A user who does not exist yet has no rights before.
 */
export function refuseScopedRights(
  { scopes }: Pick<Caller, 'scopes'>,
  before: Rights | undefined,
  after: Pick<Rights, 'role'> & Partial<Rights>,
): void {
  if (scopes === null || (before?.role !== 'ADMIN' && after.role !== 'ADMIN')) return;
  const isSame =
    before?.role === after.role &&
    before.email === after.email &&
    before.emailVerified === after.emailVerified;
  if (isSame) return;
  throw new Refusal(
    'TOKEN_SCOPE_MISSING',
    'A token with scopes can neither make an ADMIN nor change the role or e-mail of one. Use a token without scopes.',
  );
}
