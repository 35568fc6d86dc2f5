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
  const isOwed = useRef(false);
  const ask = useCallback(() => {
    if (timer.current !== undefined) return;
    const waitMs = Math.max(firstWaitMs, lastMs.current + everyMs - Date.now());
    timer.current = setTimeout(() => {
      timer.current = undefined;
      isOwed.current = document.hidden;
      if (document.hidden) return;
      lastMs.current = Date.now();
      latest.current();
    }, waitMs);
  }, [everyMs]);
  useEffect(() => {
    const lookAgain = (): void => {
      if (isOwed.current && !document.hidden) ask();
    };
    document.addEventListener('visibilitychange', lookAgain);
    return () => {
      document.removeEventListener('visibilitychange', lookAgain);
      clearTimeout(timer.current);
      timer.current = undefined;
    };
  }, [ask]);
  return ask;
}

/** Events arrive in small bursts; one run covers a burst. */
const firstWaitMs = 300;
