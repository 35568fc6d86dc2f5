import type { Clock } from '../../src/platform/time.ts';

/** Real time, moved by as much as a test asks. */
export interface MovableClock extends Clock {
  advance(seconds: number): void;
}

export function createClock(): MovableClock {
  let aheadMs = 0;
  return {
    now: () => new Date(Date.now() + aheadMs),
    advance(seconds) {
      aheadMs += seconds * 1000;
    },
  };
}
