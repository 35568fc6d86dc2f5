import { exampleValues } from './example-values.ts';
import type { JsonSchema } from './schemas.ts';

interface Place {
  /** Name of the nearest named schema. */
  schema: string;
  field: string;
}

const prefix = '#/components/schemas/';

/**
 * Returns an example that is valid against a schema: the value that `exampleValues` gives to the field, else the first
 * of the schema's own `examples`, else a value of its type.
 */
export function exampleOf(
  schema: JsonSchema,
  components: Record<string, JsonSchema>,
  place: Place = { schema: '', field: '' },
): unknown {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.slice(prefix.length);
    return exampleValues[name] ?? exampleOf(components[name] ?? {}, components, { schema: name, field: '' });
  }
  const alternatives = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  for (const value of [exampleValues[`${place.schema}.${place.field}`], exampleValues[place.field]])
    if (value !== undefined && [schema, ...(alternatives ?? [])].some((each) => accepts(each, value)))
      return value;
  const own = (schema.examples as unknown[] | undefined)?.[0] ?? schema.const;
  if (own !== undefined) return own;
  if (alternatives)
    return exampleOf(alternatives.find(({ type }) => type !== 'null') ?? {}, components, place);
  return byType(schema, components, place);
}

function byType(schema: JsonSchema, components: Record<string, JsonSchema>, place: Place): unknown {
  const choices = schema.enum as unknown[] | undefined;
  if (choices) return choices[0];
  const [type] = [schema.type].flat();
  if (type === 'array') return [exampleOf(schema.items as JsonSchema, components, place)];
  if (type === 'object') {
    const fields = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
    return Object.fromEntries(
      fields.map(([field, each]) => [field, exampleOf(each, components, { ...place, field })]),
    );
  }
  if (type === 'string') return formats[String(schema.format)] ?? 'text';
  return type === 'boolean' ? true : 1;
}

const formats: Record<string, string> = {
  uuid: '019a8f00-7c5e-7a51-8c1d-3f6c6d3e8c52',
  'date-time': '2026-11-15T12:00:00.000Z',
  date: '2026-11-15',
};

/** Whether a value has one of the schema's types and is one of its choices. */
function accepts({ type, enum: choices, const: only, format }: JsonSchema, value: unknown): boolean {
  if (only !== undefined) return value === only;
  if (Array.isArray(choices)) return choices.includes(value);
  if (format === 'uuid') return false;
  return [type]
    .flat()
    .some((each) => each === typeOf(value) || (each === 'number' && typeOf(value) === 'integer'));
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}
