import { useEffect, useState } from 'react';

const tickMs = 1_000;

/** Returns the seconds until a time in milliseconds, updated every second; 0 when it has passed. */
export function useSecondsUntil(untilMs: number): number {
  const [nowMs, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((untilMs - nowMs) / 1_000));
}
