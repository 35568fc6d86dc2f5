import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limitsOf } from '../../../src/contexts/limits/index.ts';
import type { Answer, Client } from '../../harness/client.ts';
import { createAccount, logIn, password, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;

beforeAll(async () => {
  platform = await startPlatform();
  account = await createAccount(platform);
});
afterAll(() => platform.close());

/** Sends the same request `count` times concurrently; the responses are ordered by remaining requests. */
async function burst(count: number, ask: () => Promise<Answer>): Promise<Answer[]> {
  const answers = await Promise.all(Array.from({ length: count }, ask));
  return answers.toSorted((a, b) => remaining(b) - remaining(a) || a.status - b.status);
}

const remaining = ({ headers }: Answer): number => Number(headers['ratelimit-remaining']);
const served = (answers: Answer[]): number => answers.filter(({ status }) => status !== 429).length;
const me = (client: Client) => client.get('/users/me');
const fresh = (token?: string): Client => platform.client(token);

/** Returns the used requests of the address's bucket, without counting a request. */
async function usedBy(address: string, bucket = 'address'): Promise<number> {
  return Number((await platform.api.redis.get(`limit:${bucket}:${address}`)) ?? 0);
}

function fetchRawHeaders(url: string): Promise<{ status: number | undefined; names: string[] }> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      response.resume();
      resolve({
        status: response.statusCode,
        names: response.rawHeaders.filter((_, index) => index % 2 === 0),
      });
    }).once('error', reject);
  });
}

describe('by address', () => {
  test('LIMIT-04 rejects the eleventh login per minute from one address, right or wrong', async () => {
    const client = fresh();
    const logInAs = (body: object) => client.post('/users/login', body);
    const answers = [
      ...(await burst(5, () => logInAs({ email: account.admin.email, password }))),
      ...(await burst(3, () => logInAs({ email: `${Math.random()}@empresa.test`, password }))),
      ...(await burst(2, () => logInAs({}))),
    ];
    expect(served(answers)).toBe(10);
    expect((await logInAs({ email: account.admin.email, password })).status).toBe(429);
    expect((await fresh().post('/users/login', { email: account.admin.email, password })).status).toBe(200);
  });

  test('LIMIT-04 LIMIT-05 logins and other routes of one address are counted separately', async () => {
    const client = fresh(account.admin.token);
    await burst(10, () => client.post('/users/login', {}));
    const answers = await burst(60, () => me(client));
    expect(served(answers)).toBe(60);
    expect((await client.post('/users/login', {})).status).toBe(429);
    expect((await me(client)).status).toBe(429);
  });

  test('LIMIT-05 LIMIT-07 an address has 60 requests per minute, with headers that count down', async () => {
    const client = fresh(account.admin.token);
    const answers = await burst(61, () => me(client));

    expect(answers.map(remaining)).toEqual([...Array.from({ length: 60 }, (_, index) => 59 - index), 0]);
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 60 }, () => 200), 429]);
    for (const { headers } of answers) {
      expect(headers['ratelimit-limit']).toBe('60');
      expect(Number(headers['ratelimit-reset'])).toBeGreaterThanOrEqual(1);
      expect(Number(headers['ratelimit-reset'])).toBeLessThanOrEqual(60);
    }
  });

  test('LIMIT-09 the other routes of the specification share the 60 of one address', async () => {
    const client = fresh(account.admin.token);
    const described = Object.entries(platform.document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => ({ method: method.toUpperCase(), path })),
    );
    const sharing = described.filter(({ method, path }) =>
      limitsOf(`${method} ${path}`).some(({ bucket }) => bucket === 'address'),
    );
    expect(sharing.map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining([
        'POST /accounts/signup',
        'PATCH /accounts',
        'GET /users',
        'HEAD /users/accessTokens',
      ]),
    );
    const ask = ({ method, path }: { method: string; path: string }) =>
      client.request(method, path.replaceAll(/\{\w+\}/g, 'unknown'));

    let left = 60;
    for (const route of sharing) {
      left -= 1;
      expect(remaining(await ask(route)), route.path).toBe(left);
    }
    await burst(left, () => me(client));
    for (const route of sharing) expect((await ask(route)).status, route.path).toBe(429);
  });

  test('AUTH-17 a user at the limit can still log out of the console', async () => {
    const person = await account.addUser();
    const answer = await fresh().post('/console/session', { email: person.email, password });
    const cookie = String(answer.headers['set-cookie']).split(';', 1)[0] ?? '';
    const page = { headers: { cookie, 'x-disca-console': '1' } };
    const client = fresh();
    await burst(301, () => client.get('/users/me/context', page));
    expect((await client.get('/users/me/context', page)).status).toBe(429);
    expect((await client.delete('/console/session', page)).status).toBe(204);
    expect((await fresh().get('/users/me', page)).status).toBe(401);
  });

  test('LIMIT-05 users behind one address share its 60; a user elsewhere has separate ones', async () => {
    const colleague = await account.addUser();
    const client = fresh(account.admin.token);
    await burst(60, () => me(client));
    expect((await me(client.as(colleague.token))).status).toBe(429);
    expect((await me(fresh(account.admin.token))).status).toBe(200);
  });
});

