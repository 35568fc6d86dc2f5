/** Hold-off after consecutive failures: none for the first ones, then 1 s, doubling up to 15 min. */
export const freeFailures = 5;
/** For an address from which the user has logged in before: a user who mistypes must not wait. */
export const freeFailuresOfKnownAddress = 20;
const longestMs = 15 * 60 * 1000;

export function holdoffMs(failures: number, free = freeFailures): number {
  if (failures < free) return 0;
  return Math.min(1000 * 2 ** (failures - free), longestMs);
}

/** Failures expire this long after the last attempt, so that a hold-off is never permanent. */
export const forgetAfterMs = 24 * 3600 * 1000;

export interface Attempts {
  failures: number;
  heldUntilMs: number;
}

export type HoldoffDecision = { allowed: true; next: Attempts } | { allowed: false; waitMs: number };

/**
 * Counts an attempt as a failure before it is made; success clears the count. This way a thousand concurrent attempts
 * count as a thousand consecutive failures.
 */
export function decideAttempt(attempts: Attempts, nowMs: number, free = freeFailures): HoldoffDecision {
  if (attempts.heldUntilMs > nowMs) return { allowed: false, waitMs: attempts.heldUntilMs - nowMs };
  const failures = attempts.failures + 1;
  return { allowed: true, next: { failures, heldUntilMs: nowMs + holdoffMs(failures, free) } };
}
