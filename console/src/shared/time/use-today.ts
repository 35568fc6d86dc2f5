import { useEffect, useState } from 'react';
import { useSession } from '../../api/session.ts';
import { dayOf } from './zoned-days.ts';

/** A timer of hours would be wrong after a machine has slept. */
const lookEveryMs = 20_000;

/** The day it is in the account's time zone, and the next one as soon as that begins. */
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
