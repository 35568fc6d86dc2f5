import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { createJsonSchemaTransform } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { type Limit, limitsOf } from '../contexts/limits/index.ts';
import { problem } from '../platform/schemas.ts';
import type { Access } from './access.ts';
import {
  anyToken,
  arrayHeaders,
  cursorHeaders,
  errorResponses,
  handlingHeaders,
  pageHeaders,
  rateLimitHeaders,
  securitySchemes,
  sharedHeaders,
} from './openapi-common.ts';
import { generalClauses, introduction, tags } from './openapi-text.ts';
import { versionPrefix } from './version.ts';

type Operation = Record<string, unknown> & {
  responses: Record<string, { description?: string; headers?: object; content?: object }>;
  parameters?: { name: string }[];
  requestBody?: object;
  security?: Record<string, string[]>[];
  'x-access'?: Access;
};

interface Document {
  info: { title: string; version: string };
  components: { schemas?: object };
  paths: Record<string, Record<string, Operation>>;
}

const toJsonSchema = createJsonSchemaTransform({});

/** Generates the description from the registered routes and adds what all of them share. */
export async function describeApi(
  app: FastifyInstance,
  options: { publicUrl: string; version: string },
): Promise<void> {
  await app.register(swagger, {
    exposeHeadRoutes: true,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Disca',
        version: options.version,
        description: introduction,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: `${options.publicUrl}${versionPrefix}` }],
      tags: [...tags],
      components: { securitySchemes },
    },
    transform(document) {
      const { schema, url } = toJsonSchema(document);
      const path = url.replace(versionPrefix, '') || '/';
      if (!url.startsWith(versionPrefix)) return { schema: { ...schema, hide: true }, url: path };
      return { schema: { ...schema, 'x-access': document.route.config?.access }, url: path };
    },
    transformObject: (made) =>
      'openapiObject' in made ? complete(made.openapiObject as Document) : made.swaggerObject,
  });
}

function complete(document: Document): Document {
  const { $schema: _, ...schema } = z.toJSONSchema(problem);
  Object.assign(document.info, { 'x-clauses': generalClauses });
  Object.assign(document.components, {
    headers: sharedHeaders,
    schemas: { ...document.components.schemas, Problem: schema },
  });
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations))
      completeOperation(path, method.toUpperCase(), operation);
  }
  return document;
}

function completeOperation(path: string, method: string, operation: Operation): void {
  const access = operation['x-access'] ?? 'ADMIN';
  const route = `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
  const limits = limitsOf(route);
  // An operation that checks the token itself, and answers without one, declares its security.
  const note = operation.security ? '' : accessText[access];
  operation.security ??= access === 'PUBLIC' ? [] : anyToken;
  operation.description = [operation.description, note, limitText(limits)].filter(Boolean).join('\n\n');
  Object.assign(operation.responses, {
    ...errorResponses({ access, hasBody: operation.requestBody !== undefined, hasPath: path.includes('{') }),
    ...operation.responses,
  });
  for (const [status, response] of Object.entries(operation.responses)) {
    response.description ||= Number(status) < 300 ? 'Done.' : 'Refused.';
    response.headers = {
      'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
      ...(Number(status) < 300 ? handlingHeaders : {}),
      ...(limits.length > 0 ? rateLimitHeaders : {}),
      ...(status === '200' ? listHeaders(operation) : {}),
      ...response.headers,
    };
    if (method === 'HEAD') delete response.content;
  }
}

function listHeaders(operation: Operation): object {
  const takes = (name: string) => operation.parameters?.some((parameter) => parameter.name === name);
  if (!takes('filter')) return {};
  if (takes('page')) return pageHeaders;
  if (takes('cursor')) return cursorHeaders;
  return takes('limit') ? arrayHeaders : {};
}

const accessText: Record<Access, string> = {
  PUBLIC: 'No token required.',
  USER: '',
  ADMIN: 'Requires the role ADMIN.',
};

const limitedBy: Record<Limit['by'], string> = {
  address: 'IP address',
  user: 'user',
  extension: 'extension and user',
};

function limitText(limits: ReturnType<typeof limitsOf>): string {
  const texts = limits.map(
    ({ max, windowSeconds, by, successOnly }) =>
      `${max} ${successOnly ? 'successes' : 'requests'} ${windowSeconds === 60 ? 'per minute' : 'per hour'} per ${limitedBy[by]}`,
  );
  return texts.length === 0 ? 'Not rate limited.' : `Limit: ${texts.join(', and ')}.`;
}
