import type { Schema } from './openapi.ts';

const deepest = 4;

/** Returns a table of the fields of a body; nested fields are listed by their path. */
export function fieldTable(schema: Schema | undefined): string {
  const rows = schema === undefined ? [] : rowsOf(schema, '', 0);
  if (rows.length === 0) return '';
  return ['| Field | Type | Meaning |', '|---|---|---|', ...rows].join('\n');
}

function rowsOf(schema: Schema, path: string, depth: number): string[] {
  const inner = objectIn(schema);
  if (inner === undefined || depth > deepest) return [];
  return Object.entries(inner.properties ?? {}).flatMap(([name, field]) => {
    const here = path === '' ? name : `${path}.${name}`;
    const needed = inner.required?.includes(name) ?? false;
    const below = field.type === 'array' ? `${here}[]` : here;
    return [`| \`${here}\` | ${typeOf(field)}${needed ? '' : ', optional'} | ${meaningOf(field)} |`].concat(
      rowsOf(field, below, depth + 1),
    );
  });
}

/** Returns the object schema: the schema itself, the items of a list, or the only alternative that is an object. */
function objectIn(schema: Schema): Schema | undefined {
  if (schema.properties) return schema;
  if (schema.items) return objectIn(schema.items);
  for (const each of alternativesOf(schema)) {
    const object = objectIn(each);
    if (object) return object;
  }
  return undefined;
}

const alternativesOf = (schema: Schema): Schema[] => schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];

export function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map((each) => `\`${JSON.stringify(each)}\``).join(' or ');
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0) return [...new Set(alternatives.map(typeOf))].join(' or ');
  if (schema.type === 'array') return `list of ${schema.items ? typeOf(schema.items) : 'anything'}`;
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'anything');
  return schema.format ? `${type} (${schema.format})` : type;
}

export function meaningOf(given: Schema): string {
  const schema = { ...valueIn(given), ...given };
  const limits = [
    schema.maxLength === undefined ? '' : `At most ${schema.maxLength} characters.`,
    schema.maxItems === undefined ? '' : `At most ${schema.maxItems}.`,
    schema.default === undefined ? '' : `Default \`${JSON.stringify(schema.default)}\`.`,
  ];
  return inCell([schema.description ?? '', ...limits].filter((part) => part !== '').join(' '));
}

/** Returns the schema of a field that may also be null: its description and limits apply to the value. */
function valueIn(schema: Schema): Schema | undefined {
  const values = alternativesOf(schema).filter(({ type }) => type !== 'null');
  return values.length === 1 ? values[0] : undefined;
}

/** Escapes text for a table cell; angle brackets and braces are not markup here. */
export const inCell = (text: string): string =>
  text.replaceAll('\n', ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;');
