const minute = 60;
const hour = 3600;

/** Delays after each failed attempt. */
const delaySeconds = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];
/** Up to 20 % is added to each delay, to spread the retries of simultaneous failures. */
const jitter = 0.2;

/** Returns the seconds until the next attempt; undefined after the last. `chance` is between 0 and 1. */
export function secondsToNext(attempts: number, chance: number): number | undefined {
  const delay = delaySeconds[attempts - 1];
  return delay === undefined ? undefined : delay * (1 + jitter * chance);
}

/** An endpoint is disabled after failing for this long. */
export const disableAfterSeconds = 5 * 24 * hour;