describe('by user', () => {
  test('LIMIT-06 LIMIT-09 routes beyond the specification: 60 per minute per user, all tokens', async () => {
    const user = await account.addUser();
    const second = await logIn(platform, user.email);
    const ask = (token: string) => fresh(token).get('/accounts');

    const answers = [
      ...(await burst(30, () => ask(user.token))),
      ...(await burst(30, () => ask(second.token))),
    ];
    expect(served(answers)).toBe(60);
    expect(answers.map(remaining)).toEqual(Array.from({ length: 60 }, (_, index) => 59 - index));
    for (const token of [user.token, second.token]) expect((await ask(token)).status).toBe(429);
    // The same address with another user is served; routes of the specification are counted per address.
    expect((await ask(account.admin.token)).status).toBe(200);
    expect((await me(fresh(user.token))).status).toBe(200);
  });

  test('LIMIT-09 users behind one address do not share limits on routes beyond the specification', async () => {
    const [one, other] = [await account.addUser(), await account.addUser()];
    const office = fresh(one.token);
    expect(served(await burst(61, () => office.get('/users/accessTokens')))).toBe(60);
    expect(served(await burst(60, () => office.as(other.token).get('/users/accessTokens')))).toBe(60);
    expect(await usedBy(office.address)).toBe(0);
  });

  test('LIMIT-09 LIMIT-14 routes beyond the specification without a valid token count for the address', async () => {
    const client = fresh();
    const answers = [
      ...(await burst(20, () => client.get('/accounts'))),
      ...(await burst(20, () => client.as('not a token').list('/audit', undefined, { page: '1' }))),
      ...(await burst(10, () => client.post('/users/reset', { email: 'ninguem@empresa.test' }))),
      ...(await burst(10, () => client.get('/no/such/route'))),
    ];
    expect(answers.map(remaining)).toEqual(Array.from({ length: 60 }, (_, index) => 59 - index));
    expect((await client.get('/accounts')).status).toBe(429);
    expect((await client.get('/no/such/route')).status).toBe(429);
    expect((await me(client.as(account.admin.token))).status).toBe(429);
    expect((await client.as(account.admin.token).get('/accounts')).status).toBe(200);
  });

  test('LIMIT-14 an invalid token counts for the address on the specification’s routes too', async () => {
    const client = fresh('not a token');
    const answers = await burst(61, () => me(client));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(60);
    expect(answers.at(-1)?.status).toBe(429);
  });
});

