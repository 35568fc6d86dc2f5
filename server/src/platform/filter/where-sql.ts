import { type RawBuilder, sql } from 'kysely';
import type { Comparison, Condition, Scalar, Target } from './condition.ts';
import { equalFolded } from './folding.ts';
import type { FieldType } from './list.ts';
import { columnOfOthers } from './members.ts';

export type Predicate = RawBuilder<boolean>;

const sqlTypes: Record<FieldType, RawBuilder<unknown>> = {
  text: sql`text`,
  enum: sql`text`,
  number: sql`numeric`,
  integer: sql`bigint`,
  boolean: sql`boolean`,
  timestamp: sql`timestamptz`,
  uuid: sql`uuid`,
  json: sql`jsonb`,
  tags: sql`text`,
};

const symbols: Record<Comparison, RawBuilder<unknown>> = {
  eq: sql`=`,
  neq: sql`is distinct from`,
  gt: sql`>`,
  gte: sql`>=`,
  lt: sql`<`,
  lte: sql`<=`,
};

/**
 * Values are bound and cast, and column names come from the list definition only, so the statement's text depends on the
 * shape of the filter, never on its values.
 */
export function whereSql(condition: Condition): Predicate {
  const columnSet = columnOfOthers(condition);
  if (columnSet !== undefined) return sql<boolean>`${sql.ref(columnSet)} is not null`;
  switch (condition.kind) {
    case 'and':
      return join(condition.parts, sql` and `, sql<boolean>`true`);
    case 'or':
      return join(condition.parts, sql` or `, sql<boolean>`false`);
    case 'not':
      // "is not true" is the exact complement of the condition, including rows where the field is null.
      return sql<boolean>`(${whereSql(condition.part)}) is not true`;
    case 'compare': {
      const { target, operator, value } = condition;
      if (target.field.type === 'tags') return hasTag(target, operator, value);
      return sql<boolean>`${operand(target)} ${symbols[operator]} ${bound(target, value)}`;
    }
    case 'folded':
      return equalFolded(operand(condition.target), condition.value);
    case 'null':
      return condition.isNull
        ? sql<boolean>`${textOperand(condition.target)} is null`
        : sql<boolean>`${textOperand(condition.target)} is not null`;
    case 'in': {
      const { target, values } = condition;
      if (target.field.type === 'tags') return sql<boolean>`${operand(target)} && ${values}::text[]`;
      const array = target.field.type === 'json' ? values.map((value) => JSON.stringify(value)) : values;
      return sql<boolean>`${operand(target)} = any(${array}::${sqlTypes[target.field.type]}[])`;
    }
    case 'pattern':
      return condition.operator === 'like'
        ? sql<boolean>`${textOperand(condition.target)} like ${condition.value}::text`
        : sql<boolean>`${textOperand(condition.target)} ilike ${condition.value}::text`;
    case 'contains':
      return sql<boolean>`${operand(condition.target)} @> ${JSON.stringify(condition.value)}::jsonb`;
  }
}

const hasTag = (target: Target, operator: Comparison, tag: Scalar): Predicate =>
  operator === 'neq'
    ? sql<boolean>`(${tag}::text = any(${operand(target)})) is not true`
    : sql<boolean>`${tag}::text = any(${operand(target)})`;

export function allOf(predicates: Predicate[]): Predicate {
  return predicates.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(predicates, sql` and `)}`;
}

export const anyOf = (predicates: Predicate[]): Predicate =>
  sql<boolean>`(${sql.join(predicates, sql` or `)})`;

export function cast(type: FieldType, value: unknown): RawBuilder<unknown> {
  return sql`${value}::${sqlTypes[type]}`;
}

function join(parts: Condition[], glue: RawBuilder<unknown>, empty: Predicate): Predicate {
  if (parts.length === 0) return empty;
  return sql<boolean>`(${sql.join(parts.map(whereSql), glue)})`;
}

function operand({ field, key }: Target): RawBuilder<unknown> {
  return key === undefined ? sql`${sql.ref(field.column)}` : sql`(${sql.ref(field.column)} -> ${key}::text)`;
}

/** The text of a JSON value, which is null for a missing key and for JSON null. */
function textOperand({ field, key }: Target): RawBuilder<unknown> {
  return key === undefined ? sql`${sql.ref(field.column)}` : sql`(${sql.ref(field.column)} ->> ${key}::text)`;
}

function bound({ field }: Target, value: Scalar): RawBuilder<unknown> {
  return cast(field.type, field.type === 'json' ? JSON.stringify(value) : value);
}
