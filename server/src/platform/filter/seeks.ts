import { type RawBuilder, sql } from 'kysely';
import { type Condition, conjuncts, type Json, type Scalar } from './condition.ts';
import type { Field, List } from './list.ts';
import { memberIds } from './members.ts';
import type { Query } from './parse.ts';
import { type Predicate, whereSql } from './where-sql.ts';

/**
 * A condition that an index can serve under row-level security. There PostgreSQL uses an index only with leakproof
 * operators (`=`, `<`, `^@`), never with `like` or `@>`.
 */
export type Seek =
  /** Rows that the index returns in tie-breaker order, for each of the predicates. */
  | { kind: 'equal'; predicates: Predicate[] }
  /** Rows in tie-breaker order, found through another table: a query that returns their tie-breakers as `id`. */
  | { kind: 'listed'; ids: RawBuilder<unknown> }
  /** Unordered rows, usable only if complete. */
  | { kind: 'scattered'; predicate: Predicate };

/** Spellings of one value are few; the values of a long `inq` are not read in order. */
const mostOrderedValues = 4;

/** Shorter prefixes and suffixes are not selective enough. */
const leastLiteralLength = 4;

export function findSeek(list: List, query: Query): Seek | undefined {
  const required = conjuncts(query.where);
  const seeks = (list.scan?.seeks ?? []).flatMap((name) =>
    required.flatMap((condition) => seekOf(condition, name) ?? []),
  );
  const [ids] = [...memberIds(query.where), ...rowIds(query.where)];
  if (ids !== undefined) return { kind: 'listed', ids };
  return seeks.find(({ kind }) => kind !== 'scattered') ?? seeks[0];
}

/** Returns queries for the ids of all rows that can match, for conditions on columns that only some rows have. */
const rowIds = (where: Condition): RawBuilder<unknown>[] =>
  conjuncts(where).flatMap((condition) => {
    const rows = 'target' in condition ? condition.target.field.rowsTable : undefined;
    if (rows === undefined || !needsValue(condition)) return [];
    return [sql`select ${sql.ref(rows.id)} as id from ${sql.table(rows.table)} where ${whereSql(condition)}`];
  });

/** Whether no row without a value matches. */
const needsValue = (condition: Condition): boolean => {
  if (condition.kind === 'compare') return condition.operator !== 'neq';
  return (
    ['in', 'pattern', 'folded'].includes(condition.kind) || (condition.kind === 'null' && !condition.isNull)
  );
};

function seekOf(condition: Condition, fieldName: string): Seek | undefined {
  if (!('target' in condition) || condition.target.field.name !== fieldName) return undefined;
  const { field, key } = condition.target;
  if (field.type === 'json') return pairSeek(condition, field, key);
  if (field.type === 'boolean') return trueSeek(condition, field);
  switch (condition.kind) {
    case 'compare':
      return condition.operator === 'eq' ? { kind: 'equal', predicates: [whereSql(condition)] } : undefined;
    case 'in':
      return valuesSeek(condition);
    case 'pattern':
      return patternSeek(field, condition.operator, condition.value);
    default:
      return undefined;
  }
}

function trueSeek(condition: Condition, { trueIds }: Field): Seek | undefined {
  const isTrue = condition.kind === 'compare' && condition.operator === 'eq' && condition.value === true;
  if (!isTrue || trueIds === undefined) return undefined;
  return { kind: 'listed', ids: sql`select id from ${sql.table(trueIds)}` };
}

function valuesSeek({ target, values }: Extract<Condition, { kind: 'in' }>): Seek {
  const distinct = [...new Set(values)];
  if (distinct.length === 0 || distinct.length > mostOrderedValues) {
    return { kind: 'scattered', predicate: whereSql({ kind: 'in', target, values }) };
  }
  const equal = (value: Scalar) => whereSql({ kind: 'compare', target, operator: 'eq', value });
  return { kind: 'equal', predicates: distinct.map(equal) };
}

function patternSeek(field: Field, operator: 'like' | 'ilike', pattern: string): Seek | undefined {
  const isCaseless = pattern.toLowerCase() === pattern.toUpperCase();
  if (field.type !== 'text' || (operator === 'ilike' && !isCaseless)) return undefined;
  const { prefix, suffix } = literalEnds(pattern);
  if (prefix.length >= leastLiteralLength && prefix.length >= suffix.length) {
    return { kind: 'scattered', predicate: sql<boolean>`${sql.ref(field.column)} ^@ ${prefix}::text` };
  }
  if (suffix.length < leastLiteralLength || field.reversedColumn === undefined) return undefined;
  const backwards = Array.from(suffix).reverse().join('');
  return {
    kind: 'scattered',
    predicate: sql<boolean>`${sql.ref(field.reversedColumn)} ^@ ${backwards}::text`,
  };
}

/** Returns the literal prefix and suffix of a pattern, outside its wildcards. */
function literalEnds(pattern: string): { prefix: string; suffix: string } {
  const parts = (pattern.match(/\\.|./gsu) ?? []).map((part) =>
    part === '%' || part === '_'
      ? undefined
      : part.length > 1 && part.startsWith('\\')
        ? part.slice(1)
        : part,
  );
  const first = parts.indexOf(undefined);
  if (first < 0) return { prefix: parts.join(''), suffix: parts.join('') };
  return {
    prefix: parts.slice(0, first).join(''),
    suffix: parts.slice(parts.lastIndexOf(undefined) + 1).join(''),
  };
}

function pairSeek(condition: Condition, field: Field, key: string | undefined): Seek | undefined {
  const table = field.pairsTable;
  const pair = table === undefined ? undefined : requiredPair(condition, key);
  if (table === undefined || pair === undefined) return undefined;
  return { kind: 'listed', ids: sql`select id from ${sql.table(table)} where pair = ${pairSql(...pair)}` };
}

function requiredPair(condition: Condition, key: string | undefined): [string, Scalar] | undefined {
  if (condition.kind === 'compare' && condition.operator === 'eq' && key !== undefined)
    return [key, condition.value];
  if (condition.kind !== 'contains') return undefined;
  return Object.entries(condition.value).find((entry): entry is [string, Scalar] => isScalar(entry[1]));
}

const isScalar = (value: Json) => value !== null && typeof value !== 'object';

/**
 * Returns the hash of a metadata pair, as stored in the pairs table. Writers of that table use the same expression for
 * each top-level string, number and boolean. Collisions are harmless because rows are checked again.
 */
function pairSql(key: string, value: Scalar): RawBuilder<unknown> {
  return sql`hashtextextended(${key}::text || '=' || (${JSON.stringify(value)}::jsonb)::text, 0)`;
}
