import type { Clock } from '../../src/platform/time.ts';

/** Real time, moved by as much as a test asks. */
export interface MovableClock extends Clock {
  advance(seconds: number): void;
  /** From here on time passes by `advance` only, so that a slow machine changes nothing. */
  freeze(): void;
}

export function createClock(): MovableClock {
  let aheadMs = 0;
  let frozenAtMs: number | undefined;
  return {
    now: () => new Date((frozenAtMs ?? Date.now()) + aheadMs),
    advance(seconds) {
      aheadMs += seconds * 1000;
    },
    freeze() {
      frozenAtMs ??= Date.now();
    },
  };
}
