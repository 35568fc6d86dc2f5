import { type RawBuilder, sql } from 'kysely';
import type { Position } from './cursor.ts';
import type { FieldType, Order } from './list.ts';
import { cast, type Predicate } from './where-sql.ts';

const writtenAsText: readonly FieldType[] = ['text', 'enum', 'uuid'];

/** True if the driver returns all order columns as text, so that a row contains its own position. */
export const showsPosition = (orders: Order[]) => orders.every(({ type }) => writtenAsText.includes(type));

/** Selects the exact position of a row: a JavaScript Date would lose a timestamp's microseconds. */
export function positionSql(orders: Order[]): RawBuilder<Position> {
  const columns = orders.map(({ column, type }) =>
    type === 'timestamp'
      ? sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
      : sql`${sql.ref(column)}::text`,
  );
  return sql<Position>`array[${sql.join(columns)}]`;
}

/** Returns the condition for rows after the position. */
export function afterSql(orders: Order[], position: Position): Predicate {
  const [first] = orders;
  const isPlain = orders.every(({ nullable, descending }) => !nullable && descending === first?.descending);
  if (isPlain) {
    // One row comparison is one index range, however many columns it has.
    const columns = sql.join(orders.map(({ column }) => sql.ref(column)));
    const values = sql.join(orders.map(({ type }, i) => cast(type, position[i])));
    return first?.descending
      ? sql<boolean>`(${columns}) < (${values})`
      : sql<boolean>`(${columns}) > (${values})`;
  }
  return orders.reduceRight<Predicate>((rest, order, i) => {
    const value = position[i] ?? null;
    return sql<boolean>`(${beyond(order, value)} or (${same(order, value)} and ${rest}))`;
  }, sql<boolean>`false`);
}

/** PostgreSQL sorts nulls as the largest values: last ascending, first descending. */
function beyond({ column, type, nullable, descending }: Order, value: string | null): Predicate {
  const ref = sql.ref(column);
  if (value === null) return descending ? sql<boolean>`${ref} is not null` : sql<boolean>`false`;
  if (descending) return sql<boolean>`${ref} < ${cast(type, value)}`;
  return nullable
    ? sql<boolean>`(${ref} > ${cast(type, value)} or ${ref} is null)`
    : sql<boolean>`${ref} > ${cast(type, value)}`;
}

function same({ column, type }: Order, value: string | null): Predicate {
  return value === null
    ? sql<boolean>`${sql.ref(column)} is null`
    : sql<boolean>`${sql.ref(column)} = ${cast(type, value)}`;
}

export function orderSql(orders: Order[]): RawBuilder<unknown> {
  return sql.join(
    orders.map(({ column, descending }) =>
      descending ? sql`${sql.ref(column)} desc` : sql`${sql.ref(column)} asc`,
    ),
  );
}
