import { bounds } from '../bounds.ts';
import type { Faults } from '../faults.ts';
import type { List } from '../list.ts';
import { numberFrom } from './values.ts';

/** A limit over the maximum returns the maximum: clients that ask for everything at once get a full page. */
export function parseLimit(list: List, faults: Faults, inside: unknown, outside: number | undefined): number {
  if (inside !== undefined && outside !== undefined) {
    faults.add('limit', 'GIVEN_TWICE', 'Give the limit once: in the filter or as a parameter.');
  }
  if (inside === undefined && outside === undefined) return list.maxLimit;
  const path = outside === undefined ? 'filter.limit' : 'limit';
  const limit = numberFrom(inside ?? outside);
  if (isIntegerFrom(1, limit)) return Math.min(limit, list.maxLimit);
  faults.add(path, 'INVALID_VALUE', `\`${path}\` must be a whole number of 1 or more.`);
  return 1;
}

export function parseOffset(faults: Faults, places: [path: string, value: unknown][]): number {
  const given = places.filter(([, value]) => value !== undefined);
  if (given.length > 1) {
    const paths = given.map(([path]) => `\`${path}\``).join(' and ');
    faults.add('filter.offset', 'GIVEN_TWICE', `Give the offset once, not ${paths}.`);
  }
  const [offset = 0] = given.map(([path, value]) => {
    const number = numberFrom(value);
    if (isIntegerFrom(0, number) && number <= bounds.offset) return number;
    faults.add(path, 'INVALID_VALUE', `\`${path}\` must be a whole number from 0 to ${bounds.offset}.`);
    return 0;
  });
  return offset;
}

const isIntegerFrom = (min: number, value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= min;
