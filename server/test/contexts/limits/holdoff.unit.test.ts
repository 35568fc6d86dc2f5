import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Attempts, decideAttempt, holdoffMs } from '../../../src/contexts/limits/holdoff.rules.ts';

const fresh: Attempts = { failures: 0, heldUntilMs: 0 };
const quarterHourMs = 900_000;

describe('hold-off after failures', () => {
  test('AUTH-10 is 0 after four failures, 1 s after five, then doubles up to 15 minutes', () => {
    const waits = Array.from({ length: 20 }, (_, failures) => holdoffMs(failures) / 1000);
    expect(waits).toEqual([0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900, 900]);
    expect(holdoffMs(1_000_000)).toBe(quarterHourMs);
  });
});

describe('checking an attempt', () => {
  test('AUTH-10 accepts five at one moment and returns the wait to the sixth', () => {
    const { attempts, allowed } = attempt(fresh, Array<number>(5).fill(1_000));
    expect(allowed).toBe(5);
    expect(decideAttempt(attempts, 1_000)).toEqual({ allowed: false, waitMs: 1_000 });
    expect(decideAttempt(attempts, 1_999)).toEqual({ allowed: false, waitMs: 1 });
    expect(decideAttempt(attempts, 2_000)).toMatchObject({ allowed: true });
  });

  test('AUTH-10 attempts during the hold-off do not prolong it', () => {
    const { attempts } = attempt(fresh, Array<number>(5).fill(0));
    const { attempts: same } = attempt(attempts, [1, 10, 100, 999]);
    expect(same).toEqual(attempts);
  });

  test('AUTH-10 allows about a hundred guesses per day to a continuous attacker', () => {
    const everySecond = Array.from({ length: 24 * 3600 }, (_, second) => second * 1000);
    expect(attempt(fresh, everySecond).allowed).toBeLessThanOrEqual(112);
  });

  test('AUTH-10 never exceeds 15 minutes, whatever the history', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2_000_000), { maxLength: 60 }), (pauses) => {
        let nowMs = 0;
        const times = pauses.map((pause) => (nowMs += pause));
        const decision = decideAttempt(attempt(fresh, times).attempts, nowMs);
        expect(decision.allowed || decision.waitMs <= quarterHourMs).toBe(true);
        expect(decideAttempt(attempt(fresh, times).attempts, nowMs + quarterHourMs).allowed).toBe(true);
      }),
    );
  });
});

function attempt(before: Attempts, timesMs: number[]): { attempts: Attempts; allowed: number } {
  let [attempts, allowed] = [before, 0];
  for (const timeMs of timesMs) {
    const decision = decideAttempt(attempts, timeMs);
    if (!decision.allowed) continue;
    allowed += 1;
    attempts = decision.next;
  }
  return { attempts, allowed };
}
