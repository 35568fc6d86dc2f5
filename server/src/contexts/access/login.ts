import type { Origin } from '../../platform/caller.ts';
import { inAccount, type Tx } from '../../platform/db/database.ts';
import { Refusal } from '../../platform/errors.ts';
import { freeFailuresOfKnownAddress } from '../limits/index.ts';
import { findLogin, type Login, lockUser } from './access.store.ts';
import { isAddressProof, type ProveAddress } from './address-proof.ts';
import { findDemand } from './factors/admins.store.ts';
import { type FactorDeps, type FactorProof, factorRequired, proveFactor } from './factors/prove-factor.ts';
import { guessedAtLogin, holdOffGuessers } from './hold-off.ts';
import type { IssuedToken } from './issue-token.ts';
import { openLogin } from './open-login.ts';
import type { Passwords } from './passwords.ts';
import { needsSso, ssoRequired } from './require-sso.ts';
import type { Owner } from './token.store.ts';

export interface LogInDeps extends FactorDeps {
  passwords: Passwords;
  proveAddress: ProveAddress;
}

export interface Credentials extends FactorProof {
  email: string;
  password: string;
  ttl: number;
  /** The token's name in the list of tokens. */
  name?: string;
  isConsoleSession?: boolean;
  /** The browser of a console session. */
  device?: string;
  /** From the page that a confirmation link opened. */
  addressProof?: string | undefined;
}

/** The refusals with 401, for the descriptions of the routes. */
export const loginRefusals =
  '`LOGIN_FAILED`, `LOGIN_FAILED_EMAIL_NOT_VERIFIED`, `SECOND_FACTOR_REQUIRED` or `SECOND_FACTOR_FAILED`.';

/** The refusal with 403 of both routes, for their descriptions. */
export const ssoRefusal = '`SSO_REQUIRED`: the account requires single sign-on, and the user is not exempt.';

/** Logs a user in. An unknown e-mail and a wrong password take the same time and return the same error. */
export async function logIn(
  deps: LogInDeps,
  credentials: Credentials,
  origin: Origin,
): Promise<IssuedToken & { userId: string }> {
  const login = await findLogin(deps.db, credentials.email, origin.address, deps.clock.now());
  const { guessed, free } = countedFor(login, credentials.email, origin);
  await holdOffGuessers(deps.holdoff, guessed, free);
  const isCorrect = await deps.passwords.matches(login?.password_hash, credentials.password);
  if (!login || !isCorrect) throw loginFailed();
  await deps.holdoff.forgive(guessed);
  refuseInactive(login);
  if (await needsSso(deps.db, { accountId: login.account_id, userId: login.user_id })) throw ssoRequired();
  const { account_id: accountId, user_id: userId, uuid, email, locale } = login;
  const user = { accountId, userId, uuid, email, locale };
  const hasFactor = await proveFactor(deps, user, credentials, origin);
  return await enter(deps, login, { ...credentials, hasFactor }, origin);
}

/**
 * Returns under which name failures are counted, and how many are not held off. Addresses from which this user has
 * logged in are counted separately and more loosely, so that guesses from elsewhere cannot lock the owner out.
 */
function countedFor(login: Login | undefined, email: string, { address }: Origin) {
  return login?.knows_address
    ? { guessed: `known-address/${login.uuid}/${address}`, free: freeFailuresOfKnownAddress }
    : { guessed: login ? guessedAtLogin(login.uuid) : email, free: undefined };
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

/** Refuses a user without a second factor who needs one. Such a user can log in to the console only, to set it up. */
async function refuseLackingFactor(
  tx: Tx,
  { accountId, userId }: Owner,
  isConsoleSession: boolean,
): Promise<void> {
  const demand = await findDemand(tx, accountId, userId);
  // Added since the check.
  if (demand?.hasFactor) throw factorRequired([]);
  if (demand?.isRequired && !isConsoleSession)
    throw new Refusal(
      'SECOND_FACTOR_SETUP_REQUIRED',
      'Your account requires a second factor of ADMINs. Log in to the console and set one up.',
    );
}

const loginFailed = () => new Refusal('LOGIN_FAILED', 'The e-mail or password is wrong.');

async function enter(
  deps: LogInDeps,
  login: Login,
  {
    ttl,
    name,
    isConsoleSession = false,
    device,
    addressProof,
    hasFactor,
  }: Credentials & { hasFactor: boolean },
  origin: Origin,
): Promise<IssuedToken & { userId: string }> {
  const now = deps.clock.now();
  const owner = { accountId: login.account_id, userId: login.user_id };
  return await inAccount(deps.db, owner.accountId, async (tx) => {
    const user = await lockUser(tx, owner.accountId, owner.userId);
    // The password may have been changed, or the user removed, during the check.
    if (user?.password_changed_at.getTime() !== login.password_changed_at.getTime()) throw loginFailed();
    if (!hasFactor) await refuseLackingFactor(tx, owner, isConsoleSession);
    const kind = isConsoleSession ? 'console' : 'login';
    const token = await openLogin(tx, deps, login, { ttl, name, kind, device }, { origin, at: now });
    if (addressProof !== undefined && isAddressProof(deps, addressProof, login)) {
      const { uuid, email } = login;
      await deps.proveAddress(tx, { uuid, email, accountId: owner.accountId, origin }, now);
    }
    return { ...token, userId: login.uuid };
  });
}
