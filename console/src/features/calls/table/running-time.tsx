import { useEffect, useState } from 'react';
import { useFormats } from '../../../shared/format/formats.ts';

/** Counts the seconds of a call that goes on. */
export function RunningTime({ since }: { since: string }) {
  const formats = useFormats();
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <span>{formats.duration((nowMs - Date.parse(since)) / 1000)}</span>;
}
