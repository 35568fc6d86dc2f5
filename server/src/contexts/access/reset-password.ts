import { isDeepStrictEqual } from 'node:util';
import type { Origin } from '../../platform/caller.ts';
import { type Database, inAccount } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors.ts';
import type { KeyRing } from '../../platform/keyring.ts';
import { type Clock, secondsAfter } from '../../platform/time.ts';
import { recordChange } from '../audit/index.ts';
import type { LoginHoldoff } from '../limits/index.ts';
import type { QueueMail } from '../notifications/index.ts';
import { findLogin, findUserAccount, lockPassword, setPassword } from './access.store.ts';
import type { ProveAddress } from './address-proof.ts';
import { queuePasswordChangedMail } from './change-password.ts';
import { guessedAtLogin } from './hold-off.ts';
import type { Passwords } from './passwords.ts';
import { revokeOtherTokens } from './token.store.ts';

export interface ResetPasswordDeps {
  db: Database;
  clock: Clock;
  keyRing: KeyRing;
  passwords: Passwords;
  holdoff: LoginHoldoff;
  queueMail: QueueMail;
  consoleUrl: string;
  proveAddress: ProveAddress;
}

const purpose = 'reset-password';
const linkLifetimeSeconds = 3600;

/** E-mails a reset link to a verified address of an active account. Does not reveal whether the address is known. */
export async function requestPasswordReset(deps: ResetPasswordDeps, email: string): Promise<void> {
  const login = await findLogin(deps.db, email, '', deps.clock.now());
  if (!login?.email_verified || login.account_status !== 'active') return;
  // A former address: the mail would go to the new one, which did not ask.
  if (login.email.toLowerCase() !== email.toLowerCase()) return;
  const token = deps.keyRing.sign(
    purpose,
    linkPayload(login),
    secondsAfter(deps.clock.now(), linkLifetimeSeconds),
  );
  await inAccount(deps.db, login.account_id, (tx) =>
    deps.queueMail(tx, {
      to: login.email,
      locale: login.locale,
      template: 'reset-password',
      data: { link: `${deps.consoleUrl}/reset-password?token=${token}` },
    }),
  );
}

export async function resetPassword(
  deps: ResetPasswordDeps,
  reset: { token: string; password: string },
  origin: Origin,
): Promise<void> {
  const verified = deps.keyRing.verify(purpose, reset.token, deps.clock.now());
  if (verified.state !== 'valid') throw deadLink();
  const uuid = String(verified.payload.user);
  const accountId = await findUserAccount(deps.db, uuid);
  if (accountId === undefined) throw deadLink();
  const hash = await deps.passwords.hash(reset.password);
  await inAccount(deps.db, accountId, async (tx) => {
    const user = await lockPassword(tx, accountId, uuid);
    if (!user || !isDeepStrictEqual(verified.payload, linkPayload(user))) throw deadLink();
    const now = deps.clock.now();
    await setPassword(tx, accountId, user.id, hash, now);
    await revokeOtherTokens(tx, { accountId, userId: user.id });
    await recordChange(tx, {
      accountId,
      at: now,
      actor: { uuid, email: user.email },
      origin,
      action: 'password.reset',
      target: { type: 'user', id: uuid },
    });
    // The link was in a mail, and a mail scanner does not choose passwords.
    await deps.proveAddress(tx, { accountId, uuid, email: user.email, origin }, now);
    await queuePasswordChangedMail(tx, deps.queueMail, user, now);
  });
  await deps.holdoff.forgive(guessedAtLogin(uuid));
}

/**
 * Returns the payload of a reset link, which is valid for one change and only while the user still has the address it
 * was sent to.
 */
const linkPayload = (user: { uuid: string; email: string; password_changed_at: Date }) => ({
  user: user.uuid,
  email: user.email.toLowerCase(),
  passwordChangedAt: user.password_changed_at.getTime(),
});

const deadLink = () =>
  invalid({
    path: 'token',
    code: 'invalid_token',
    message: '`token` is invalid, expired or already used. Request a new link.',
  });
