import fc from 'fast-check';
import type { JsonSchema } from '../../harness/contract.ts';
import { listProperties, type Operation } from '../../harness/operations.ts';
import { hostileValue } from './hostile.ts';
import { Reference } from './references.ts';
import { anInstant } from './schema-arbitrary.ts';

/** Generates filters for a list from the item fields in its description. */

type FieldKind = 'text' | 'number' | 'boolean' | 'timestamp' | 'uuid' | 'enum' | 'json';

interface Field {
  name: string;
  kind: FieldKind;
  value: fc.Arbitrary<unknown>;
}

export function listFields(operation: Operation): Field[] {
  const columns = operation.responses['200']?.content?.['text/csv']?.schema['x-columns'];
  if (Array.isArray(columns)) return columns.map(columnField);
  const answer = operation.responses['200']?.content?.['application/json']?.schema;
  const list = answer?.type === 'array' ? answer : Object.fromEntries(listProperties(answer)).data;
  const fields = listProperties(list?.items as JsonSchema | undefined).map(([name, schema]) =>
    toField(name, schema),
  );
  if (fields.length === 0) throw new Error(`${operation.name} takes a filter but describes no items.`);
  return fields;
}

/** A file export describes only the names of its columns. */
const columnField = (name: string): Field =>
  name.endsWith('_at')
    ? { name, kind: 'timestamp', value: timestamps }
    : { name, kind: 'text', value: storableText };

function toField(name: string, schema: JsonSchema): Field {
  const options = (schema.anyOf as JsonSchema[] | undefined) ?? [schema];
  const main = options.find((option) => option.type !== 'null') ?? schema;
  const type = Array.isArray(main.type) ? (main.type as string[]).find((each) => each !== 'null') : main.type;
  if (Array.isArray(main.enum))
    return { name, kind: 'enum', value: fc.constantFrom<unknown>(...(main.enum as unknown[])) };
  if (main.format === 'uuid') return { name, kind: 'uuid', value: fc.oneof(fc.uuid(), referenceTo('user')) };
  if (main.format === 'date-time') return { name, kind: 'timestamp', value: timestamps };
  if (type === 'boolean') return { name, kind: 'boolean', value: fc.boolean() };
  if (type === 'integer' || type === 'number') return { name, kind: 'number', value: fc.integer() };
  if (type === 'object') return { name, kind: 'json', value: fc.constant({}) };
  return { name, kind: 'text', value: fc.oneof(storableText, referenceTo('email'), referenceTo('token')) };
}

const referenceTo = (kind: string) => fc.nat(1000).map((pick) => new Reference(kind, pick));

const timestamps = fc.tuple(anInstant, fc.constantFrom(24, 10, 0)).map(([at, form]) => {
  const iso = at.toISOString();
  return form === 0 ? iso.replace('Z', '-03:00') : iso.slice(0, form);
});

const storableText = fc.oneof(
  fc.constantFrom('', 'Ana', '%a%', 'a_b', '\\%', 'pessoa', 'ADMIN', '5511987654321', 'user.create', '😀'),
  fc
    .string({ unit: 'grapheme', maxLength: 20 })
    .map((text) => text.replaceAll('\0', '').replaceAll('\\', '').toWellFormed()),
);

const equality = ['eq', 'neq', 'inq', 'nin', 'exists'];
const ordered = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'between', 'inq', 'nin', 'exists'];
const operators: Record<FieldKind, string[]> = {
  text: [...ordered, 'like', 'nlike', 'ilike', 'nilike'],
  number: ordered,
  timestamp: ordered,
  boolean: equality,
  uuid: equality,
  enum: equality,
  json: [],
};
const allOperators = [...operators.text, 'regexp', 'neqq', '$gt', 'constructor'];

function operand(operator: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  switch (operator) {
    case 'exists':
      return fc.boolean();
    case 'between':
      return fc.tuple(value, value);
    case 'inq':
    case 'nin':
      return fc.array(value, { maxLength: 4 });
    default:
      return value;
  }
}

