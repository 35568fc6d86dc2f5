import type { Tx } from '../db/database.ts';
import { bounds } from './bounds.ts';
import type { Condition } from './condition.ts';
import { Faults, invalidFilter } from './faults.ts';
import type { List, Order } from './list.ts';
import { unknownName } from './nearest-name.ts';
import { parseOrder } from './parsing/parse-order.ts';
import { parseLimit, parseOffset } from './parsing/parse-paging.ts';
import type { Reading } from './parsing/parse-predicate.ts';
import { isObject, parseWhere } from './parsing/parse-where.ts';
import { repeatedKey } from './parsing/repeated-key.ts';
import { localPeriod } from './parsing/times.ts';
import { findTimeZone } from './time-zone.ts';
import type { Predicate } from './where-sql.ts';

export interface Query {
  where: Condition;
  order: Order[];
  limit: number;
  offset: number;
  include: string[];
  /** API names of the fields to return; undefined for all. */
  fields: string[] | undefined;
  /** The text of a search in addition to the filter, see `found-page.ts`. */
  search?: string;
  /**
   * Disjoint conditions that together hold for all rows of the source, if an index returns the rows of each in
   * tie-breaker order. The planner would otherwise read a source with few rows in page order, past all others.
   */
  shares?: Predicate[];
}

/** A valid filter, whose times without zone are in the account's time zone. */
export interface Filter {
  forAccount: (tx: Tx, accountId: number) => Promise<Query>;
}

/** `limit` and `offset` given as separate query parameters. */
export interface OutsideFilter {
  limit?: number | undefined;
  offset?: number | undefined;
}

const keys = ['where', 'include', 'order', 'limit', 'offset', 'skip', 'fields'] as const;

/** Parses the `filter` parameter; refuses it with all its errors. The time zone is read only if it is needed. */
export function parseFilter(list: List, raw: string | undefined, outside: OutsideFilter = {}): Filter {
  let hasLocalTimes = false;
  const noteLocalTime = (): void => {
    hasLocalTimes = true;
  };
  const query = parseQuery(list, raw, outside, 'UTC', noteLocalTime);
  return {
    forAccount: async (tx, accountId) =>
      hasLocalTimes ? parseQuery(list, raw, outside, await findTimeZone(tx, accountId)) : query,
  };
}

/** Parses a filter with its local times in a known time zone. */
export function parseQuery(
  list: List,
  raw: string | undefined,
  outside: OutsideFilter = {},
  timeZone = 'UTC',
  noteLocalTime: () => void = () => undefined,
): Query {
  const faults = new Faults();
  const periodOf: Reading['periodOf'] = (value, field) => {
    const period = localPeriod(value, field.timeZone ?? timeZone);
    if (period !== undefined) noteLocalTime();
    return period;
  };
  const filter = raw ? parseObject(raw) : {};
  for (const key of Object.keys(filter)) {
    if (!keys.some((valid) => valid === key)) {
      faults.add(`filter.${key}`, 'UNKNOWN_KEY', unknownName('key of the filter:', key, keys));
    }
  }
  const given = (key: (typeof keys)[number]) => (Object.hasOwn(filter, key) ? filter[key] : undefined);
  const where = given('where');
  const query: Query = {
    where:
      where === undefined
        ? { kind: 'and', parts: [] }
        : parseWhere(list, { faults, periodOf }, where, 'filter.where'),
    order: parseOrder(list, faults, given('order'), 'filter.order'),
    limit: parseLimit(list, faults, given('limit'), outside.limit),
    offset: parseOffset(faults, [
      ['filter.offset', given('offset')],
      ['filter.skip', given('skip')],
      ['offset', outside.offset],
    ]),
    include: parseInclude(list, faults, given('include')),
    fields: parseFields(list, faults, given('fields')),
  };
  faults.throwIfAny();
  return query;
}

function parseObject(raw: string): Record<string, unknown> {
  const path = 'filter';
  if (Buffer.byteLength(raw) > bounds.bytes) {
    const message = `The filter may have at most ${bounds.bytes} bytes.`;
    throw invalidFilter({ path, code: 'TOO_LONG', message });
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(raw);
  } catch {
    throw invalidFilter({ path, code: 'NOT_JSON', message: 'The filter is not valid JSON.' });
  }
  const repeated = repeatedKey(raw);
  if (repeated !== undefined) {
    const message = `The filter names \`${repeated}\` twice in one object.`;
    throw invalidFilter({ path, code: 'GIVEN_TWICE', message });
  }
  if (isObject(parsed)) return parsed;
  throw invalidFilter({ path, code: 'INVALID_VALUE', message: 'The filter must be a JSON object.' });
}

function parseInclude(list: List, faults: Faults, value: unknown): string[] {
  if (value === undefined) return [];
  const names = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(names)) {
    faults.add(
      'filter.include',
      'INVALID_VALUE',
      '`filter.include` must be a string or an array of strings.',
    );
    return [];
  }
  for (const name of names as unknown[]) {
    if (list.includes.some((valid) => valid === name)) continue;
    faults.add('filter.include', 'UNKNOWN_INCLUDE', unknownName('include', String(name), list.includes));
  }
  return list.includes.filter((name) => names.includes(name));
}

/** Parses an array of names, or LoopBack's object of {name: true}. */
function parseFields(list: List, faults: Faults, value: unknown): string[] | undefined {
  if (value === undefined) return undefined;
  const path = 'filter.fields';
  const names = isObject(value) ? Object.keys(value) : value;
  if (
    !Array.isArray(names) ||
    names.length === 0 ||
    (isObject(value) && !Object.values(value).every(isTrue))
  ) {
    return faults.add(
      path,
      'INVALID_VALUE',
      `\`${path}\` must be an array of field names, or an object of {name: true}.`,
    );
  }
  const fields = new Set<string>();
  for (const name of names) {
    const field = typeof name === 'string' ? list.fieldsByName.get(name) : undefined;
    if (field === undefined) {
      faults.add(path, 'UNKNOWN_FIELD', unknownName('field', String(name), list.fieldsByName.keys()));
    } else fields.add(field.name);
  }
  return [...fields];
}

const isTrue = (value: unknown): boolean => value === true || value === 'true';

/** Returns the item with only the fields that the filter selects. */
export function pickFields<Item extends object>(query: Query, item: Item): Partial<Item> {
  if (query.fields === undefined) return item;
  const selected = new Set(query.fields);
  return Object.fromEntries(Object.entries(item).filter(([name]) => selected.has(name))) as Partial<Item>;
}
