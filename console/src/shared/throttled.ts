import { useCallback, useEffect, useRef } from 'react';

/** Runs soon after it was asked to, and at most once in so many milliseconds, however often it is asked. */
export function useThrottled(work: () => void, everyMs: number): () => void {
  const latest = useRef(work);
  latest.current = work;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const lastMs = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    if (timer.current !== undefined) return;
    const waitMs = Math.max(firstWaitMs, lastMs.current + everyMs - Date.now());
    timer.current = setTimeout(() => {
      timer.current = undefined;
      lastMs.current = Date.now();
      latest.current();
    }, waitMs);
  }, [everyMs]);
}

/** Events come in small groups; the first of a group does not ask alone. */
const firstWaitMs = 300;
