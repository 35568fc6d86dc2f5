import { beforeAll, expect, test } from 'vitest';
import { readClauses } from '../../../tools/clauses.ts';
import { buildApp } from '../../src/http/app.ts';
import type { OpenApiDocument, OpenApiOperation } from '../harness/contract.ts';
import { type SharedPlatform, sharedPlatform } from '../harness/platform.ts';

let platform: SharedPlatform;
let document: OpenApiDocument & { info: { 'x-clauses': string[] } };
let operations: { name: string; operation: OpenApiOperation }[];

beforeAll(async () => {
  platform = await sharedPlatform();
  document = (await platform.client().get('/openapi.json')).body;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
});

/** Returns every route that the framework serves, read from a second app while it is built. */
async function servedRoutes(): Promise<string[]> {
  const app = await buildApp(platform.api.app);
  await app.ready();
  const tree = app.printRoutes();
  await app.close();
  const routes: string[] = [];
  const parents: string[] = [];
  for (const line of tree.split('\n')) {
    const match = /^(?<indent>[│ ]*)[├└]── (?<path>\S*) ?(?:\((?<methods>[A-Z, ]+)\))?/u.exec(line);
    if (!match?.groups) continue;
    const { indent = '', path = '', methods } = match.groups;
    parents[indent.length / 4] = path;
    const whole = parents.slice(0, indent.length / 4 + 1).join('');
    for (const method of methods?.split(', ') ?? []) routes.push(`${method} ${whole}`);
  }
  return routes;
}

test('VERSION-01 VERSION-03 every route is under /api/v1 and in the description', async () => {
  const routes = await servedRoutes();
  const beside = routes.filter((route) => !route.includes(' /api/v1/'));
  expect(beside.every((route) => / \/(docs|manual|sandbox\/pay)(\/|$)/.test(route))).toBe(true);

  const served = routes
    .filter((route) => !beside.includes(route))
    .map((route) => route.replace('/api/v1', '').replaceAll(/:(\w+)/g, '{$1}'));
  expect(served.length).toBeGreaterThan(15);
  const described = new Set(operations.map(({ name }) => name));
  const heads = [...described]
    .filter((name) => name.startsWith('GET '))
    .map((name) => name.replace('GET', 'HEAD'));
  expect(served.toSorted()).toEqual([...new Set([...described, ...heads])].toSorted());
});

test('COMPAT-08 HEAD is described once for all operations, and where it differs from GET', () => {
  const heads = operations.filter(({ name }) => name.startsWith('HEAD')).map(({ name }) => name);
  expect(heads).toEqual(['HEAD /users/accessTokens', 'HEAD /recordings/{callId}']);
  expect(document.info.description).toContain('`HEAD` is available wherever `GET` is');
});

test('VERSION-01 serves nothing without the prefix', async () => {
  for (const { name } of operations) {
    const [method = '', path = ''] = name.split(' ');
    const answer = await platform.client().request(method, `/${path}`.replaceAll(/[{}]/g, ''));
    expect(answer.status, name).toBe(404);
  }
});

test('VERSION-03 every clause that is our decision is described by an operation or the introduction', () => {
  const decisions = readClauses().filter(({ decision }) => decision);
  const described = new Set([
    ...document.info['x-clauses'],
    ...operations.flatMap(({ operation }) => operation['x-clauses'] ?? []),
  ]);
  expect(decisions.length).toBeGreaterThan(70);
  expect(decisions.map(({ id }) => id).filter((id) => !described.has(id))).toEqual([]);

  const clauseIds = new Set(readClauses().map(({ id }) => id));
  expect([...described].filter((id) => !clauseIds.has(id))).toEqual([]);
});

test('bug: TOKEN-05 VERSION-03 only operations that take no token are described without one', () => {
  const open = operations.filter(({ operation }) => operation.security?.length === 0);
  expect(open.map(({ name }) => name)).not.toContain('HEAD /users/accessTokens');
  for (const { name, operation } of operations) {
    const isOpen = operation.security?.length === 0;
    expect(/No token required/.test(operation.description ?? ''), name).toBe(isOpen);
    if (operation['x-access'] !== 'PUBLIC') expect(isOpen, name).toBe(false);
  }
});

