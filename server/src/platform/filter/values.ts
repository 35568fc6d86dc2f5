import type { Scalar } from './condition.ts';
import type { Field } from './list.ts';
import { unknownName } from './nearest-name.ts';

/** A valid value, or what is wrong with it. */
export type Checked<T> = { value: T } | { problem: string };

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const datePattern = /^\d{4}-\d{2}-\d{2}$/;
const instantPattern = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;

/** Values are checked, never converted: a number given for a text field is an error. */
export function checkValue(field: Field, value: unknown): Checked<Scalar> {
  switch (field.type) {
    case 'text':
      return checkText(value);
    case 'number':
      return typeof value === 'number' && Number.isFinite(value)
        ? { value }
        : { problem: 'must be a number' };
    case 'integer':
      return Number.isSafeInteger(value) ? { value: value as number } : { problem: 'must be a whole number' };
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

/** A bare date stands for its whole day in UTC: from its start to the start of the next day. */
export function checkDay(value: unknown): { start: string; next: string } | undefined {
  if (typeof value !== 'string' || !datePattern.test(value)) return undefined;
  const startMs = dayStart(value);
  if (startMs === undefined) return undefined;
  const next = new Date(startMs + 86_400_000);
  if (next.getUTCFullYear() > 9999) return undefined;
  return { start: new Date(startMs).toISOString(), next: next.toISOString() };
}

function dayStart(date: string | undefined): number | undefined {
  const ms = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(ms) || date?.startsWith('0000')) return undefined;
  return new Date(ms).toISOString().startsWith(`${date}T`) ? ms : undefined;
}
