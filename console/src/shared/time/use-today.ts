import { useEffect, useState } from 'react';
import { useSession } from '../../api/session.ts';
import { dayInZone } from './zoned-days.ts';

/** Polling interval; a single timer until midnight would be late after the machine has slept. */
const pollMs = 20_000;

/** Returns today's date in the account's time zone, and re-renders at midnight. */
export function useToday(): string {
  const { timezone } = useSession().account;
  const [today, setToday] = useState(() => dayInZone(new Date(), timezone));
  useEffect(() => {
    const update = (): void => setToday(dayInZone(new Date(), timezone));
    update();
    const timer = setInterval(update, pollMs);
    return () => clearInterval(timer);
  }, [timezone]);
  return today;
}
