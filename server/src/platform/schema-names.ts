import { z } from 'zod';

/** Names schemas in the API description. Code generators use the names for the types of clients. */
export function nameSchemas(schemas: Record<string, z.ZodType>): void {
  for (const [id, schema] of Object.entries(schemas)) z.globalRegistry.add(schema, { ...schema.meta(), id });
}
