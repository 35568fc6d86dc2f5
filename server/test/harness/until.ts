import { setTimeout as sleep } from 'node:timers/promises';

/** Pauses grow, because long waits would otherwise take CPU time from what they wait for. */
const firstPauseMs = 20;
const maxPauseMs = 50;

/**
 * Polls until the value is truthy. Tests assert that it happens, not how fast: the limit only ends hanging tests, also
 * while a look hangs.
 */
export async function until<T>(
  look: () => T | Promise<T>,
  what: string,
  seconds = 120,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + seconds * 1000;
  const ended = new AbortController();
  let pauseMs = firstPauseMs;
  const fail = (): never => {
    throw new Error(`Timed out after ${seconds} s waiting until ${what}.`);
  };
  const tooLate = sleep(seconds * 1000, undefined, { signal: ended.signal }).then(fail);
  tooLate.catch(() => undefined);
  try {
    for (;;) {
      const seen = await Promise.race([look(), tooLate]);
      if (seen) return seen;
      if (Date.now() > deadline) fail();
      await sleep(pauseMs);
      pauseMs = Math.min(pauseMs * 1.2, maxPauseMs);
    }
  } finally {
    ended.abort();
  }
}
