import { instantOf, startOfDay } from '../../time.ts';
import type { Checked } from '../faults.ts';

const datePattern = /^\d{4}-\d{2}-\d{2}$/;
const localPattern = /^(\d{4}-\d{2}-\d{2}) (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;
const instantPattern = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;

/** A date and time with zone, normalized to `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export function checkInstant(value: unknown): Checked<string> {
  const problem =
    'must be an ISO 8601 date and time with a zone, such as 2026-03-01T12:00:00Z, a date, or YYYY-MM-DD HH:MM:SS';
  const match = typeof value === 'string' ? instantPattern.exec(value) : null;
  if (match === null || midnightMs(match[1]) === undefined) return { problem };
  const at = new Date(value as string);
  return isStorableMoment(at) ? { value: at.toISOString() } : { problem };
}

/** A period as two moments: its start and the start of the next one. */
export interface Period {
  start: string;
  next: string;
}

/**
 * Reads a time without zone in a time zone: a bare date is its whole day, and `YYYY-MM-DD HH:MM:SS`, the format of the
 * webhooks, its whole second, because webhooks omit the milliseconds.
 */
export function localPeriod(value: unknown, timeZone: string): Period | undefined {
  if (typeof value !== 'string') return undefined;
  const moments = datePattern.test(value) ? dayOf(value, timeZone) : secondOf(value, timeZone);
  if (!moments?.every(isStorableMoment)) return undefined;
  const [start, next] = moments;
  return { start: start.toISOString(), next: next.toISOString() };
}

function dayOf(date: string, timeZone: string): [Date, Date] | undefined {
  const ms = midnightMs(date);
  if (ms === undefined) return undefined;
  const nextDate = new Date(ms + 86_400_000).toISOString().slice(0, 10);
  const startIn = (day: string) =>
    isZoned(day, timeZone) ? startOfDay(day, timeZone) : new Date(`${day}T00:00:00.000Z`);
  return [startIn(date), startIn(nextDate)];
}

function secondOf(text: string, timeZone: string): [Date, Date] | undefined {
  const date = localPattern.exec(text)?.[1];
  if (midnightMs(date) === undefined) return undefined;
  const start = isZoned(text, timeZone) ? instantOf(text, timeZone) : new Date(`${text.replace(' ', 'T')}Z`);
  return [start, new Date(start.getTime() + 1_000)];
}

/** The years before 1001 have no time zones; Intl cannot format them. */
const isZoned = (text: string, timeZone: string): boolean => timeZone !== 'UTC' && text >= '1001';

const isStorableMoment = (at: Date): boolean => at.getUTCFullYear() >= 1 && at.getUTCFullYear() <= 9999;

function midnightMs(date: string | undefined): number | undefined {
  const ms = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(ms) || date?.startsWith('0000')) return undefined;
  return new Date(ms).toISOString().startsWith(`${date}T`) ? ms : undefined;
}
