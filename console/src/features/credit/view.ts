import { addDays, dayInZone, toInstant } from '../../shared/time/zoned-days.ts';

export const lineTypes = ['charge', 'call', 'refund', 'chargeback', 'adjustment'] as const;
export type LineType = (typeof lineTypes)[number];

/** State of the screen, stored in the URL so that it can be shared. */
export interface CreditSearch {
  /** Id of the open charge. */
  charge?: number;
  /** Statement filter by entry type. */
  type?: LineType;
  /** Statement filter by month, as `2026-11`. */
  month?: string;
}

export function validateSearch(search: Record<string, unknown>): CreditSearch {
  const charge = Number(search.charge);
  const type = lineTypes.find((each) => each === search.type);
  const month = typeof search.month === 'string' && /^\d{4}-(0[1-9]|1[0-2])$/.test(search.month);
  return {
    ...(Number.isSafeInteger(charge) && charge > 0 && { charge }),
    ...(type && { type }),
    ...(month && { month: String(search.month) }),
  };
}

export type StatementWhere = Record<string, unknown>;

export function toWhere({ type, month }: CreditSearch, timeZone: string): StatementWhere {
  if (month === undefined) return type ? { type } : {};
  const first = `${month}-01`;
  // The first day plus 31 days is always in the next month.
  const next = `${addDays(first, 31).slice(0, 7)}-01`;
  const [since, until] = [first, next].map((day) => toInstant(day, timeZone).toISOString());
  return { ...(type && { type }), createdAt: { gte: since, lt: until } };
}

const monthCount = 12;

/** Returns the selectable months, current month first. */
export function recentMonths(timeZone: string): string[] {
  const months = [dayInZone(new Date(), timeZone).slice(0, 7)];
  while (months.length < monthCount) months.push(addDays(`${months.at(-1)}-01`, -1).slice(0, 7));
  return months;
}
