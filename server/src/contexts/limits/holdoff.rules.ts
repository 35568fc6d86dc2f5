/** How long the next attempt is held off after so many failures in a row: 5 are free, then 1 s, doubling to 15 min. */
const freeFailures = 5;
const longestMs = 15 * 60 * 1000;

export function holdoffMs(failures: number): number {
  if (failures < freeFailures) return 0;
  return Math.min(1000 * 2 ** (failures - freeFailures), longestMs);
}

/** Failures are forgotten once no attempt was made for this long, so that a hold-off is never permanent. */
export const forgetAfterMs = 24 * 3600 * 1000;

export interface Attempts {
  failures: number;
  heldUntilMs: number;
}

export type Verdict = { allowed: true; next: Attempts } | { allowed: false; waitMs: number };

/**
 * An attempt is counted as a failure before it is made and forgiven when it succeeds. So a thousand attempts sent at
 * the same moment are a thousand failures in a row, not a thousand first tries.
 */
export function judgeAttempt(attempts: Attempts, nowMs: number): Verdict {
  if (attempts.heldUntilMs > nowMs) return { allowed: false, waitMs: attempts.heldUntilMs - nowMs };
  const failures = attempts.failures + 1;
  return { allowed: true, next: { failures, heldUntilMs: nowMs + holdoffMs(failures) } };
}
