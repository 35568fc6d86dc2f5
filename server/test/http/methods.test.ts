import { request } from 'node:http';
import { Readable } from 'node:stream';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endStreamsOfHead } from '../../src/http/routing/head.ts';
import { insertCalls } from '../harness/fixtures/call-rows.ts';
import { listOperations } from '../harness/operations.ts';
import { createAccount, type TestAccount } from '../harness/people.ts';
import { type Platform, sharedPlatform, startPlatform } from '../harness/platform.ts';
import { waitForRedis } from '../harness/wait-for-redis.ts';

let platform: Platform;
let account: TestAccount;

beforeAll(async () => {
  platform = await startPlatform();
  waitForRedis(platform);
  account = await createAccount(platform);
});
afterAll(() => platform.close());

const startedAt = new Date('2026-06-01T12:00:00Z');
const missing = '019a8f00-0000-7000-8000-000000000000';

/** From a new address, so that limits by address do not interfere. */
const admin = () => platform.client(account.admin.token);

describe('trailing slash', () => {
  test('COMPAT-08 a path may end with a slash, with and without a query', async () => {
    const { client } = account.admin;
    expect((await client.get('/users/me/')).body).toEqual((await client.get('/users/me')).body);
    expect((await client.get('/users/?limit=1')).body).toHaveLength(1);
    expect((await client.get('/calls/?page=1')).status).toBe(200);
    const created = await client.post('/users/accessTokens/', { ttl: 60 });
    expect(created.status).toBe(200);
    const removed = await client.delete(`/users/accessTokens/${created.body.id.slice(0, 8)}/`);
    expect(removed.status).toBe(204);
    expect((await client.get(`/users/me//`)).status).toBe(404);
  });

  test('COMPAT-08 a slash changes neither the limit nor the logged route, nor the next page', async () => {
    const client = admin();
    await insertCalls(platform.database, account, [{ startedAt }, { startedAt }]);
    await client.get('/users/me');
    expect((await client.get('/users/me/')).headers['ratelimit-remaining']).toBe('58');
    const line = JSON.parse(platform.logLines.findLast((each) => each.includes('/users/me')) ?? '');
    expect(line).toMatchObject({ route: '/api/v1/users/me', status: 200 });
    const page = await client.get('/calls/', { query: { page: '1', filter: '{"limit":1}' } });
    expect(page.headers.link).toMatch(/\/api\/v1\/calls\?/);
  });

  test('COMPAT-08 pages keep their slash', async () => {
    const { statusCode, headers } = await platform.app.inject({ url: '/docs' });
    expect([statusCode, headers.location]).toEqual([301, '/docs/']);
    expect((await platform.app.inject({ url: '/docs/' })).statusCode).toBe(200);
    expect((await platform.app.inject({ url: '/manual/' })).headers.location).toBe('/docs/');
  });
});

describe('HEAD', () => {
  const volatile = ['date', 'x-request-id', 'ratelimit-remaining', 'ratelimit-reset', 'transfer-encoding'];
  const steady = (headers: Record<string, string>) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !volatile.includes(name)));

  test('COMPAT-08 HEAD has the status and headers of GET, with and without a token', async () => {
    const shared = await sharedPlatform();
    const { admin } = await createAccount(shared);
    const own = ['/users/accessTokens', '/recordings/{callId}', '/openapi.json'];
    const gets = listOperations(platform.document).filter(
      ({ method, path }) => method === 'GET' && !own.includes(path),
    );
    expect(gets.length).toBeGreaterThan(20);
    for (const { path, parameters } of gets) {
      const url = path.replaceAll(/\{\w+\}/g, missing);
      const query = parameters.some(({ name }) => name === 'page') ? { page: '1' } : undefined;
      const options = { query: { ...query, ...(path === '/events/stream' ? { seconds: '0' } : {}) } };
      for (const client of [admin.client, shared.client()]) {
        const [get, head] = [await client.get(url, options), await client.head(url, options)];
        expect([path, head.status]).toEqual([path, get.status]);
        const { 'content-length': _, ...expected } = steady(get.headers);
        expect(steady(head.headers), path).toMatchObject(expected);
      }
    }
  });

  test('COMPAT-08 HEAD sends no body, and the length of that of GET', async () => {
    const base = `${await platform.listen()}/api/v1`;
    const headers = { authorization: account.admin.token };
    for (const path of ['/users/me', '/users', '/nowhere', '/calls']) {
      const get = await fetch(`${base}${path}`, { headers });
      const head = await fetch(`${base}${path}`, { method: 'HEAD', headers });
      expect([path, head.status, await head.text()]).toEqual([path, get.status, '']);
      expect(head.headers.get('content-length'), path).toBe(String((await get.arrayBuffer()).byteLength));
    }
  });

  test('COMPAT-08 HEAD counts against the limit of GET', async () => {
    const { client } = await account.addUser();
    expect((await client.get('/calls?page=1')).headers['ratelimit-remaining']).toBe('14');
    expect((await client.head('/calls?page=1')).headers['ratelimit-remaining']).toBe('13');
    for (let more = 0; more < 13; more += 1) await client.head('/calls?page=1');
    expect((await client.head('/calls?page=1')).status).toBe(429);
    expect((await client.get('/calls?page=1')).status).toBe(429);
  });

  test('COMPAT-08 HEAD of a stream or export ends after its headers and frees its slot', async () => {
    const shared = await sharedPlatform();
    const base = `${await shared.listen()}/api/v1`;
    const recent = await createAccount(shared);
    await insertCalls(shared.database, recent, [{ startedAt }]);
    for (const [path, type] of [
      ['/events/stream', 'text/event-stream; charset=utf-8'],
      ['/calls/export', 'text/csv; charset=utf-8'],
    ]) {
      for (let count = 0; count < 8; count += 1) {
        const sentAt = performance.now();
        const { status, contentType, bytes } = await head(`${base}${path}`, recent.admin.token);
        expect([path, status, contentType, bytes]).toEqual([path, 200, type, 0]);
        // Streams last 3,600 s unless the client requests less.
        expect(performance.now() - sentAt).toBeLessThan(30_000);
      }
    }
  });
});

