import { addDays, dayInZone, toInstant } from '../../shared/time/zoned-days.ts';

export const lineTypes = ['charge', 'call', 'refund', 'chargeback', 'adjustment'] as const;
export type LineType = (typeof lineTypes)[number];

export const statementParts = ['entries', 'extensions'] as const;
export type StatementPart = (typeof statementParts)[number];

/** State of the screen, stored in the URL so that it can be shared. */
export interface CreditSearch {
  /** Id of the open charge. */
  charge?: number;
  /** Statement filter by entry type. */
  type?: LineType;
  /** Statement filter by month, as `2026-11`. */
  month?: string;
  /** What of the statement is shown; entries by default. */
  part?: 'extensions';
}

export function validateSearch(search: Record<string, unknown>): CreditSearch {
  const charge = Number(search.charge);
  const type = lineTypes.find((each) => each === search.type);
  const month = typeof search.month === 'string' && /^\d{4}-(0[1-9]|1[0-2])$/.test(search.month);
  return {
    ...(Number.isSafeInteger(charge) && charge > 0 && { charge }),
    ...(type && { type }),
    ...(month && { month: String(search.month) }),
    ...(search.part === 'extensions' && { part: search.part }),
  };
}

export type StatementWhere = Record<string, unknown>;

export function toWhere({ type, month }: CreditSearch, timeZone: string): StatementWhere {
  const { since, until } = periodOf(month, timeZone);
  return { ...(type && { type }), ...(since && until && { createdAt: { gte: since, lt: until } }) };
}

export interface Period {
  since?: string;
  until?: string;
}

/** Returns the times of a month; without one, the whole statement. */
export function periodOf(month: string | undefined, timeZone: string): Period {
  if (month === undefined) return {};
  const first = `${month}-01`;
  // The first day plus 31 days is always in the next month.
  const next = `${addDays(first, 31).slice(0, 7)}-01`;
  return {
    since: toInstant(first, timeZone).toISOString(),
    until: toInstant(next, timeZone).toISOString(),
  };
}

const monthCount = 12;

/** Returns the selectable months, current month first. */
export function recentMonths(timeZone: string): string[] {
  const months = [currentMonth(timeZone)];
  while (months.length < monthCount) months.push(addDays(`${months.at(-1)}-01`, -1).slice(0, 7));
  return months;
}

export const currentMonth = (timeZone: string): string => dayInZone(new Date(), timeZone).slice(0, 7);

const microsPerReal = 1_000_000;

/** Sums amounts without the residue of floating-point numbers. */
export const sumReais = (amounts: number[]): number =>
  amounts.reduce((sum, reais) => sum + Math.round(reais * microsPerReal), 0) / microsPerReal;

/** Returns the decimals with which amounts are shown together, so that those shown add up: two unless one needs more. */
export const decimalsOf = (amounts: number[]): 2 | 4 =>
  amounts.every((reais) => Math.round(reais * microsPerReal) % 10_000 === 0) ? 2 : 4;
