import type { Caller } from '../../../platform/caller.ts';
import { inAccount, type Tx } from '../../../platform/db/database.ts';
import { invalid, notFound, Refusal } from '../../../platform/errors.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { secondsAfter } from '../../../platform/time.ts';
import { recordChangeBy } from '../../audit/index.ts';
import { lockUser } from '../access.store.ts';
import { countFactors, findFactors, insertPasskey, insertTotp } from './factor.store.ts';
import { queueFactorMail } from './factor-mail.ts';
import { askForNewPasskey, checkNewPasskey, type PasskeyRegistration } from './passkeys.ts';
import type { FactorDeps } from './prove-factor.ts';
import { insertRecoveryCodes } from './recovery-code.store.ts';
import { newRecoveryCodes } from './recovery-code.ts';
import { newTotpSecret, timeStepOf, totpPurpose, totpUri } from './totp.ts';

const maxFactors = 10;
const setUpSeconds = 900;
const setUpPurpose = 'totp-set-up';

/** Returns a new secret for an app. It is stored once a code of the app has shown that the app has it. */
export function startTotp(deps: FactorDeps, caller: Caller) {
  const secret = newTotpSecret();
  const expiresAt = secondsAfter(deps.clock.now(), setUpSeconds).getTime();
  const setUp = deps.keyRing.seal(setUpPurpose, JSON.stringify({ secret, user: caller.uuid, expiresAt }));
  return { secret, uri: totpUri(secret, caller.email), setUp };
}

/** Adds an app. Returns recovery codes with the first factor. */
export async function addTotp(
  deps: FactorDeps,
  caller: Caller,
  { name, setUp, code }: { name: string; setUp: string; code: string },
): Promise<string[]> {
  const at = deps.clock.now();
  const secret = readSetUp(deps, caller, setUp, at);
  const timeStep = await timeStepOf(secret, code, at);
  if (timeStep === undefined)
    throw invalid({
      path: 'code',
      code: 'wrong_code',
      message: '`code` is wrong. Check the clock of the device.',
    });
  const secretSealed = deps.keyRing.seal(totpPurpose, secret);
  return await add(deps, caller, { kind: 'totp', name, at }, async (tx, id) => {
    await insertTotp(tx, caller, { id, name, at }, { secretSealed, timeStep });
  });
}

export async function startPasskey(deps: FactorDeps, caller: Caller) {
  const factors = await inAccount(deps.db, caller.accountId, (tx) => findFactors(tx, caller));
  const passkeys = factors.filter((factor) => factor.kind === 'passkey');
  return await askForNewPasskey(deps, caller, passkeys, deps.clock.now());
}

/** Adds a passkey. Returns recovery codes with the first factor. */
export async function addPasskey(
  deps: FactorDeps,
  caller: Caller,
  { name, registration }: { name: string; registration: PasskeyRegistration },
): Promise<string[]> {
  const at = deps.clock.now();
  const passkey = await checkNewPasskey(deps, caller.uuid, registration, at);
  if (!passkey) throw wrongRegistration();
  return await add(deps, caller, { kind: 'passkey', name, at }, async (tx, id) => {
    if (!(await insertPasskey(tx, caller, { id, name, at }, passkey))) throw wrongRegistration();
  });
}

async function add(
  deps: FactorDeps,
  caller: Caller,
  { kind, name, at }: { kind: 'totp' | 'passkey'; name: string; at: Date },
  insert: (tx: Tx, id: string) => Promise<void>,
): Promise<string[]> {
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    // Concurrent requests count factors one after the other.
    await lockUser(tx, caller.accountId, caller.userId);
    const before = await countFactors(tx, caller);
    if (before >= maxFactors)
      throw new Refusal('FACTOR_LIMIT', `A user has at most ${maxFactors} second factors. Remove one first.`);
    const id = uuidv7(at);
    await insert(tx, id);
    await recordChangeBy(tx, caller, {
      at,
      action: 'factor.add',
      target: { type: 'factor', id },
      after: { kind, name },
    });
    await queueFactorMail(tx, deps.queueMail, caller, { change: 'added', name, at });
    if (before > 0) return [];
    const codes = newRecoveryCodes();
    await insertRecoveryCodes(
      tx,
      caller,
      codes.map(({ hash }) => hash),
    );
    return codes.map(({ code }) => code);
  });
}

function readSetUp({ keyRing }: FactorDeps, caller: Caller, sealed: string, at: Date): string {
  try {
    const setUp = JSON.parse(keyRing.open(setUpPurpose, sealed)) as {
      secret: string;
      user: string;
      expiresAt: number;
    };
    if (setUp.user === caller.uuid && setUp.expiresAt > at.getTime()) return setUp.secret;
  } catch {
    // Not sealed by this service.
  }
  throw notFound();
}

const wrongRegistration = () =>
  invalid({
    path: 'registration',
    code: 'invalid_registration',
    message: 'The passkey was not accepted: its challenge is older than 5 minutes, or it was added before.',
  });
