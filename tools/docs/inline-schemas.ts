const prefix = '#/components/schemas/';

/** Replaces references to named schemas by the schemas, which keep their name as `x-schema`. No schema contains itself. */
export function inlineSchemas<Document extends object>(document: Document): Document {
  const { components } = document as { components?: { schemas?: Record<string, object> } };
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...rest } = value as { $ref?: unknown };
    const own = Object.fromEntries(Object.entries(rest).map(([key, each]) => [key, inline(each)]));
    if (typeof $ref !== 'string') return own;
    if (!$ref.startsWith(prefix)) return value;
    const name = $ref.slice(prefix.length);
    return { ...(inline(components?.schemas?.[name]) as object), 'x-schema': name, ...own };
  };
  return inline(document) as Document;
}
