import { useEffect, useState } from 'react';

/** Returns the seconds elapsed since a time, updated every second; 0 if it is in the future. */
export function useSeconds(sinceMs: number | undefined): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    if (sinceMs === undefined) return;
    const timer = setInterval(() => setNowMs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [sinceMs]);
  return sinceMs === undefined ? 0 : Math.max(0, Math.round((nowMs - sinceMs) / 1_000));
}