describe('answers', () => {
  const names = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

  test('LIMIT-07 LIMIT-10 the three headers are on every response of a limited route, including errors', async () => {
    const client = fresh(account.admin.token);
    const answers = {
      200: await client.get('/users/me'),
      204: await client.post('/users/reset', { email: 'ninguem@empresa.test' }),
      302: await client.get('/accounts/confirm', { query: { token: 'x' } }),
      400: await client.get('/users', { query: { filter: '{' } }),
      401: await client.as(undefined).get('/users/me'),
      403: await (await account.addUser()).client.patch('/accounts', {}),
      404: await client.delete('/users/accessTokens/unknown1'),
      409: await client.patch('/users', { role: 'USER' }),
      413: await client.patch('/accounts', undefined, { raw: 'x'.repeat(70_000), headers: json }),
      415: await client.patch('/accounts', undefined, {
        raw: '<a/>',
        headers: { 'content-type': 'text/xml' },
      }),
      422: await client.patch('/accounts', { name: '' }),
    };
    for (const [status, answer] of Object.entries(answers)) {
      expect(answer.status).toBe(Number(status));
      for (const name of names)
        expect(answer.headers[name.toLowerCase()], `${name} on ${status}`).toMatch(/^\d+$/);
    }
  });
  const json = { 'content-type': 'application/json' };

  test('LIMIT-10 the header names have exactly this spelling on the wire', async () => {
    const url = `${await platform.listen()}/api/v1/users/me`;
    for (const status of [401, 429]) {
      const answer = await fetchRawHeaders(url);
      expect(answer.status).toBe(status);
      expect(answer.names).toEqual(expect.arrayContaining(names));
      await burst(60, () => me(fresh().from('127.0.0.1')));
    }
  });

  test('LIMIT-10 ERR-02 a rejection has its own body and Retry-After', async () => {
    const client = fresh(account.admin.token);
    const refused = (await burst(61, () => me(client))).at(-1);
    expect(refused?.status).toBe(429);
    expect(refused?.body).toEqual({
      error: {
        statusCode: 429,
        errorCode: 'RATE_LIMITED',
        name: 'TooManyRequests',
        message: expect.stringMatching(/Too many requests/),
      },
    });
    expect(refused?.headers['retry-after']).toBe(refused?.headers['ratelimit-reset']);
    expect(refused?.headers['ratelimit-remaining']).toBe('0');
  });

  test('LIMIT-10 a limit by user has the same headers and body', async () => {
    const user = await account.addUser();
    const refused = (await burst(61, () => user.client.get('/accounts'))).at(-1);
    expect(refused?.body.error).toMatchObject({ statusCode: 429, errorCode: 'RATE_LIMITED' });
    expect(refused?.headers['retry-after']).toBe(refused?.headers['ratelimit-reset']);
  });
});

describe('time', () => {
  test('LIMIT-08 LIMIT-11 the block ends with the window, and the next window is full', async () => {
    const client = fresh(account.admin.token);
    await burst(61, () => me(client));
    const key = `limit:address:${client.address}`;
    const ttlMs = await platform.api.redis.pttl(key);
    expect(ttlMs).toBeGreaterThan(0);
    expect(ttlMs).toBeLessThanOrEqual(60_000);

    // The end of the window: it ends when the counter expires.
    await platform.api.redis.pexpire(key, 30_000);
    const blocked = await me(client);
    expect(blocked.status).toBe(429);
    expect(Number(blocked.headers['ratelimit-reset'])).toBeLessThanOrEqual(30);
    await platform.api.redis.pexpire(key, 1);
    await expect.poll(() => platform.api.redis.exists(key), { timeout: 120_000, interval: 5 }).toBe(0);
    const next = await me(client);
    expect(next.status).toBe(200);
    expect(remaining(next)).toBe(59);
  });

  test('LIMIT-11 a window is fixed: requests do not prolong it', async () => {
    const client = fresh(account.admin.token);
    await me(client);
    const key = `limit:address:${client.address}`;
    await platform.api.redis.pexpire(key, 45_000);
    await burst(70, () => me(client));
    const ttlMs = await platform.api.redis.pttl(key);
    expect(ttlMs).toBeGreaterThan(0);
    expect(ttlMs).toBeLessThanOrEqual(45_000);
  });
});
