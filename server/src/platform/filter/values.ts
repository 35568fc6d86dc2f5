import { startOfDay } from '../time.ts';
import type { Scalar } from './condition.ts';
import type { Field } from './list.ts';
import { unknownName } from './nearest-name.ts';

/** A valid value, or what is wrong with it. */
export type Checked<T> = { value: T } | { problem: string };

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const datePattern = /^\d{4}-\d{2}-\d{2}$/;
const instantPattern = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;

/** Numbers may be given as strings, as clients send ids; no other value is converted. */
export function checkValue(field: Field, value: unknown): Checked<Scalar> {
  switch (field.type) {
    case 'text':
      return checkText(value);
    case 'number': {
      const number = numberFrom(value);
      return Number.isFinite(number) ? { value: number as number } : { problem: 'must be a number' };
    }
    case 'integer': {
      const number = numberFrom(value);
      return Number.isSafeInteger(number)
        ? { value: number as number }
        : { problem: 'must be a whole number' };
    }
    case 'boolean':
      return typeof value === 'boolean' ? { value } : { problem: 'must be true or false' };
    case 'timestamp':
      return checkInstant(value);
    case 'uuid':
      return typeof value === 'string' && uuidPattern.test(value)
        ? { value: value.toLowerCase() }
        : { problem: 'must be a UUID' };
    case 'enum':
      return checkEnum(field.values ?? [], value);
    case 'json':
      return checkJsonScalar(value);
  }
}

const numberFrom = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d{1,15}(\.\d{1,10})?$/.test(value) ? Number(value) : value;

export function checkText(value: unknown): Checked<string> {
  if (typeof value !== 'string') return { problem: 'must be a string' };
  return isStorable(value) ? { value } : { problem: 'must not contain NUL or unpaired surrogates' };
}

/** PostgreSQL rejects NUL and unpaired surrogates. */
export const isStorable = (text: string) => text.isWellFormed() && !text.includes('\u0000');

function checkJsonScalar(value: unknown): Checked<Scalar> {
  if (typeof value === 'boolean') return { value };
  if (typeof value === 'number' && Number.isFinite(value)) return { value };
  const checked = checkText(value);
  return 'value' in checked ? checked : { problem: 'must be a string, a number, true or false' };
}

function checkEnum(values: readonly string[], value: unknown): Checked<string> {
  if (typeof value !== 'string') return { problem: `must be one of ${values.join(', ')}` };
  return values.includes(value)
    ? { value }
    : { problem: `is refused: ${unknownName('value', value, values)}` };
}

/** A date and time with zone, normalized to `YYYY-MM-DDTHH:MM:SS.sssZ`. */
function checkInstant(value: unknown): Checked<string> {
  const problem = 'must be an ISO 8601 date and time with a zone, such as 2026-03-01T12:00:00Z, or a date';
  const match = typeof value === 'string' ? instantPattern.exec(value) : null;
  if (match === null || dayStart(match[1]) === undefined) return { problem };
  const ms = Date.parse(value as string);
  const year = new Date(ms).getUTCFullYear();
  return year >= 1 && year <= 9999 ? { value: new Date(ms).toISOString() } : { problem };
}

/** A day as two moments: its start and the start of the next day. */
export interface Day {
  start: string;
  next: string;
}

/** A bare date stands for its whole day in a time zone. */
export function checkDay(value: unknown, timeZone: string): Day | undefined {
  if (typeof value !== 'string' || !datePattern.test(value)) return undefined;
  const midnightMs = dayStart(value);
  if (midnightMs === undefined) return undefined;
  const nextDay = new Date(midnightMs + 86_400_000).toISOString().slice(0, 10);
  const [start, next] = [startIn(value, timeZone), startIn(nextDay, timeZone)];
  if (![start, next].every(isStorableMoment)) return undefined;
  return { start: start.toISOString(), next: next.toISOString() };
}

/** The years before 1001 have no time zones; Intl cannot format them. */
const startIn = (day: string, timeZone: string): Date =>
  timeZone === 'UTC' || day < '1001' ? new Date(`${day}T00:00:00.000Z`) : startOfDay(day, timeZone);

const isStorableMoment = (at: Date): boolean => at.getUTCFullYear() >= 1 && at.getUTCFullYear() <= 9999;

function dayStart(date: string | undefined): number | undefined {
  const ms = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(ms) || date?.startsWith('0000')) return undefined;
  return new Date(ms).toISOString().startsWith(`${date}T`) ? ms : undefined;
}
