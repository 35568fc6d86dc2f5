import type { Origin } from '../../../platform/caller.ts';
import { type Database, inAccount } from '../../../platform/db/database.ts';
import { type Fault, Refusal } from '../../../platform/errors.ts';
import type { Clock } from '../../../platform/time.ts';
import { recordChange } from '../../audit/index.ts';
import type { LoginHoldoff } from '../../limits/index.ts';
import type { QueueMail } from '../../notifications/index.ts';
import { holdOffGuessers } from '../hold-off.ts';
import { findFactors, type Passkey, spendChallenge, spendTimeStep, type Totp } from './factor.store.ts';
import { queueFactorMail } from './factor-mail.ts';
import { checkPasskey, type PasskeyAnswer, type PasskeyDeps } from './passkeys.ts';
import { countRecoveryCodes, takeRecoveryCode } from './recovery-code.store.ts';
import { hashRecoveryCode } from './recovery-code.ts';
import { timeStepOf, totpPurpose } from './totp.ts';

export interface FactorDeps extends PasskeyDeps {
  db: Database;
  clock: Clock;
  holdoff: LoginHoldoff;
  queueMail: QueueMail;
}

/** What a user shows besides the password. */
export interface FactorProof {
  /** A code of an app, or a recovery code. */
  otp?: string | undefined;
  passkey?: PasskeyAnswer | undefined;
}

interface ProvingUser {
  accountId: number;
  userId: number;
  uuid: string;
  email: string;
  locale: string;
}

/**
 * Checks the second factor of a user whose password is correct. Returns whether the user has one. Wrong proofs are held
 * off like wrong passwords, also from known addresses, because their sender knows the password.
 */
export async function proveFactor(
  deps: FactorDeps,
  user: ProvingUser,
  proof: FactorProof,
  origin: Origin,
): Promise<boolean> {
  const factors = await inAccount(deps.db, user.accountId, (tx) => findFactors(tx, user));
  if (factors.length === 0) return false;
  if (proof.otp === undefined && proof.passkey === undefined) {
    const codesLeft = await inAccount(deps.db, user.accountId, (tx) => countRecoveryCodes(tx, user));
    throw factorRequired(factors, codesLeft);
  }
  const guessed = `second-factor/${user.uuid}`;
  await holdOffGuessers(deps.holdoff, guessed);
  const isProved =
    (proof.passkey !== undefined && (await acceptPasskey(deps, user, factors, proof.passkey))) ||
    (proof.otp !== undefined && (await acceptCode(deps, user, factors, proof.otp))) ||
    (proof.otp !== undefined && (await acceptRecoveryCode(deps, user, proof.otp, origin)));
  if (!isProved)
    throw new Refusal(
      'SECOND_FACTOR_FAILED',
      'The second factor is wrong, or was used before. Use a new code, a passkey or a recovery code.',
    );
  await deps.holdoff.forgive(guessed);
  return true;
}

/** The details say which fields the user can send. */
export function factorRequired(factors: (Totp | Passkey)[], codesLeft = 0): Refusal {
  const has = (kind: string): boolean => factors.some((factor) => factor.kind === kind);
  const details: Fault[] = [];
  if (has('totp') || codesLeft > 0)
    details.push({
      path: 'otp',
      code: has('totp') ? 'totp' : 'recovery_code',
      message: has('totp')
        ? '`otp` takes a code of your app or a recovery code.'
        : '`otp` takes a recovery code.',
    });
  if (has('passkey'))
    details.push({ path: 'passkey', code: 'passkey', message: 'The console takes a passkey.' });
  return new Refusal('SECOND_FACTOR_REQUIRED', 'This user has a second factor. Send a code in `otp`.', {
    details,
  });
}

async function acceptPasskey(
  deps: FactorDeps,
  user: ProvingUser,
  factors: (Totp | Passkey)[],
  answer: PasskeyAnswer,
): Promise<boolean> {
  const at = deps.clock.now();
  const passkey = factors.find((factor) => factor.kind === 'passkey' && factor.credentialId === answer.id);
  if (passkey?.kind !== 'passkey') return false;
  const checked = await checkPasskey(deps, passkey, answer, at);
  if (!checked) return false;
  return await inAccount(deps.db, user.accountId, (tx) =>
    spendChallenge(tx, user, passkey.id, { ...checked, at }),
  );
}

async function acceptCode(
  deps: FactorDeps,
  user: ProvingUser,
  factors: (Totp | Passkey)[],
  otp: string,
): Promise<boolean> {
  const at = deps.clock.now();
  for (const factor of factors) {
    if (factor.kind !== 'totp') continue;
    const timeStep = await timeStepOf(deps.keyRing.open(totpPurpose, factor.secretSealed), otp, at);
    if (timeStep === undefined) continue;
    return await inAccount(deps.db, user.accountId, (tx) => spendTimeStep(tx, user, factor.id, timeStep, at));
  }
  return false;
}

async function acceptRecoveryCode(
  deps: FactorDeps,
  user: ProvingUser,
  otp: string,
  origin: Origin,
): Promise<boolean> {
  const hash = hashRecoveryCode(otp);
  if (!hash) return false;
  const at = deps.clock.now();
  return await inAccount(deps.db, user.accountId, async (tx) => {
    if (!(await takeRecoveryCode(tx, user, hash))) return false;
    const left = await countRecoveryCodes(tx, user);
    await recordChange(tx, {
      accountId: user.accountId,
      at,
      actor: user,
      origin,
      action: 'recovery-code.use',
      target: { type: 'user', id: user.uuid },
      after: { left },
    });
    await queueFactorMail(tx, deps.queueMail, user, { change: 'recovery-code-used', name: String(left), at });
    return true;
  });
}