function testArbitrary(field: Field): fc.Arbitrary<unknown> {
  if (field.kind === 'json')
    return fc.constantFrom<unknown>(null, { role: 'USER' }, { ttl: 60 }, { a: { b: [1] } }, {});
  const names = operators[field.kind];
  const one = fc
    .constantFrom(...names)
    .chain((name) => operand(name, field.value).map((value) => ({ [name]: value })));
  const several = fc.tuple(one, one).map(([a, b]) => ({ ...a, ...b }));
  return fc.oneof(
    { weight: 3, arbitrary: field.value },
    { weight: 4, arbitrary: one },
    several,
    fc.constant(null),
  );
}

const conditionOn = (fields: Field[]): fc.Arbitrary<Record<string, unknown>> =>
  fc.oneof(...fields.map((field) => testArbitrary(field).map((test) => ({ [field.name]: test }))));

function whereOn(fields: Field[]): fc.Arbitrary<Record<string, unknown>> {
  const condition = conditionOn(fields);
  const group = fc
    .tuple(fc.constantFrom('and', 'or'), fc.array(condition, { maxLength: 3 }))
    .map(([name, parts]) => ({ [name]: parts }));
  const nested = fc
    .tuple(fc.constantFrom('and', 'or'), fc.array(fc.oneof(condition, group), { minLength: 1, maxLength: 3 }))
    .map(([name, parts]) => ({ [name]: parts }));
  return fc.oneof(
    { weight: 4, arbitrary: condition },
    group,
    nested,
    fc.tuple(condition, group).map(([a, b]) => ({ ...a, ...b })),
  );
}

/** Generates orders. The description does not say which fields can be sorted by; every list sorts by its timestamps. */
function orderOn(fields: Field[]): fc.Arbitrary<unknown> {
  const times = fields.filter(({ kind }) => kind === 'timestamp').slice(0, 1);
  const one = fc
    .tuple(fc.constantFrom(...times.map(({ name }) => name)), fc.constantFrom('', ' ASC', ' desc'))
    .map((parts) => parts.join(''));
  return fc.oneof(
    one,
    one.map((order) => [order]),
  );
}

/** Generates filters that the list should accept. */
export function validFilter(fields: Field[]): fc.Arbitrary<unknown> {
  const names = fields.map(({ name }) => name);
  return fc.record(
    {
      where: whereOn(fields),
      order: orderOn(fields),
      limit: fc.constantFrom(1, 1, 2, 10, 100),
      offset: fc.constantFrom(0, 1, 5, 1000),
      fields: fc.subarray(names, { minLength: 1 }),
    },
    { requiredKeys: [] },
  );
}

const deep = (levels: number): unknown => (levels === 0 ? {} : { and: [deep(levels - 1)] });

/** Generates filters that are invalid or at a limit. */
export function oddFilter(fields: Field[]): fc.Arbitrary<unknown> {
  const name = fc.oneof(
    fc.constantFrom(...fields.map((field) => field.name)),
    fc.constantFrom('id', 'password_hash', 'account_id', 'nome', '__proto__', 'constructor', 'a.b', ''),
  );
  const odd = fc.oneof(hostileValue, ...fields.map((field) => field.value));
  const where = fc.oneof(
    fc
      .tuple(name, fc.constantFrom(...allOperators), odd)
      .map(([field, operator, value]) => ({ [field]: { [operator]: value } })),
    fc.tuple(name, odd).map(([field, value]) => ({ [field]: value })),
    fc.constantFrom<unknown>(null, [], 'name', deep(3), deep(4), deep(5), { or: {} }, { and: [1] }),
    fc
      .integer({ min: 45, max: 55 })
      .map((count) => ({ or: Array.from({ length: count }, () => ({ [fields[0]?.name ?? '']: null })) })),
    fc
      .integer({ min: 98, max: 102 })
      .map((count) => ({ [fields[0]?.name ?? '']: { inq: Array(count).fill('a') } })),
  );
  return fc.oneof(
    where.map((each) => ({ where: each })),
    fc
      .tuple(fc.constantFrom('order', 'limit', 'offset', 'skip', 'fields', 'include', 'wher'), odd)
      .map(([key, value]) => ({ [key]: value })),
    fc.constantFrom<unknown>(
      { limit: 0 },
      { limit: 101 },
      { limit: 1001 },
      { offset: 1e9 },
      { offset: 1, skip: 1 },
      { include: ['x'] },
    ),
    fc
      .integer({ min: 4000, max: 4200 })
      .map((length) => ({ where: { [fields[0]?.name ?? '']: 'x'.repeat(length) } })),
    hostileValue,
  );
}
