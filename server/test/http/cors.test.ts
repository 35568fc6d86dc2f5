import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client, RequestOptions } from '../harness/client.ts';
import { addStoredRecording, recordingPath } from '../harness/fixtures/recordings.ts';
import { listOperations } from '../harness/operations.ts';
import { createAccount, password, type TestAccount } from '../harness/people.ts';
import { type Platform, startPlatform } from '../harness/platform.ts';
import { waitForRedis } from '../harness/wait-for-redis.ts';

let platform: Platform;
let account: TestAccount;

beforeAll(async () => {
  platform = await startPlatform();
  waitForRedis(platform);
  account = await createAccount(platform);
});
afterAll(() => platform.close());

const crm = { origin: 'https://crm.example' };
const preflight = (method: string, headers = 'authorization,content-type') => ({
  headers: { ...crm, 'access-control-request-method': method, 'access-control-request-headers': headers },
});

const corsHeaders = (headers: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control')));

const listOf = (value: unknown): string[] => String(value).toLowerCase().split(', ');

test('COMPAT-07 a preflight is 204 for every operation, without credentials', async () => {
  for (const { method, path } of listOperations(platform.document)) {
    if (path.startsWith('/console')) continue;
    const answer = await platform
      .client()
      .request('OPTIONS', path.replaceAll(/[{}]/g, ''), preflight(method));
    expect([path, answer.status, answer.text]).toEqual([path, 204, '']);
    const allowed = corsHeaders(answer.headers);
    expect(Object.keys(allowed).sort()).toEqual([
      'access-control-allow-headers',
      'access-control-allow-methods',
      'access-control-allow-origin',
      'access-control-max-age',
    ]);
    expect(allowed['access-control-allow-origin']).toBe('*');
    expect(listOf(allowed['access-control-allow-methods']), path).toContain(method.toLowerCase());
    expect(allowed['access-control-max-age']).toBe('7200');
  }
});

test('COMPAT-07 a preflight allows every described header, and never that of the console', async () => {
  const { headers } = await platform.client().request('OPTIONS', '/calls', preflight('POST'));
  const allowed = listOf(headers['access-control-allow-headers']);
  const described = listOperations(platform.document)
    .flatMap(({ parameters }) => parameters.filter((each) => each.in === 'header'))
    .map(({ name }) => name.toLowerCase());
  expect(described).toContain('idempotency-key');
  const always = ['authorization', 'x-access-token', 'content-type', 'x-request-id', 'prefer', 'range'];
  expect(allowed).toEqual(expect.arrayContaining([...described, ...always]));
  for (const name of ['x-disca-console', 'cookie', '*']) expect(allowed).not.toContain(name);
});

test('COMPAT-07 preflight requests are not rate limited, and other OPTIONS requests are', async () => {
  const client = platform.client();
  for (let count = 0; count < 70; count += 1) {
    const answer = await client.request('OPTIONS', '/users/me', preflight('GET'));
    expect([answer.status, answer.headers['ratelimit-limit']]).toEqual([204, undefined]);
  }
  expect((await client.request('OPTIONS', '/users/me')).headers['ratelimit-remaining']).toBe('59');
  const asked = { headers: { ...preflight('GET').headers, authorization: 'guess' } };
  await client.request('OPTIONS', '/users/me', asked);
  expect((await client.request('OPTIONS', '/users/me')).headers['ratelimit-remaining']).toBe('58');
});

test('COMPAT-07 responses and errors of every status can be read from every origin', async () => {
  const client = account.admin.client;
  const limited = platform.client();
  const cases: [number, Client, string, string, RequestOptions?][] = [
    [200, client, 'GET', '/users/me'],
    [200, client, 'GET', '/users/me/'],
    [200, client, 'HEAD', '/users/me'],
    [200, client, 'GET', '/calls/export'],
    [200, platform.client(), 'GET', '/openapi.json'],
    [400, client, 'PATCH', '/accounts', { raw: '{', headers: { 'content-type': 'application/json' } }],
    [401, platform.client(), 'GET', '/users/me'],
    [404, client, 'GET', '/nowhere'],
    [404, client, 'GET', '/%zz'],
    [405, client, 'DELETE', '/calls'],
    [415, client, 'PATCH', '/accounts', { raw: 'a', headers: { 'content-type': 'text/plain' } }],
    [422, client, 'PATCH', '/accounts', { body: { name: '' } }],
    ...Array.from({ length: 60 }, (): [number, Client, string, string] => [404, limited, 'GET', '/nowhere']),
    [429, limited, 'GET', '/users/me'],
  ];
  for (const [status, sender, method, path, options] of cases) {
    const answer = await sender.request(method, path, {
      ...options,
      headers: { ...crm, ...options?.headers },
    });
    expect([method, path, answer.status]).toEqual([method, path, status]);
    const { 'access-control-expose-headers': exposed, ...others } = corsHeaders(answer.headers);
    expect(others, path).toEqual({ 'access-control-allow-origin': '*' });
    expect(listOf(exposed)).toEqual(
      expect.arrayContaining([
        ...['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after', 'x-request-id'],
        ...['disca-ignored', 'preference-applied', 'location', 'link', 'content-disposition', 'allow'],
      ]),
    );
  }
});

test('COMPAT-07 internal errors can be read from every origin', async () => {
  const broken = await startPlatform();
  const { admin } = await createAccount(broken);
  await broken.database.query('alter table users rename to users_away');
  const answer = await admin.client.get('/users/me', { headers: crm });
  expect(answer.status).toBeGreaterThanOrEqual(500);
  expect(answer.headers['access-control-allow-origin']).toBe('*');
  await broken.close();
});

test('COMPAT-07 event streams and recordings can be read from every origin', async () => {
  const base = `${await platform.listen()}/api/v1`;
  const link = recordingPath(platform, await addStoredRecording(platform, account.id));
  const headers = { ...crm, authorization: account.admin.token };
  for (const path of ['/events/stream?seconds=0', link]) {
    const answer = await fetch(`${base}${path}`, { headers });
    expect([path, answer.status]).toEqual([path, 200]);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    expect(listOf(answer.headers.get('access-control-expose-headers'))).toContain('content-range');
    await answer.arrayBuffer();
  }
});

test('COMPAT-07 the console session allows no other origin, in any spelling of its path', async () => {
  const client = platform.client();
  const credentials = { email: account.admin.email, password };
  const paths = [
    '/console/session',
    '/console/session/',
    '/console/session'.replace('o', '%6F'),
    '/console/nowhere',
  ];
  for (const path of paths) {
    for (const method of ['OPTIONS', 'GET', 'DELETE'] as const) {
      const url = `/api/v1${path}`;
      const { headers } = await platform.app.inject({ method, url, ...preflight('POST') });
      expect([method, path, corsHeaders(headers)]).toEqual([method, path, {}]);
    }
  }
  const session = await client.post('/console/session', credentials, { headers: crm });
  expect([session.status, corsHeaders(session.headers)]).toEqual([204, {}]);
});

test('COMPAT-07 the cookie is ignored from another origin, and its responses allow none', async () => {
  const client = platform.client();
  const session = await client.post('/console/session', { email: account.admin.email, password });
  const cookie = String(session.headers['set-cookie']).split(';', 1)[0] ?? '';
  const page = { cookie, 'x-disca-console': '1' };
  const own = await client.get('/users/me', { headers: { ...page, 'sec-fetch-site': 'same-origin' } });
  expect([own.status, corsHeaders(own.headers)]).toEqual([200, {}]);
  const foreign = await client.get('/users/me', { headers: { ...page, ...crm } });
  expect([foreign.status, corsHeaders(foreign.headers)]).toEqual([401, {}]);
  const bare = await client.get('/users/me', { headers: { cookie, ...crm } });
  expect([bare.status, bare.body.error.errorCode]).toEqual([401, 'AUTHORIZATION_REQUIRED']);
});

test('COMPAT-07 pages besides the API allow no other origin', async () => {
  for (const url of ['/docs/', '/manual/', '/sandbox/pay/unknown', '/nowhere']) {
    const { headers } = await platform.app.inject({ url, headers: crm });
    expect([url, corsHeaders(headers)]).toEqual([url, {}]);
  }
});
