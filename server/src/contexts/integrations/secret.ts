import { randomBytes } from 'node:crypto';
import type { KeyRing } from '../../platform/keyring.ts';

const purpose = 'webhook-secret';

/** A fresh secret of the form of Standard Webhooks, sealed. */
export const newSecretSealed = (keyRing: KeyRing): string =>
  keyRing.seal(purpose, `whsec_${randomBytes(32).toString('base64')}`);

export const openSecret = (keyRing: KeyRing, sealed: string): string => keyRing.open(purpose, sealed);

/** Opened once rather than for every request. What is sealed is never sealed the same way again. */
const opened = new Map<string, string>();
const mostOpened = 10_000;

function openOnce(keyRing: KeyRing, sealed: string): string {
  const known = opened.get(sealed);
  if (known !== undefined) return known;
  const secret = openSecret(keyRing, sealed);
  if (opened.size >= mostOpened) opened.clear();
  opened.set(sealed, secret);
  return secret;
}

export interface SealedSecrets {
  secretSealed: string;
  previousSecretSealed: string | null;
  previousSecretUntil: Date | null;
}

/** The secrets to sign with at a moment: the current one, then the one before while it still counts. */
export function openSecrets(keyRing: KeyRing, sealed: SealedSecrets, at: Date): string[] {
  const { secretSealed, previousSecretSealed, previousSecretUntil } = sealed;
  const isOverlapping = previousSecretUntil !== null && previousSecretUntil > at;
  const counting =
    isOverlapping && previousSecretSealed !== null ? [secretSealed, previousSecretSealed] : [secretSealed];
  return counting.map((each) => openOnce(keyRing, each));
}
