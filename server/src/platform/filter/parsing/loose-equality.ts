import { searchedDigits, spellingsOf } from '../../phone.ts';
import type { Condition, Target } from '../condition.ts';

/** Widens an equality without an operator: telephone numbers match in every notation, names without case and accents. */
export function looseEquality(equal: Condition): Condition {
  if (equal.kind !== 'compare' || typeof equal.value !== 'string') return equal;
  const { target, value } = equal;
  if (target.field.isPhone) return phoneEquality(target, value);
  return target.field.isFolded ? { kind: 'folded', target, value } : equal;
}

/** `+55 11 98765-4321` finds `5511987654321`. */
function phoneEquality(target: Target, value: string): Condition {
  const { digitsColumn } = target.field;
  const numbers = searchedDigits(value);
  if (digitsColumn === undefined) return equalToAny(target, numbers);
  const digits: Target = { field: { ...target.field, column: digitsColumn } };
  const asTyped: Condition = { kind: 'compare', target, operator: 'eq', value };
  return { kind: 'or', parts: [asTyped, equalToAny(digits, numbers.flatMap(spellingsOf))] };
}

/** A single value is a comparison, which an index can serve in order. */
export const equalToAny = (target: Target, values: string[]): Condition => {
  const [value, ...others] = values;
  return value === undefined || others.length > 0
    ? { kind: 'in', target, values }
    : { kind: 'compare', target, operator: 'eq', value };
};
