import type { Scalar } from '../condition.ts';
import type { Checked } from '../faults.ts';
import type { Field } from '../list.ts';
import { unknownName } from '../nearest-name.ts';
import { checkInstant } from './times.ts';

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Converts a value to the type of its field where nothing is lost: query strings have only texts, and clients send ids
 * as texts and extensions as numbers. Metadata has no declared types, so its values are not converted.
 */
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
      return checkBoolean(value);
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
    case 'tags': {
      const checked = checkText(value);
      return 'value' in checked ? { value: checked.value.toLowerCase() } : checked;
    }
  }
}

export const numberFrom = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d{1,15}(\.\d{1,10})?$/.test(value) ? Number(value) : value;

export function checkBoolean(value: unknown): Checked<boolean> {
  if (value === true || value === 'true') return { value: true };
  if (value === false || value === 'false') return { value: false };
  return { problem: 'must be true or false' };
}

export function checkText(value: unknown): Checked<string> {
  const text = typeof value === 'number' && isExact(value) ? String(value) : value;
  if (typeof text !== 'string') return { problem: 'must be a string' };
  return isStorable(text) ? { value: text } : { problem: 'must not contain NUL or unpaired surrogates' };
}

/** Digits of larger numbers are lost when JSON is parsed. */
const isExact = (value: number): boolean => Math.abs(value) <= Number.MAX_SAFE_INTEGER;

/** PostgreSQL rejects NUL and unpaired surrogates. */
export const isStorable = (text: string) => text.isWellFormed() && !text.includes('\u0000');

function checkJsonScalar(value: unknown): Checked<Scalar> {
  if (typeof value === 'boolean') return { value };
  if (typeof value === 'number') {
    return Number.isFinite(value) ? { value } : { problem: 'must be a finite number' };
  }
  const checked = checkText(value);
  return 'value' in checked ? checked : { problem: 'must be a string, a number, true or false' };
}

function checkEnum(values: readonly string[], value: unknown): Checked<string> {
  if (typeof value !== 'string') return { problem: `must be one of ${values.join(', ')}` };
  return values.includes(value)
    ? { value }
    : { problem: `is refused: ${unknownName('value', value, values)}` };
}
