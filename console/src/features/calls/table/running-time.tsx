import { useEffect, useState } from 'react';
import { useFormats } from '../../../shared/format/formats.ts';

/** Duration of an active call, updated every second. */
export function RunningTime({ since }: { since: string }) {
  const formats = useFormats();
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <span>{formats.duration((nowMs - Date.parse(since)) / 1000)}</span>;
}
