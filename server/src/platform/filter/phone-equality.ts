import { searchedDigits, spellingsOf } from '../phone.ts';
import type { Condition, Target } from './condition.ts';

/** Widens an equality of telephone numbers to every notation: `+55 11 98765-4321` finds `5511987654321`. */
export function phoneEquality(equal: Condition): Condition {
  if (equal.kind !== 'compare' || typeof equal.value !== 'string') return equal;
  const { target, value } = equal;
  const { digitsColumn } = target.field;
  const numbers = searchedDigits(value);
  if (digitsColumn === undefined) return equalToAny(target, numbers);
  const digits: Target = { field: { ...target.field, column: digitsColumn } };
  return { kind: 'or', parts: [equal, equalToAny(digits, numbers.flatMap(spellingsOf))] };
}

/** A single value stays a comparison, which an index can serve in order. */
const equalToAny = (target: Target, values: string[]): Condition => {
  const [value, ...others] = values;
  return value === undefined || others.length > 0
    ? { kind: 'in', target, values }
    : { kind: 'compare', target, operator: 'eq', value };
};
