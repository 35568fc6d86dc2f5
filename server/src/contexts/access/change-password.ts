import type { Caller } from '../../platform/caller.ts';
import { type Database, inAccount, type Tx } from '../../platform/db/database.ts';
import { invalid, notFound } from '../../platform/errors.ts';
import type { Clock } from '../../platform/time.ts';
import { recordChangeBy } from '../audit/index.ts';
import type { LoginHoldoff } from '../limits/index.ts';
import type { Locale, QueueMail } from '../notifications/index.ts';
import { findPassword, lockPassword, setPassword } from './access.store.ts';
import { holdOffGuessers } from './hold-off.ts';
import type { Passwords } from './passwords.ts';
import { revokeOtherTokens } from './token.store.ts';

export interface ChangePasswordDeps {
  db: Database;
  clock: Clock;
  passwords: Passwords;
  holdoff: LoginHoldoff;
  queueMail: QueueMail;
}

/**
 * Changes the password. Wrong passwords are held off as at login, so that a stolen token does not make guessing faster.
 */
export async function changePassword(
  deps: ChangePasswordDeps,
  caller: Caller,
  change: { oldPassword: string; newPassword: string },
): Promise<void> {
  // Counted separately from login; otherwise guesses at login would keep the owner from changing the password.
  const guessed = `change-password/${caller.uuid}`;
  await holdOffGuessers(deps.holdoff, guessed);
  // Hashing is slow, so it runs outside any transaction: connections are scarce.
  const checked = await inAccount(deps.db, caller.accountId, (tx) =>
    findPassword(tx, caller.accountId, caller.uuid),
  );
  if (!checked) throw notFound();
  if (!(await deps.passwords.matches(checked.password_hash, change.oldPassword))) throw wrongPassword();
  const newHash = await deps.passwords.hash(change.newPassword);
  await inAccount(deps.db, caller.accountId, async (tx) => {
    const user = await lockPassword(tx, caller.accountId, caller.uuid);
    if (!user) throw notFound();
    if (user.password_hash !== checked.password_hash) throw wrongPassword();
    const now = deps.clock.now();
    await setPassword(tx, caller.accountId, user.id, newHash, now);
    await revokeOtherTokens(tx, caller, caller.tokenHash);
    await recordChangeBy(tx, caller, {
      at: now,
      action: 'password.change',
      target: { type: 'user', id: caller.uuid },
    });
    await queuePasswordChangedMail(tx, deps.queueMail, user, now);
  });
  await deps.holdoff.forgive(guessed);
}

const wrongPassword = () =>
  invalid({ path: 'oldPassword', code: 'wrong_password', message: '`oldPassword` is wrong.' });

export async function queuePasswordChangedMail(
  tx: Tx,
  queueMail: QueueMail,
  user: { email: string; locale: string },
  at: Date,
): Promise<void> {
  await queueMail(tx, {
    to: user.email,
    locale: user.locale as Locale,
    template: 'password-changed',
    data: { changedAt: at.toISOString() },
  });
}
