import fc from 'fast-check';
import type { JsonSchema } from '../../harness/contract.ts';
import { findReference, listProperties } from '../../harness/operations.ts';
import { Reference } from './references.ts';
import { domainSuffix, kindOf, letters, unique } from './value-kinds.ts';

/** Generates values from the JSON schemas of the description. Kinds named by `x-kind` are in value-kinds.ts. */

const text = (least: number, most: number): fc.Arbitrary<string> =>
  fc.string({ unit: 'grapheme-ascii', minLength: least, maxLength: Math.min(most, least + 24) });

/** Generates values that the schema allows. */
export function validValue(schema: JsonSchema): fc.Arbitrary<unknown> {
  const reference = findReference(schema);
  if (reference !== undefined) return fc.nat(1000).map((pick) => new Reference(reference, pick));
  const kind = kindOf(schema);
  if (kind) return kind.valid(schema);
  if (Array.isArray(schema.enum)) return fc.constantFrom<unknown>(...(schema.enum as unknown[]));
  if ('const' in schema) return fc.constant(schema.const);
  const options = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (options) return fc.oneof(...options.map(validValue));
  return validOfType(schema);
}

function validOfType(schema: JsonSchema): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case 'string':
      return validText(schema);
    case 'integer':
    case 'number': {
      const range = { min: Number(schema.minimum ?? -1e9), max: Number(schema.maximum ?? 1e9) };
      return schema.type === 'integer' ? fc.integer(range) : fc.double({ ...range, noNaN: true });
    }
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array': {
      const bounds = { minLength: Number(schema.minItems ?? 0), maxLength: Number(schema.maxItems ?? 5) };
      return fc.array(validValue((schema.items ?? {}) as JsonSchema), bounds);
    }
    case 'object':
      return validObject(schema);
    default:
      return fc.jsonValue({ maxDepth: 1 });
  }
}

function validText(schema: JsonSchema): fc.Arbitrary<string> {
  const least = Number(schema.minLength ?? 0);
  const most = Number(schema.maxLength ?? 50);
  if (schema.format === 'email') {
    return fc.tuple(letters(1, 12), unique, letters(2, 12)).map(([a, b, c]) => `${a}.${b}@${c}.example.com`);
  }
  if (schema.format === 'uuid') return fc.uuid();
  if (schema.format === 'date-time') return anInstant.map((at) => at.toISOString());
  if (schema.format === 'uri') return letters(3, 12).map((host) => `https://${host}.example.com/`);
  const [example] = (schema.examples ?? []) as string[];
  // Mostly the password of all test users; otherwise no login would succeed.
  if (schema.writeOnly === true && example !== undefined) {
    return fc.oneof(
      { weight: 6, arbitrary: fc.constant(example) },
      { weight: 1, arbitrary: text(least, most) },
    );
  }
  // No white space at either end, because some texts are trimmed before their length is checked.
  const free = fc
    .tuple(fc.constantFrom('Ana', 'Zoë', '李', 'Ω'), text(least, most - 4))
    .map((parts) => `${parts.join('')}.`);
  if (schema.pattern === undefined) return least > 4 ? text(least, most) : free;
  const pattern = new RegExp(String(schema.pattern), 'u');
  return (least > 4 ? text(least, most) : free).map((value) =>
    pattern.test(value) ? value : (example ?? value),
  );
}

export const anInstant: fc.Arbitrary<Date> = fc.date({
  min: new Date('2000-01-01T00:00:00Z'),
  max: new Date('2099-12-31T00:00:00Z'),
  noInvalidDate: true,
});

function validObject(schema: JsonSchema): fc.Arbitrary<Record<string, unknown>> {
  const properties = listProperties(schema).map(([name, each]): [string, fc.Arbitrary<unknown>] => [
    name,
    validValue(each),
  ]);
  const requiredKeys = (schema.required ?? []) as string[];
  return fc.record(Object.fromEntries(properties), { requiredKeys });
}

/** Generates values at the limits of the schema, on either side. */
export function edgeValue(schema: JsonSchema): fc.Arbitrary<unknown> {
  const kind = kindOf(schema);
  const edges = [
    ...(kind?.edges ?? []),
    ...lengthEdges(schema),
    ...numberEdges(schema),
    ...enumEdges(schema),
  ];
  if (schema['x-kind'] === 'account-domain')
    edges.push(...(kind?.edges ?? []).map((edge) => `${edge}${domainSuffix(schema)}`));
  return edges.length > 0 ? fc.constantFrom<unknown>(...edges) : validValue(schema);
}

function lengthEdges(schema: JsonSchema): string[] {
  const bounds = [schema.minLength, schema.maxLength].filter((bound) => typeof bound === 'number');
  return bounds
    .flatMap((bound) => [bound - 1, bound, bound + 1])
    .filter((length) => length >= 0)
    .flatMap((length) => ['a'.repeat(length), '😀'.repeat(length)]);
}

function numberEdges(schema: JsonSchema): number[] {
  const bounds = [schema.minimum, schema.maximum].filter((bound) => typeof bound === 'number');
  return bounds.flatMap((bound) => [bound - 1, bound, bound + 1, bound + 0.5]);
}

const enumEdges = (schema: JsonSchema): string[] =>
  Array.isArray(schema.enum)
    ? (schema.enum as unknown[]).flatMap((each) => [
        String(each).toLowerCase(),
        ` ${String(each)}`,
        `${String(each)}\n`,
      ])
    : [];
