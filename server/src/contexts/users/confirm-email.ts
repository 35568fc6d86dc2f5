import type { Tx } from '../../platform/db/database.ts';
import type { KeyRing } from '../../platform/keyring.ts';
import { type Clock, secondsAfter } from '../../platform/time.ts';
import type { QueueMail } from '../notifications/index.ts';
import { lockUserByUuid, saveUser } from './user.store.ts';
import type { User } from './user.ts';

export interface ConfirmLinkDeps {
  clock: Clock;
  keyRing: KeyRing;
  queueMail: QueueMail;
  publicUrl: string;
}

type Addressee = Pick<User, 'uuid' | 'email' | 'locale'>;

const purpose = 'confirm-email';
const linkLifetimeSeconds = 48 * 3600;

/**
 * Returns the link that confirms a user's address. Opening it again has no effect, because mail scanners open links
 * before users do.
 */
export function confirmationLink(deps: ConfirmLinkDeps, user: Addressee): string {
  const token = deps.keyRing.sign(
    purpose,
    { user: user.uuid, email: user.email },
    secondsAfter(deps.clock.now(), linkLifetimeSeconds),
  );
  return `${deps.publicUrl}/api/v1/accounts/confirm?token=${token}`;
}

export async function mailConfirmation(tx: Tx, deps: ConfirmLinkDeps, user: Addressee): Promise<void> {
  await deps.queueMail(tx, {
    to: user.email,
    locale: user.locale,
    template: 'confirm-new-address',
    data: { link: confirmationLink(deps, user) },
  });
}

export type OpenedLink =
  | { state: 'valid'; userUuid: string; email: string }
  | { state: 'expired' }
  | { state: 'invalid' };

export function openConfirmationLink(deps: { keyRing: KeyRing; clock: Clock }, token: string): OpenedLink {
  const verified = deps.keyRing.verify(purpose, token, deps.clock.now());
  if (verified.state !== 'valid') return verified;
  return { state: 'valid', userUuid: String(verified.payload.user), email: String(verified.payload.email) };
}

/**
 * Verifies the address if the user still has it. Returns the user and whether the address was unverified before, or
 * undefined.
 */
export async function verifyEmail(
  tx: Tx,
  accountId: number,
  link: { userUuid: string; email: string },
  at: Date,
): Promise<{ user: User; isNew: boolean } | undefined> {
  const user = await lockUserByUuid(tx, accountId, link.userUuid);
  if (!user || user.email.toLowerCase() !== link.email.toLowerCase()) return undefined;
  if (user.emailVerified) return { user, isNew: false };
  const verified = { ...user, emailVerified: true, updatedAt: at };
  await saveUser(tx, verified);
  return { user: verified, isNew: true };
}
