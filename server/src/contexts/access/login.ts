import type { Origin } from '../../platform/caller.ts';
import { type Database, inAccount } from '../../platform/db/database.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Clock } from '../../platform/time.ts';
import type { LoginHoldoff } from '../limits/index.ts';
import { findLogin, type Login, lockUser, noteLogin, rememberAddress } from './access.store.ts';
import { type IssuedToken, issueTokenIn } from './issue-token.ts';
import type { Passwords } from './passwords.ts';

export interface LogInDeps {
  db: Database;
  clock: Clock;
  passwords: Passwords;
  holdoff: LoginHoldoff;
}

export interface Credentials {
  email: string;
  password: string;
  ttl: number;
  /** The token's name in the list of tokens. */
  name?: string;
  isConsoleSession?: boolean;
}

/** Logs a user in. An unknown e-mail and a wrong password take the same time and return the same error. */
export async function logIn(
  deps: LogInDeps,
  credentials: Credentials,
  origin: Origin,
): Promise<IssuedToken & { userId: string }> {
  const login = await findLogin(deps.db, credentials.email, origin.address);
  const isKnownAddress = login?.knows_address ?? false;
  if (!isKnownAddress) await holdOffGuessers(deps.holdoff, credentials.email);
  const isCorrect = await deps.passwords.matches(login?.password_hash, credentials.password);
  if (!login || !isCorrect) throw loginFailed();
  if (!isKnownAddress) await deps.holdoff.forgive(credentials.email);
  refuseInactive(login);
  return await enter(deps, login, credentials, origin);
}

/**
 * Refuses after too many wrong passwords. Addresses from which this user has logged in are exempt, so that guesses from
 * elsewhere cannot lock the owner out.
 */
export async function holdOffGuessers(holdoff: LoginHoldoff, guessed: string): Promise<void> {
  const waitMs = await holdoff.attempt(guessed);
  if (waitMs <= 0) return;
  throw new Refusal('RATE_LIMITED', 'Too many failed attempts. Please wait before trying again.', {
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });
}

function refuseInactive(login: Login): void {
  if (login.account_status === 'active') return;
  if (login.account_status === 'pending') {
    throw new Refusal(
      'LOGIN_FAILED_EMAIL_NOT_VERIFIED',
      'Confirm your e-mail address with the link we sent you, then log in.',
    );
  }
  throw loginFailed();
}

const loginFailed = () => new Refusal('LOGIN_FAILED', 'The e-mail or password is wrong.');

async function enter(
  deps: LogInDeps,
  login: Login,
  { ttl, name, isConsoleSession = false }: Credentials,
  origin: Origin,
): Promise<IssuedToken & { userId: string }> {
  const now = deps.clock.now();
  const owner = { accountId: login.account_id, userId: login.user_id };
  return await inAccount(deps.db, owner.accountId, async (tx) => {
    const user = await lockUser(tx, owner.accountId, owner.userId);
    // The password may have been changed, or the user removed, during the check.
    if (user?.password_changed_at.getTime() !== login.password_changed_at.getTime()) throw loginFailed();
    const by = { actor: { uuid: login.uuid, email: login.email }, origin, at: now };
    const kind = isConsoleSession ? 'console' : 'login';
    const token = await issueTokenIn(tx, owner, by, { ttl, name, kind });
    await noteLogin(tx, owner.accountId, owner.userId, now);
    await rememberAddress(tx, login, origin.address, now);
    return { ...token, userId: login.uuid };
  });
}