test('COMPAT-08 HEAD does not start a stream', async () => {
  let isStarted = false;
  async function* rows() {
    isStarted = true;
    yield 'row';
  }
  const app = Fastify({ exposeHeadRoutes: true });
  endStreamsOfHead(app);
  app.get('/', (_request, reply) => reply.type('text/csv').send(Readable.from(rows())));
  const answer = await app.inject({ method: 'HEAD', url: '/' });
  expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([200, 'text/csv', '']);
  expect(isStarted).toBe(false);
  expect((await app.inject('/')).body).toBe('row');
  await app.close();
});

/** Reads a response to its end, which `fetch` does not await for HEAD. */
function head(url: string, token: string) {
  return new Promise<{ status: number | undefined; contentType: string | undefined; bytes: number }>(
    (resolve, reject) => {
      const sent = request(url, { method: 'HEAD', headers: { authorization: token }, agent: false });
      sent.once('error', reject).once('response', (response) => {
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
        });
        response.once('end', () =>
          resolve({ status: response.statusCode, contentType: response.headers['content-type'], bytes }),
        );
      });
      sent.end();
    },
  );
}

describe('wrong method', () => {
  test('COMPAT-08 a known path with another method is 405 with Allow', async () => {
    const allowed: [string, string, string][] = [
      ['DELETE', '/calls', 'GET, HEAD, POST, OPTIONS'],
      ['PUT', '/users/me', 'GET, HEAD, OPTIONS'],
      ['PROPFIND', '/users/me/', 'GET, HEAD, OPTIONS'],
      ['TRACE', '/users/me', 'GET, HEAD, OPTIONS'],
      ['GET', '/users/login', 'POST, OPTIONS'],
      ['HEAD', '/users/login', 'POST, OPTIONS'],
      ['PATCH', `/users/${missing}`, 'DELETE, OPTIONS'],
      ['PUT', '/users/accessTokens', 'GET, HEAD, POST, OPTIONS'],
      ['GET', '/console/session', 'POST, DELETE, OPTIONS'],
    ];
    for (const [method, path, allow] of allowed) {
      const answer = await admin().request(method, path);
      expect([method, path, answer.status, answer.headers.allow]).toEqual([method, path, 405, allow]);
      if (method === 'HEAD') continue;
      expect(answer.body.error).toMatchObject({
        statusCode: 405,
        errorCode: 'METHOD_NOT_ALLOWED',
        name: 'MethodNotAllowed',
      });
    }
  });

  test('COMPAT-08 an unknown path is 404 without Allow, with every method', async () => {
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      const answer = await admin().request(method, '/no/such/path');
      expect([method, answer.status, answer.headers.allow]).toEqual([method, 404, undefined]);
    }
  });

  test('COMPAT-08 a 405 depends on neither the token nor the object', async () => {
    const other = await (await createAccount(platform)).addUser();
    const seen = new Set<string>();
    for (const client of [admin(), platform.client(), platform.client('unknown'), other.client]) {
      for (const uuid of [missing, other.uuid, account.admin.uuid, 'x']) {
        const { status, text, headers } = await client.request('PATCH', `/users/${uuid}`, { body: {} });
        seen.add(`${status} ${text} ${headers.allow}`);
      }
    }
    expect([...seen]).toEqual([expect.stringMatching(/^405 .*METHOD_NOT_ALLOWED.* DELETE, OPTIONS$/)]);
  });

  test('COMPAT-08 a 405 comes after the address limit and an unreadable body', async () => {
    const client = platform.client();
    const malformed = { raw: '{', headers: { 'content-type': 'application/json' } };
    expect((await client.request('PUT', '/users/me', malformed)).status).toBe(400);
    for (let left = 58; left >= 0; left -= 1) {
      const { status, headers } = await client.request('PUT', '/users/me');
      expect([status, headers['ratelimit-remaining']]).toEqual([405, String(left)]);
    }
    expect((await client.request('PUT', '/users/me')).status).toBe(429);
  });

  test('COMPAT-08 OPTIONS is 204 with Allow, without a token', async () => {
    for (const { path } of listOperations(platform.document)) {
      const methods = Object.keys(platform.document.paths[path] ?? {}).map((each) => each.toUpperCase());
      const answer = await platform.client().request('OPTIONS', path.replaceAll(/[{}]/g, ''));
      expect([path, answer.status, answer.text]).toEqual([path, 204, '']);
      const expected = new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS']);
      expect(new Set(answer.headers.allow?.split(', ')), path).toEqual(expected);
    }
  });
});
