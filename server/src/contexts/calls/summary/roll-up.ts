import { type Clock, secondsAfter } from '../../../platform/time.ts';

/** Calls are written within seconds of the time in their id; an hour is a margin for clock skew. */
const graceSeconds = 3_600;
const maxDaysPerRun = 1_000;

/** Calls `rollUpNext`, which rolls up at most one day, until it returns false because no complete unit is left. */
export async function rollUp(
  { clock }: { clock: Clock },
  signal: AbortSignal,
  rollUpNext: (before: Date) => Promise<boolean>,
): Promise<void> {
  const before = secondsAfter(clock.now(), -graceSeconds);
  for (let days = 0; days < maxDaysPerRun && !signal.aborted; days += 1) {
    if (!(await rollUpNext(before))) return;
  }
}
