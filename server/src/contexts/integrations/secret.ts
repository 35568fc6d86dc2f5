import { randomBytes } from 'node:crypto';
import type { KeyRing } from '../../platform/keyring.ts';

export const purpose = 'webhook-secret';

/** Returns a new sealed secret in the format of Standard Webhooks. */
export const newSecretSealed = (keyRing: KeyRing): string =>
  keyRing.seal(purpose, `whsec_${randomBytes(32).toString('base64')}`);

export const openSecret = (keyRing: KeyRing, sealed: string): string => keyRing.open(purpose, sealed);

/** Cache of opened secrets by sealed text, which is unique for every sealing. */
const opened = new Map<string, string>();
const maxOpened = 10_000;

function openOnce(keyRing: KeyRing, sealed: string): string {
  const cached = opened.get(sealed);
  if (cached !== undefined) return cached;
  const secret = openSecret(keyRing, sealed);
  if (opened.size >= maxOpened) opened.clear();
  opened.set(sealed, secret);
  return secret;
}

export interface SealedSecrets {
  secretSealed: string;
  previousSecretSealed: string | null;
  previousSecretUntil: Date | null;
}

/** Returns the secrets to sign with: the current one, then the previous one during the overlap. */
export function openSecrets(keyRing: KeyRing, sealed: SealedSecrets, at: Date): string[] {
  const { secretSealed, previousSecretSealed, previousSecretUntil } = sealed;
  const isOverlapping = previousSecretUntil !== null && previousSecretUntil > at;
  const counting =
    isOverlapping && previousSecretSealed !== null ? [secretSealed, previousSecretSealed] : [secretSealed];
  return counting.map((each) => openOnce(keyRing, each));
}
