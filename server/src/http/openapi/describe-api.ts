import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { type Limit, limitsOf } from '../../contexts/limits/index.ts';
import type { RoutePermission } from '../../platform/permissions.ts';
import { problem } from '../../platform/schemas.ts';
import type { Access, NeededScope } from '../../platform/scopes.ts';
import { versionPrefix } from '../version.ts';
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
} from './common.ts';
import { exampleOf } from './examples.ts';
import { createSchemaConverter, type JsonSchema, type SchemaConverter } from './schemas.ts';
import { generalClauses, introduction, tags } from './text.ts';
import { webhookOperations } from './webhooks.ts';

type Operation = Record<string, unknown> & {
  operationId?: string | undefined;
  responses: Record<string, Response>;
  parameters?: { name: string }[];
  requestBody?: object;
  security?: Record<string, string[]>[];
  'x-access'?: 'PUBLIC' | 'USER' | 'ADMIN';
  'x-scope'?: NeededScope;
  'x-service-tokens'?: boolean;
  'x-permission'?: RoutePermission;
  'x-proof'?: 'all' | 'console';
  'x-proof-fields'?: readonly string[];
};

interface Response {
  description?: string;
  headers?: object;
  content?: Record<string, { schema?: JsonSchema; example?: unknown }>;
}

interface Document {
  info: { title: string; version: string };
  components: { schemas?: object };
  paths: Record<string, Record<string, Operation>>;
  webhooks?: object;
}

/** Generates the description from the registered routes and adds what all of them share. */
export async function describeApi(
  app: FastifyInstance,
  options: { publicUrl: string; version: string },
): Promise<void> {
  const converter = createSchemaConverter();
  await app.register(swagger, {
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
    transform({ schema, url, route }) {
      const path = url.replace(versionPrefix, '') || '/';
      if (!url.startsWith(versionPrefix) || schema?.hide) return { schema: { hide: true }, url: path };
      const converted = converter.convertRoute(schema ?? {});
      return { schema: { ...converted, ...admission(route.config?.access) }, url: path };
    },
    transformObject: (made) =>
      'openapiObject' in made ? complete(made.openapiObject as Document, converter) : made.swaggerObject,
  });
}

/** Describes which tokens a route admits. */
const admission = (access: Access | undefined): Partial<Operation> =>
  access === undefined || access === 'PUBLIC'
    ? { 'x-access': 'PUBLIC' }
    : {
        'x-access': access.role,
        'x-scope': access.scope,
        'x-service-tokens': !access.needsUser && access.scope !== 'full',
        ...(access.permission && { 'x-permission': access.permission }),
        ...(access.proof && { 'x-proof': access.proof }),
        ...(access.provenFields && { 'x-proof-fields': access.provenFields }),
      };

function complete(document: Document, { components, convert }: SchemaConverter): Document {
  convert(problem, 'output');
  document.webhooks = webhookOperations(convert);
  Object.assign(document.info, { 'x-clauses': generalClauses });
  Object.assign(document.components, { headers: sharedHeaders, schemas: components });
  for (const [path, operations] of Object.entries(document.paths)) {
    if (operations.head) nameHead(operations.head, operations.get);
    for (const [method, operation] of Object.entries(operations)) {
      completeOperation(path, method.toUpperCase(), operation);
      addExamples(operation, components);
    }
  }
  return document;
}

/** The generator appends `-head`. A HEAD operation with the schema of its GET needs another name. */
function nameHead(head: Operation, get: Operation | undefined): void {
  const name = head.operationId?.replace(/-head$/, '');
  head.operationId = name !== undefined && name === get?.operationId ? `${name}Headers` : name;
}

/** What the generator writes for a response without description. */
const unnamed = 'Default Response';

function completeOperation(path: string, method: string, operation: Operation): void {
  const access = operation['x-access'] ?? 'ADMIN';
  const route = `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
  if (!operation.operationId) throw new Error(`${route} has no operationId.`);
  const limits = limitsOf(route);
  // An operation that checks the token itself, and answers without one, declares its security.
  const note = operation.security ? '' : accessNote(access, operation['x-permission']);
  operation.security ??= access === 'PUBLIC' ? [] : anyToken;
  const scope = scopeText(operation['x-scope']);
  const proof = proofText(operation['x-proof'], operation['x-proof-fields']);
  operation.description = [operation.description, note, scope, proof, limitText(limits)]
    .filter(Boolean)
    .join('\n\n');
  Object.assign(operation.responses, {
    ...errorResponses({ access, hasBody: operation.requestBody !== undefined, hasPath: path.includes('{') }),
    ...operation.responses,
  });
  for (const [status, response] of Object.entries(operation.responses)) {
    if (response.description === unnamed) response.description = Number(status) < 300 ? 'Done.' : 'Refused.';
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

function addExamples({ responses }: Operation, components: SchemaConverter['components']): void {
  for (const [status, { content }] of Object.entries(responses)) {
    const json = content?.['application/json'];
    if (json?.schema && Number(status) < 300) json.example ??= exampleOf(json.schema, components);
  }
}

function listHeaders(operation: Operation): object {
  const takes = (name: string) => operation.parameters?.some((parameter) => parameter.name === name);
  if (!takes('filter')) return {};
  if (takes('page')) return pageHeaders;
  if (takes('cursor')) return cursorHeaders;
  return takes('limit') ? arrayHeaders : {};
}

const accessText: Record<'PUBLIC' | 'USER' | 'ADMIN', string> = {
  PUBLIC: 'No token required.',
  USER: '',
  ADMIN: 'Requires the role ADMIN.',
};

function accessNote(access: keyof typeof accessText, permission: RoutePermission | undefined): string {
  if (permission === undefined) return accessText[access];
  return `Requires the role ADMIN or the permission \`${permission}\`.`;
}

/** Describes which callers must have proved their identity recently. */
function proofText(proof: Operation['x-proof'], fields: readonly string[] | undefined): string {
  if (proof === undefined) return '';
  const who = proof === 'all' ? 'The caller' : 'A console session';
  const what = fields ? ` to send ${fields.map((name) => `\`${name}\``).join(', ')}` : '';
  return `${who} needs a login or \`POST /users/me/proof\` of the last 10 minutes${what}; otherwise 403 \`PROOF_REQUIRED\`.`;
}

function scopeText(scope: NeededScope | undefined): string {
  if (scope === undefined || scope === 'any') return '';
  if (scope === 'full') return 'A token with scopes cannot use this.';
  return `Scope: \`${scope}\`.`;
}

const limitedBy: Record<Limit['by'], string> = {
  address: 'IP address',
  user: 'user',
  extension: 'extension and user',
};

function limitText(limits: ReturnType<typeof limitsOf>): string {
  const texts = limits.map(
    ({ max, windowSeconds, by, validOnly }) =>
      `${max} ${validOnly ? 'requests with valid fields' : 'requests'} ${windowSeconds === 60 ? 'per minute' : 'per hour'} per ${limitedBy[by]}`,
  );
  return texts.length === 0 ? 'Not rate limited.' : `Limit: ${texts.join(', and ')}.`;
}
