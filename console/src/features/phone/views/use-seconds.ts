import { useEffect, useState } from 'react';

/** Seconds since this moment, as they pass; 0 before it has come. */
export function useSeconds(sinceMs: number | undefined): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    if (sinceMs === undefined) return;
    const timer = setInterval(() => setNowMs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [sinceMs]);
  return sinceMs === undefined ? 0 : Math.max(0, Math.round((nowMs - sinceMs) / 1_000));
}
