import { onTestFinished, vi } from 'vitest';
import type { Clock } from '../../src/platform/time.ts';

/** Real time plus an offset that a test can change. */
export interface MovableClock extends Clock {
  advance(seconds: number): void;
  /** Stops the clock. From then on only `advance` moves it, so that the speed of the machine does not matter. */
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

/**
 * Stops the time of this process until the test has finished, also for operator commands and the shared platform, so that
 * no day ends during a test of what is counted per day. Timers go on.
 */
export function stopTime(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  onTestFinished(() => {
    vi.useRealTimers();
  });
}
