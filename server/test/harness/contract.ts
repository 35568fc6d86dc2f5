import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FastifyInstance } from 'fastify';
import type { RoutePermission } from '../../src/platform/permissions.ts';
import type { NeededScope } from '../../src/platform/scopes.ts';
import type { Answer } from './client.ts';

export interface OpenApiOperation {
  operationId?: string;
  summary?: string;
  description?: string;
  parameters?: {
    name: string;
    in: string;
    required?: boolean;
    schema: JsonSchema;
    description?: string;
    example?: unknown;
  }[];
  requestBody?: {
    required?: boolean;
    content: { 'application/json': { schema: JsonSchema; example?: unknown } };
  };
  responses: Record<
    string,
    {
      description: string;
      headers?: Record<string, { $ref?: string; required?: boolean }>;
      content?: Record<string, { schema: JsonSchema; example?: unknown }>;
    }
  >;
  security?: Record<string, string[]>[];
  'x-access': 'PUBLIC' | 'USER' | 'ADMIN';
  'x-scope'?: NeededScope;
  'x-proof'?: 'all' | 'console';
  'x-proof-fields'?: readonly string[];
  'x-service-tokens'?: boolean;
  'x-permission'?: RoutePermission;
  'x-clauses'?: string[];
}

export type JsonSchema = Record<string, unknown>;

export interface OpenApiDocument {
  openapi: string;
  info: { description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  webhooks: Record<string, { post: OpenApiOperation }>;
  components: { headers: Record<string, { required?: boolean }>; schemas: Record<string, JsonSchema> };
}

/** Throws unless the response is one that the API description allows. */
export type ContractCheck = (method: string, url: string, answer: Answer) => void;

interface Contract {
  document: OpenApiDocument;
  check: ContractCheck;
}

const contracts = new Map<string, Contract>();

/** Builds the contract once per description: platforms of a worker share the compiled schemas. */
export function buildContract(app: FastifyInstance): Contract {
  const description = JSON.stringify(app.swagger());
  const contract = contracts.get(description) ?? compileContract(description);
  contracts.set(description, contract);
  return contract;
}

function compileContract(description: string): Contract {
  const document = JSON.parse(description) as OpenApiDocument;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'document', ...document });
  const validators = new Map<string, ValidateFunction>();
  // The router also accepts an empty parameter: `/users//` is the user with an empty id.
  const matchers = Object.keys(document.paths).map((path) => ({
    path,
    shape: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]*')}$`),
    parameters: path.split('{').length,
  }));
  matchers.sort((a, b) => a.parameters - b.parameters);

  function getValidator(path: string, method: string, status: string, mediaType: string): ValidateFunction {
    const key = `${path} ${method} ${status} ${mediaType}`;
    const cached = validators.get(key);
    if (cached) return cached;
    const pointer = ['paths', path, method, 'responses', status, 'content', mediaType, 'schema'];
    const escaped = pointer
      .map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const fresh = ajv.compile({ $ref: `document#/${escaped}` });
    validators.set(key, fresh);
    return fresh;
  }

  function findPath(url: string, method: string): string | undefined {
    const pathname = url.split('?', 1)[0]?.replace('/api/v1', '').replace(/\/$/, '') ?? '';
    return matchers.find(({ shape, path }) => shape.test(pathname) && document.paths[path]?.[method])?.path;
  }

  function check(method: string, url: string, answer: Answer): void {
    checkCrossOrigin(url, answer);
    const isDescribed = findPath(url, method.toLowerCase()) !== undefined;
    // HEAD is described only where it differs from GET.
    const describedMethod = method === 'HEAD' && !isDescribed ? 'get' : method.toLowerCase();
    const path = findPath(url, describedMethod);
    if (!url.startsWith('/api/v1') || !path) {
      checkUnknownRoute(method, url, answer);
      return;
    }
    const operation = document.paths[path]?.[describedMethod];
    const response = operation?.responses[answer.status];
    const where = `${method} ${path} answered ${answer.status}`;
    if (!response) throw new Error(`${where}, a status that its description does not list: ${answer.text}`);
    for (const [name, header] of Object.entries(response.headers ?? {})) {
      const { required } = header.$ref
        ? (document.components.headers[header.$ref.split('/').at(-1) ?? ''] ?? header)
        : header;
      if (required && answer.headers[name.toLowerCase()] === undefined)
        throw new Error(`${where} without the header ${name}`);
    }
    // The injected response to HEAD still has the body that a socket would not send.
    if (method === 'HEAD') return;
    if (!response.content) {
      if (answer.text !== '') throw new Error(`${where} with a body, but none is described: ${answer.text}`);
      return;
    }
    const mediaType = String(answer.headers['content-type']).split(';', 1)[0] ?? '';
    if (!(mediaType in response.content)) throw new Error(`${where} as ${mediaType}, which is not described`);
    const validate = getValidator(path, method.toLowerCase(), String(answer.status), mediaType);
    if (!validate(answer.body ?? answer.text))
      throw new Error(`${where} against its description: ${ajv.errorsText(validate.errors)}\n${answer.text}`);
  }

  const problem = ajv.compile({ $ref: 'document#/components/schemas/Problem' });
  function checkUnknownRoute(method: string, url: string, answer: Answer): void {
    if (url.startsWith('/docs')) return;
    if (method === 'OPTIONS' && answer.status === 204) return;
    const undescribed = [400, 404, 405, 413, 415, 429, 503];
    if (!undescribed.includes(answer.status) || (method !== 'HEAD' && !problem(answer.body))) {
      throw new Error(`${method} ${url} is not described, yet returned ${answer.status}: ${answer.text}`);
    }
  }

  return { document, check };
}

/** Headers that every page may read, or that only browsers and proxies use. */
const unexposed =
  /^(access-control-.*|cache-control|content-(encoding|language|length|type)|connection|date|transfer-encoding|vary|x-accel-buffering|x-content-type-options)$/;

/** Throws if a page of another origin could not read a header, or could read a response of the console. */
function checkCrossOrigin(url: string, { headers }: Answer): void {
  const exposed = headers['access-control-expose-headers']?.toLowerCase().split(', ');
  const isConsole = /^\/api\/v1\/console\/session\/?(\?|$)/.test(url);
  if (isConsole && Object.keys(headers).some((name) => name.startsWith('access-control')))
    throw new Error(`${url} allows other origins`);
  const hidden = Object.keys(headers).filter((name) => !unexposed.test(name) && !exposed?.includes(name));
  if (exposed && hidden.length > 0) throw new Error(`${url} does not expose ${hidden.join(', ')}`);
}