test('VERSION-03 every operation, parameter, response and tag has its own description', () => {
  const tags = new Set(document.tags.map(({ name }) => name));
  for (const { name, operation } of operations) {
    expect(operation.summary, name).toMatch(/\S/);
    expect(operation.description, name).toMatch(/Limit: \d+|Not rate limited/);
    const words = [
      ...(operation.parameters ?? []).map((parameter) => [parameter.name, parameter.description] as const),
      ...Object.entries(operation.responses).map(
        ([status, response]) => [status, response.description] as const,
      ),
    ];
    for (const [what, description] of words) expect(description, `${what} of ${name}`).toMatch(/\S/);
    for (const tag of (operation as { tags?: string[] }).tags ?? ['none']) expect(tags, name).toContain(tag);
  }
  for (const tag of document.tags) expect(tag.description).toMatch(/\S/);
});

test('VERSION-03 the introduction states what its clauses decide', () => {
  const words = [
    'AUTHORIZATION_REQUIRED INVALID_TOKEN X-Access-Token Bearer ACCESS_DENIED VALIDATION_ERROR X-Request-Id Retry-After',
    'RateLimit-Limit RateLimit-Remaining RateLimit-Reset X-Forwarded-For /64 64kB 413 415 X-Total-Count X-Total-Estimated',
    'and or eq neq gt gte lt lte between inq nin exists like nlike ilike nilike regexp order limit offset skip fields include',
    'INVALID_FILTER FILTER_TOO_EXPENSIVE ISO8601 details errorCode statusCode',
  ].flatMap((line) => line.split(' '));
  const text = document.info.description.replaceAll(/(64|8601|ISO) (kB|8601)/g, '$1$2');
  for (const word of words) expect(text).toContain(word);
});

test('VERSION-04 the description is OpenAPI 3.1, served as public JSON', async () => {
  const answer = await platform.client().get('/openapi.json');
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.body.openapi).toMatch(/^3\.1\./);
  expect(answer.body.servers).toEqual([{ url: 'http://api.disca.test/api/v1' }]);
  expect(answer.body).toEqual(JSON.parse(JSON.stringify(platform.document)));
});

test('VERSION-04 a response that violates the description fails the test that received it', () => {
  const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': 'x',
      'ratelimit-limit': '1',
      'ratelimit-remaining': '1',
      'ratelimit-reset': '1',
      ...headers,
    },
    text: JSON.stringify(body),
    body,
  });
  const check = (given: ReturnType<typeof answer>) => () => platform.check('GET', '/api/v1/users', given);
  const total = { 'x-total-count': '0' };
  expect(check(answer(200, [], total))).not.toThrow();
  expect(check(answer(200, {}, total))).toThrow(/must be array/);
  expect(check(answer(200, [{ uuid: 7 }], total))).toThrow(/must be string/);
  expect(check(answer(200, []))).toThrow(/X-Total-Count/);
  expect(check(answer(200, [], { ...total, 'content-type': 'text/html' }))).toThrow(/as text\/html/);
  expect(check(answer(418, {}))).toThrow(/does not list/);
  expect(check(answer(404, { error: 'gone' }))).toThrow();
});

test('VERSION-04 /docs shows the description and loads nothing from other hosts', async () => {
  const page = await platform.client().get('/docs/');
  expect(page.status).toBe(200);
  expect(page.headers['content-type']).toContain('text/html');
  expect(page.text).toContain('/api/v1/openapi.json');
  const sources = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
  expect(sources.filter((source) => /^(https?:)?\/\//.test(source))).toEqual([]);
  const script = sources.find((source) => source.endsWith('.js'));
  expect(script).toBeDefined();
  const answer = await platform.app.inject({
    url: new URL(script ?? '', 'http://api.disca.test/docs/').pathname,
  });
  expect(answer.statusCode).toBe(200);
});

test('/docs runs only our scripts, cannot be framed and has a new nonce for every request', async () => {
  const pages = [await platform.client().get('/docs/'), await platform.client().get('/docs/')];
  const policies = pages.map(({ headers }) => String(headers['content-security-policy']));
  for (const [index, policy] of policies.entries()) {
    expect(policy).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    const nonce = /script-src [^;]*'nonce-([^']+)'/.exec(policy)?.[1];
    expect(pages[index]?.text).toContain(`nonce="${nonce}"`);
    expect(pages[index]?.headers['x-frame-options']).toBe('DENY');
  }
  expect(policies[0]).not.toBe(policies[1]);
});
