import { type RawBuilder, sql } from 'kysely';
import { idFloor } from '../ids.ts';
import { type Condition, conjuncts } from './condition.ts';
import type { List } from './list.ts';
import type { Query } from './parse.ts';
import type { Predicate } from './where-sql.ts';

/** Returns a time range as a range of UUIDv7 ids, which prunes partitions and bounds index scans by id. */
export function clockBounds(list: List, query: Query): Predicate[] {
  const column = sql.ref(list.tieBreaker.column);
  return timeTests(query).flatMap(({ fromMs, untilMs }) => [
    ...(fromMs === undefined ? [] : [sql<boolean>`${column} >= ${idSql(fromMs)}`]),
    ...(untilMs === undefined ? [] : [sql<boolean>`${column} < ${idSql(untilMs)}`]),
  ]);
}

/** The times of a list's rows: from inclusive, until exclusive. Undefined is unbounded. */
export interface TimeRange {
  fromMs: number | undefined;
  untilMs: number | undefined;
}

/** Returns the time range to which a filter restricts the rows. */
export const timeRange = (query: Query): TimeRange =>
  timeTests(query).reduce<TimeRange>(
    (range, test) => ({
      fromMs: ofBoth(Math.max, range.fromMs, test.fromMs),
      untilMs: ofBoth(Math.min, range.untilMs, test.untilMs),
    }),
    { fromMs: undefined, untilMs: undefined },
  );

const ofBoth = (choose: typeof Math.max, a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? (a ?? b) : choose(a, b);

const timeTests = (query: Query): TimeRange[] =>
  conjuncts(query.where).flatMap((condition) => timeTest(condition) ?? []);

function timeTest(condition: Condition): TimeRange | undefined {
  if (condition.kind !== 'compare') return undefined;
  const skewMs = condition.target.field.clockSkewMs;
  if (skewMs === undefined || typeof condition.value !== 'string') return undefined;
  const ms = Date.parse(condition.value);
  const { operator } = condition;
  return {
    fromMs: operator === 'eq' || operator === 'gt' || operator === 'gte' ? ms - skewMs : undefined,
    untilMs: operator === 'eq' || operator === 'lt' || operator === 'lte' ? ms + skewMs + 1 : undefined,
  };
}

const idSql = (ms: number): RawBuilder<unknown> => sql`${idFloor(ms)}::uuid`;
