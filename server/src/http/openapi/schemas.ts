import { isDeepStrictEqual } from 'node:util';
import type { FastifySchema } from 'fastify';
import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;
export type SchemaConverter = ReturnType<typeof createSchemaConverter>;

const inRequests = ['body', 'querystring', 'params', 'headers'] as const;
const prefix = '#/components/schemas/';

/** Converts the Zod schemas of routes to JSON Schema, and collects the named ones as components. */
export function createSchemaConverter() {
  const components: Record<string, JsonSchema> = {};

  function convert(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const { $schema: _, $defs = {}, ...json } = toJson(schema, io);
    for (const [name, definition] of Object.entries($defs as Record<string, JsonSchema>))
      add(name, definition);
    return json;
  }

  /** A name stands for one type: requests and responses that differ need two. */
  function add(name: string, { id: _, ...json }: JsonSchema): void {
    if (components[name] && !isDeepStrictEqual(components[name], json))
      throw new Error(`Two different schemas are named ${name}.`);
    components[name] = json;
  }

  function convertRoute(schema: FastifySchema): FastifySchema {
    const converted: Record<string, unknown> = { ...schema };
    for (const part of inRequests) {
      const given = schema[part];
      if (given instanceof z.ZodType) converted[part] = convert(given, 'input');
    }
    converted.response = Object.fromEntries(
      Object.entries((schema.response ?? {}) as Record<string, z.ZodType | ContentTypes>).map(
        ([status, response]) => [status, convertResponse(response)],
      ),
    );
    return converted;
  }

  function convertResponse(response: z.ZodType | ContentTypes): object {
    if (response instanceof z.ZodType) return convert(response, 'output');
    const content: Record<string, { schema: JsonSchema }> = {};
    for (const [type, { schema }] of Object.entries(response.content))
      content[type] = { schema: convert(schema, 'output') };
    return { ...response, content };
  }

  return { components, convert, convertRoute };
}

interface ContentTypes {
  description: string;
  content: Record<string, { schema: z.ZodType }>;
}

function toJson(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const json = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // A response without a body.
      if (zodSchema._zod.def.type === 'undefined') jsonSchema.type = 'null';
    },
  });
  return JSON.parse(JSON.stringify(json).replaceAll('"#/$defs/', `"${prefix}`)) as JsonSchema;
}
