import { useCallback, useEffect, useRef } from 'react';

/**
 * Returns a function that runs `work` soon after it is called, at most once per `everyMs`. In a hidden tab it runs when
 * the tab becomes visible.
 */
export function useThrottled(work: () => void, everyMs: number): () => void {
  const latest = useRef(work);
  latest.current = work;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const lastMs = useRef(0);
  const isPending = useRef(false);
  const schedule = useCallback(() => {
    if (timer.current !== undefined) return;
    const waitMs = Math.max(firstWaitMs, lastMs.current + everyMs - Date.now());
    timer.current = setTimeout(() => {
      timer.current = undefined;
      isPending.current = document.hidden;
      if (document.hidden) return;
      lastMs.current = Date.now();
      latest.current();
    }, waitMs);
  }, [everyMs]);
  useEffect(() => {
    const onVisible = (): void => {
      if (isPending.current && !document.hidden) schedule();
    };
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      document.removeEventListener('visibilitychange', onVisible);
      clearTimeout(timer.current);
      timer.current = undefined;
    };
  }, [schedule]);
  return schedule;
}

/** Events arrive in small bursts; one run covers a burst. */
const firstWaitMs = 300;
