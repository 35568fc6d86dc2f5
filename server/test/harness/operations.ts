import { inlineSchemas } from '../../../tools/docs/inline-schemas.ts';
import type { JsonSchema, OpenApiDocument, OpenApiOperation } from './contract.ts';

/** One operation of the API description, in the form that generated tests iterate over. */
export interface Operation {
  /** Such as `PATCH /users`. */
  name: string;
  method: string;
  /** Path with `{parameters}`. */
  path: string;
  access: OpenApiOperation['x-access'];
  scope: OpenApiOperation['x-scope'];
  /** Whether a service token with the scope may use it. */
  servesServiceTokens: boolean;
  /** The permission that a USER needs, if any. */
  permission: OpenApiOperation['x-permission'];
  /** Which tokens need a recent proof of identity, and for which fields of the body. */
  proof: OpenApiOperation['x-proof'];
  proofFields: readonly string[] | undefined;
  parameters: Parameter[];
  body: JsonSchema | undefined;
  responses: OpenApiOperation['responses'];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: JsonSchema;
}

export const listOperations = (document: OpenApiDocument): Operation[] =>
  Object.entries(inlineSchemas(document).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      access: operation['x-access'],
      scope: operation['x-scope'],
      servesServiceTokens: operation['x-service-tokens'] ?? false,
      permission: operation['x-permission'],
      proof: operation['x-proof'],
      proofFields: operation['x-proof-fields'],
      parameters: (operation.parameters ?? []).map((each) => ({
        name: each.name,
        in: each.in as Parameter['in'],
        required: each.required ?? false,
        schema: each.schema,
      })),
      body: operation.requestBody?.content['application/json'].schema,
      responses: operation.responses,
    })),
  );

/** Returns the properties of an object schema; empty for any other schema. */
export const listProperties = (schema: JsonSchema | undefined): [string, JsonSchema][] =>
  Object.entries((schema?.properties ?? {}) as Record<string, JsonSchema>);

/** Returns the kind of object that a value refers to, if any. */
export const findReference = (schema: JsonSchema): string | undefined =>
  schema['x-refers-to'] as string | undefined;

export interface ReferencePlace {
  name: string;
  in: Parameter['in'] | 'body';
  kind: string;
}

/** Returns the places where a request of the operation refers to objects. */
export function referencePlaces(operation: Operation): ReferencePlace[] {
  const parameters = operation.parameters.map((each) => ({
    name: each.name,
    in: each.in,
    schema: each.schema,
  }));
  const properties = listProperties(operation.body).map(([name, schema]) => ({
    name,
    in: 'body' as const,
    schema,
  }));
  return [...parameters, ...properties].flatMap(({ name, in: place, schema }) => {
    const kind = findReference(schema);
    return kind === undefined ? [] : [{ name, in: place, kind }];
  });
}
