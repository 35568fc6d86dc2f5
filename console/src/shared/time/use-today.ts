import { useEffect, useState } from 'react';
import { useSession } from '../../api/session.ts';
import { dayOf } from './zoned-days.ts';

/** Polling interval; a single timer until midnight would be late after the machine has slept. */
const lookEveryMs = 20_000;

/** Returns today's date in the account's time zone, and re-renders at midnight. */
export function useToday(): string {
  const { timezone } = useSession().account;
  const [today, setToday] = useState(() => dayOf(new Date(), timezone));
  useEffect(() => {
    const look = (): void => setToday(dayOf(new Date(), timezone));
    look();
    const timer = setInterval(look, lookEveryMs);
    return () => clearInterval(timer);
  }, [timezone]);
  return today;
}
