const minute = 60;
const hour = 3600;

/** How long after each failed attempt the next one comes. */
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
/** Each is up to a fifth later, so that those who failed together do not come back together. */
const jitter = 0.2;

/** Seconds to the next attempt after this many; undefined when it was the last. `chance` is between 0 and 1. */
export function secondsToNext(attempts: number, chance: number): number | undefined {
  const delay = delaySeconds[attempts - 1];
  return delay === undefined ? undefined : delay * (1 + jitter * chance);
}

/** An endpoint from which nothing but failures came for so long is given up. */
export const patienceSeconds = 5 * 24 * hour;
