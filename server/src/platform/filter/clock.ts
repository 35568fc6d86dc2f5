import { type RawBuilder, sql } from 'kysely';
import { conjuncts } from './condition.ts';
import type { List } from './list.ts';
import type { Query } from './parse.ts';
import type { Predicate } from './where-sql.ts';

/** Returns a time range as a range of UUIDv7 ids, which prunes partitions and bounds index scans by id. */
export function clockBounds(list: List, query: Query): Predicate[] {
  return conjuncts(query.where).flatMap((condition) => {
    if (condition.kind !== 'compare') return [];
    const skewMs = condition.target.field.clockSkewMs;
    if (skewMs === undefined || typeof condition.value !== 'string') return [];
    const ms = Date.parse(condition.value);
    const column = sql.ref(list.tieBreaker.column);
    const from = sql<boolean>`${column} >= ${idFloor(ms - skewMs)}`;
    const to = sql<boolean>`${column} < ${idFloor(ms + skewMs + 1)}`;
    const { operator } = condition;
    return [
      ...(operator === 'eq' || operator === 'gt' || operator === 'gte' ? [from] : []),
      ...(operator === 'eq' || operator === 'lt' || operator === 'lte' ? [to] : []),
    ];
  });
}

const lastMs = 2 ** 48 - 1;

function idFloor(ms: number): RawBuilder<unknown> {
  const hex = Math.min(Math.max(ms, 0), lastMs).toString(16).padStart(12, '0');
  return sql`${`${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`}::uuid`;
}
