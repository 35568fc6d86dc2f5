import { addDays, dayInZone, toInstant } from '../../shared/time/zoned-days.ts';

export const daysShown = 30;

/** Returns the start of the last 30 days in the account's time zone, including today. */
export const monthSince = (timeZone: string): string =>
  toInstant(addDays(dayInZone(new Date(), timeZone), 1 - daysShown), timeZone).toISOString();
