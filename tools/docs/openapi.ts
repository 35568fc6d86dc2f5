/** The parts of the OpenAPI document that the pages use. */
export interface Schema {
  /** Name of the schema; see `inlineSchemas`. */
  'x-schema'?: string;
  type?: string | string[];
  description?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface Media {
  schema?: Schema;
  example?: unknown;
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
  'x-access'?: string;
  'x-scope'?: string;
  'x-service-tokens'?: boolean;
  'x-permission'?: string;
}

export interface Description {
  info: { description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
}

export interface Route {
  method: string;
  path: string;
  operation: Operation;
}

export const routesOf = ({ paths }: Description): Route[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

/** Returns the file name of a group of operations. */
export const slugOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]+/g, '-');
