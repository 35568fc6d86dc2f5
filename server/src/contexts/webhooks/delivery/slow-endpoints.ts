import type { SendResult } from '../ports.ts';

/** Remembers which endpoints responded slowly, to keep their requests apart from those of other endpoints. */
export interface SlowEndpoints {
  /** Judges an endpoint by the last request to it, in either lane. */
  note(integrationId: number, result: Pick<SendResult, 'durationMs' | 'outcome'>): void;
  list(): number[];
}

/** Requests of this duration would fill the slots of first attempts at a rate that fast endpoints never reach. */
const slowMs = 1_000;
/** An endpoint that was not called again for this long is presumed fast. */
const forgetMs = 60_000;
const maxEndpoints = 2_000;

export function createSlowEndpoints(now: () => number = () => performance.now()): SlowEndpoints {
  const slow = new Map<number, number>();
  return {
    note(integrationId, { durationMs, outcome }) {
      // A fast failure, or a request that was not sent, says nothing about how long a success takes.
      if (durationMs < slowMs && outcome !== 'delivered') return;
      slow.delete(integrationId);
      if (durationMs >= slowMs && slow.size < maxEndpoints) slow.set(integrationId, now());
    },
    list() {
      const before = now() - forgetMs;
      for (const [integrationId, notedMs] of slow) {
        if (notedMs > before) break;
        slow.delete(integrationId);
      }
      return [...slow.keys()];
    },
  };
}
