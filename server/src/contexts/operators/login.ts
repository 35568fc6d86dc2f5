import { type Database, inTransaction, type Tx } from '../../platform/db/database.ts';
import type { KeyRing } from '../../platform/keyring.ts';
import { type Clock, secondsAfter } from '../../platform/time.ts';
import { newTotpSecret, type Passwords, timeStepOf, totpUri } from '../access/index.ts';
import { appendLog } from './log.store.ts';
import { checkPassword, failuresBeforeHold, holdSeconds, sessionSeconds } from './operator.rules.ts';
import {
  deleteSession,
  findSessionOperator,
  insertSession,
  lockOperator,
  nameOf,
  type StoredOperator,
  updateOperator,
} from './operator.store.ts';
import type { NamedOperator } from './operator.ts';
import { hashOf, newSecret } from './secret.ts';

interface LoginDeps {
  db: Database;
  clock: Clock;
  keyRing: KeyRing;
  passwords: Passwords;
}

/** Purpose with which the secrets of the operators' apps are sealed. */
export const operatorTotpPurpose = 'operator-totp';

/** Stores the password of an operator who has a set-up code, and returns the secret for their app. */
export async function setUpOperator(
  { db, clock, keyRing, passwords }: LoginDeps,
  { name, code, password }: { name: string; code: string; password: string },
): Promise<{ secret: string; uri: string }> {
  checkPassword(password);
  const hash = await passwords.hash(password);
  const secret = newTotpSecret();
  await attempt(db, clock, name, async (tx, operator, at) => {
    const isRight =
      operator.setup_hash?.equals(hashOf(code)) &&
      operator.setup_expires_at &&
      operator.setup_expires_at > at;
    if (!isRight) return undefined;
    await updateOperator(tx, operator.id, {
      password_hash: hash,
      totp_sealed: keyRing.seal(operatorTotpPurpose, secret),
      totp_step: 0,
      setup_hash: null,
      setup_expires_at: null,
    });
    await note(tx, operator, at, 'operator set-up');
    return true;
  });
  return { secret, uri: totpUri(secret, name) };
}

/** Checks password and code, and returns the token of a new session. */
export async function logInOperator(
  { db, clock, keyRing, passwords }: LoginDeps,
  { name, password, otp }: { name: string; password: string; otp: string },
): Promise<{ token: string; operator: NamedOperator; expiresAt: Date }> {
  return await attempt(db, clock, name, async (tx, operator, at) => {
    const isRight = await passwords.matches(operator.password_hash ?? undefined, password);
    const secret = operator.totp_sealed && keyRing.open(operatorTotpPurpose, operator.totp_sealed);
    const step = secret ? await timeStepOf(secret, otp, at) : undefined;
    if (!isRight || step === undefined || step <= operator.totp_step) return undefined;
    const token = newSecret();
    const expiresAt = secondsAfter(at, sessionSeconds);
    await updateOperator(tx, operator.id, { totp_step: step });
    await insertSession(tx, { hash: hashOf(token), operatorId: operator.id, at, expiresAt });
    await note(tx, operator, at, 'operator login');
    return { token, operator: nameOf(operator), expiresAt };
  });
}

/** Runs a check of credentials and counts failures; an unknown name and a wrong credential are not distinguished. */
async function attempt<T>(
  db: Database,
  clock: Clock,
  name: string,
  check: (tx: Tx, operator: StoredOperator, at: Date) => Promise<T | undefined>,
): Promise<T> {
  const at = clock.now();
  const result = await inTransaction(db, async (tx) => {
    const operator = await lockOperator(tx, name);
    if (!operator || operator.disabled_at) return undefined;
    if (operator.held_until && operator.held_until > at)
      throw new Error(`Too many failed logins. Try again after ${operator.held_until.toISOString()}.`);
    const found = await check(tx, operator, at);
    const failures = found === undefined ? operator.failures + 1 : 0;
    const isHeld = failures >= failuresBeforeHold;
    await updateOperator(tx, operator.id, {
      failures: isHeld ? 0 : failures,
      held_until: isHeld ? secondsAfter(at, holdSeconds) : null,
    });
    return found;
  });
  if (result === undefined) throw new Error('The name, the password or the code is wrong.');
  return result;
}

const note = (tx: Tx, { name, role }: StoredOperator, at: Date, command: string): Promise<number> =>
  appendLog(tx, { at, operator: name, role, command, target: name, reason: '', details: {} });

export const findOperator = ({ db, clock }: Pick<LoginDeps, 'db' | 'clock'>, token: string) =>
  inTransaction(db, (tx) => findSessionOperator(tx, hashOf(token), clock.now()));

export const logOutOperator = ({ db }: Pick<LoginDeps, 'db'>, token: string): Promise<void> =>
  inTransaction(db, (tx) => deleteSession(tx, hashOf(token)));
