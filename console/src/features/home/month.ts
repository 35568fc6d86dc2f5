import { addDays, dayOf, momentOf } from '../../shared/time/zoned-days.ts';

export const daysShown = 30;

/** When the last thirty days of the account's calendar began, today among them. */
export const monthSince = (timeZone: string): string =>
  momentOf(addDays(dayOf(new Date(), timeZone), 1 - daysShown), timeZone).toISOString();
