import { createHash } from 'node:crypto';
import { invalidFilter } from './faults.ts';
import type { FieldType, List, Order } from './list.ts';
import type { Query } from './parse.ts';
import { isStorable } from './parsing/values.ts';

/** The values of the order columns in the last row returned, in PostgreSQL's text format. */
export type Position = (string | null)[];

const longestCursor = 4096;

/** Binds a cursor to its query, because a position is meaningless in another order. */
function fingerprint(list: List, query: Query): string {
  const fields = new Map<unknown, string>([...list.fields.values()].map((field) => [field, field.name]));
  const question = JSON.stringify(
    [
      list.name,
      query.order,
      query.where,
      query.offset,
      ...(query.search === undefined ? [] : [query.search]),
    ],
    (_, value: unknown) => fields.get(value) ?? value,
  );
  return createHash('sha256').update(question).digest('base64url').slice(0, 22);
}

export function encodeCursor(list: List, query: Query, position: Position): string {
  return Buffer.from(JSON.stringify([fingerprint(list, query), ...position])).toString('base64url');
}

/** Returns a position of the right shape, or refuses. */
export function decodeCursor(list: List, query: Query, cursor: string): Position {
  const parts = cursor.length > longestCursor ? undefined : parseParts(cursor);
  const refuse = (message: string) => invalidFilter({ path: 'cursor', code: 'INVALID_CURSOR', message });
  if (parts === undefined) throw refuse('The cursor was not issued by this list.');
  const [print, ...position] = parts;
  if (print !== fingerprint(list, query)) {
    throw refuse('The cursor belongs to another filter or order. Start again without it.');
  }
  const fits =
    position.length === query.order.length && position.every((value, i) => isValid(query.order[i], value));
  if (!fits) throw refuse('The cursor was not issued by this list.');
  return position as Position;
}

function parseParts(cursor: string): unknown[] | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) ? parts : undefined;
  } catch {
    return undefined;
  }
}

const shapes: Record<FieldType, (value: string) => boolean> = {
  text: () => true,
  enum: () => true,
  json: () => false,
  tags: () => false,
  number: isNumber,
  integer: (value) => /^-?\d{1,18}$/.test(value),
  boolean: (value) => value === 'true' || value === 'false',
  timestamp: isMicrosecondInstant,
  uuid: (value) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value),
};

function isValid(order: Order | undefined, value: unknown): boolean {
  if (order === undefined) return false;
  if (value === null) return order.nullable;
  return typeof value === 'string' && isStorable(value) && shapes[order.type](value);
}

/** Accepts numbers within the range of a double; PostgreSQL raises an error for anything else. */
function isNumber(value: string): boolean {
  const number = Number(value);
  if (!/^-?\d{1,400}(\.\d{1,400})?(e[+-]?\d{1,3})?$/.test(value) || !Number.isFinite(number)) return false;
  return number !== 0 || /^[-0.]+$/.test(value);
}

function isMicrosecondInstant(value: string): boolean {
  const match = /^(?!0000)(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3})\d{3}Z$/.exec(value);
  const ms = match?.[1] === undefined ? Number.NaN : Date.parse(`${match[1]}Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString() === `${match?.[1]}Z`;
}
