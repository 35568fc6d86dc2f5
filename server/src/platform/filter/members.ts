import { type RawBuilder, sql } from 'kysely';
import { type Condition, conjuncts, type Scalar } from './condition.ts';
import type { MembersTable } from './list.ts';

/**
 * Returns queries for the ids of all rows that can match, for conditions that accept only values of a table of members.
 * They lead the planner to the index of that small table.
 */
export const memberIds = (where: Condition): RawBuilder<unknown>[] =>
  conjuncts(where).flatMap((condition) => {
    const accepted = acceptedValues(condition);
    if (accepted === undefined) return [];
    const { members, values } = accepted;
    if (!values.every((value) => members.values.includes(value))) return [];
    const { table, id, column } = members;
    return [
      sql`select ${sql.ref(id)} as id from ${sql.table(table)} where ${sql.ref(column)} = any(${values}::text[])`,
    ];
  });

/**
 * Returns the column that is set exactly for the rows that the condition accepts, if these are all rows that are not
 * members. The planner has statistics about it, and none about a value that is computed from two tables.
 */
export function columnOfOthers(condition: Condition): string | undefined {
  const accepted = acceptedValues(condition);
  if (accepted === undefined) return undefined;
  const { members, values, all } = accepted;
  const others = all.filter((value) => !members.values.includes(value));
  return values.length === others.length && values.every((value) => others.includes(value))
    ? members.setForOthers
    : undefined;
}

interface Accepted {
  members: MembersTable;
  /** The values that the condition accepts, of all values of the field. */
  values: string[];
  all: readonly string[];
}

function acceptedValues(condition: Condition): Accepted | undefined {
  if (condition.kind !== 'compare' && condition.kind !== 'in') return undefined;
  const { membersTable: members, values: all = [] } = condition.target.field;
  const accepts = members && testOf(condition);
  return accepts && { members, all, values: all.filter(accepts) };
}

function testOf(
  condition: Extract<Condition, { kind: 'compare' | 'in' }>,
): ((value: Scalar) => boolean) | undefined {
  if (condition.kind === 'in') return (value) => condition.values.includes(value);
  if (condition.operator === 'eq') return (value) => value === condition.value;
  return condition.operator === 'neq' ? (value) => value !== condition.value : undefined;
}
