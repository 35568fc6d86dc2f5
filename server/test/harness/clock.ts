import type { Clock } from '../../src/platform/time.ts';

/** Real time plus an offset that a test can change. */
export interface MovableClock extends Clock {
  advance(seconds: number): void;
  /** Stops the clock: from now on only `advance` moves it, so that a slow machine changes nothing. */
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
