import { Refusal } from '../../platform/errors.ts';
import type { LoginHoldoff } from '../limits/index.ts';

/** The name under which failed logins of a user are counted, with the current address or a former one. */
export const guessedAtLogin = (uuid: string): string => `login/${uuid}`;

/** Refuses after too many failed attempts; the attempt counts as failed until it is forgiven. */
export async function holdOffGuessers(holdoff: LoginHoldoff, guessed: string, free?: number): Promise<void> {
  const waitMs = await holdoff.attempt(guessed, free);
  if (waitMs <= 0) return;
  throw new Refusal('RATE_LIMITED', 'Too many failed attempts. Please wait before trying again.', {
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });
}
