import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, Client } from '../../harness/client.ts';
import { createAccount, password, signupBody, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;

beforeAll(async () => {
  platform = await startPlatform();
  account = await createAccount(platform);
});
afterAll(() => platform.close());

const readCookie = (answer: Answer): string => String(answer.headers['set-cookie']).split(';', 1)[0] ?? '';

/** Headers that a browser adds to a request from a console page. */
const fromConsole = (
  cookie: string,
  more: Record<string, string> = {},
): { headers: Record<string, string> } => ({
  headers: { cookie, 'x-disca-console': '1', ...more },
});

async function logInToConsole(client: Client = platform.client()): Promise<string> {
  const { email } = account.admin;
  const answer = await client.post('/console/session', { email, password });
  expect(answer.status).toBe(204);
  return readCookie(answer);
}

describe('console session', () => {
  test('AUTH-17 keeps its token in an HttpOnly host-only cookie and out of the response body', async () => {
    const { email } = account.admin;
    const answer = await platform.client().post('/console/session', { email, password });
    expect(answer.text).toBe('');
    expect(answer.headers['set-cookie']).toMatch(
      /^__Host-disca=[\w-]{64}; Max-Age=7776000; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
    );
  });

  test('AUTH-18 authenticates requests from console pages', async () => {
    const cookie = await logInToConsole();
    const client = platform.client();
    const own = { origin: 'https://disca.example', host: 'disca.example' };
    const behindProxy = {
      origin: 'https://disca.example',
      host: 'api:3000',
      'sec-fetch-site': 'same-origin',
    };
    expect((await client.get('/users/me', fromConsole(cookie))).body.email).toBe(account.admin.email);
    expect((await client.get('/users/me', fromConsole(cookie, own))).status).toBe(200);
    expect((await client.get('/users/me', fromConsole(cookie, behindProxy))).status).toBe(200);
    const changed = await client.patch('/users', { locale: 'en' }, fromConsole(cookie, own));
    expect(changed.status).toBe(200);
  });

  test('AUTH-18 is ignored without the header that other sites cannot add', async () => {
    const cookie = await logInToConsole();
    const answer = await platform.client().get('/users/me', { headers: { cookie } });
    expect([answer.status, answer.body.error.errorCode]).toEqual([401, 'AUTHORIZATION_REQUIRED']);
    const wrong = await platform.client().get('/users/me', fromConsole(cookie, { 'x-disca-console': '0' }));
    expect(wrong.status).toBe(401);
  });

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['an opaque origin', { origin: 'null' }],
    ['our host on another port', { origin: 'http://disca.example:81', host: 'disca.example' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another host of our site', { 'sec-fetch-site': 'same-site' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
  ])('AUTH-18 is ignored in a request from %s', async (_name, headers) => {
    const cookie = await logInToConsole();
    for (const method of ['GET', 'PATCH']) {
      const answer = await platform.client().request(method, method === 'GET' ? '/users/me' : '/users', {
        ...fromConsole(cookie, headers),
        ...(method === 'PATCH' ? { body: { name: 'Mallory' } } : {}),
      });
      expect([answer.status, answer.body.error.errorCode]).toEqual([401, 'AUTHORIZATION_REQUIRED']);
    }
  });

  test('AUTH-18 no preflight allows the header or credentials, so that no other site can add them', async () => {
    const asked = {
      origin: 'https://evil.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x-disca-console',
    };
    const { headers } = await platform.client().request('OPTIONS', '/users/me', { headers: asked });
    expect(headers['access-control-allow-headers']).not.toMatch(/disca|\*/i);
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    const session = await platform.client().request('OPTIONS', '/console/session', { headers: asked });
    expect(Object.keys(session.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('AUTH-18 a token in the Authorization header takes precedence', async () => {
    const cookie = await logInToConsole();
    const other = await account.addUser();
    const answer = await other.client.get('/users/me', fromConsole(cookie));
    expect(answer.body.email).toBe(other.email);
    const broken = await platform.client('nonsense').get('/users/me', fromConsole(cookie));
    expect([broken.status, broken.body.error.errorCode]).toEqual([401, 'INVALID_TOKEN']);
  });

  test('AUTH-18 is not read from a cookie with another name, nor from the query', async () => {
    const [, token] = (await logInToConsole()).split('=');
    for (const cookie of [`disca=${token}`, `x__Host-disca=${token}`, `__Host-disca2=${token}`])
      expect((await platform.client().get('/users/me', fromConsole(cookie))).status).toBe(401);
    expect(
      (await platform.client().get('/users/me', fromConsole(`a=1; __Host-disca=${token}; b=2`))).status,
    ).toBe(200);
  });

  test('AUTH-17 ends on logout, and logout always clears the cookie', async () => {
    const cookie = await logInToConsole();
    const left = await platform.client().delete('/console/session', fromConsole(cookie));
    expect(left.status).toBe(204);
    expect(left.headers['set-cookie']).toMatch(/^__Host-disca=; Max-Age=0; Path=\/; Secure; HttpOnly/);
    const after = await platform.client().get('/users/me', fromConsole(cookie));
    expect([after.status, after.body.error.errorCode]).toEqual([401, 'INVALID_TOKEN']);
    expect((await platform.client().delete('/console/session')).status).toBe(204);
  });

  test('AUTH-18 a logout from another site has no effect', async () => {
    const cookie = await logInToConsole();
    await platform
      .client()
      .delete('/console/session', fromConsole(cookie, { origin: 'https://evil.example' }));
    expect((await platform.client().get('/users/me', fromConsole(cookie))).status).toBe(200);
  });

  test('AUTH-17 is listed as a token named Console and can be revoked as one', async () => {
    const cookie = await logInToConsole();
    const prefix = cookie.split('=')[1]?.slice(0, 8);
    const { body } = await account.admin.client.list('/users/accessTokens', { where: { name: 'Console' } });
    expect(body).toContainEqual(expect.objectContaining({ prefix, name: 'Console', ttl: 1_209_600 }));
    await account.admin.client.delete(`/users/accessTokens/${prefix}`);
    expect((await platform.client().get('/users/me', fromConsole(cookie))).status).toBe(401);
  });

  test('AUTH-17 the eleventh session of a user ends the oldest session and no other token', async () => {
    const user = await account.addUser();
    const first = await platform.client().post('/console/session', { email: user.email, password });
    for (let more = 1; more <= 10; more += 1) {
      platform.clock.advance(1);
      await platform.client().post('/console/session', { email: user.email, password });
    }
    expect((await platform.client().get('/users/me', fromConsole(readCookie(first)))).status).toBe(401);
    const { body } = await user.client.get('/users/accessTokens');
    expect(body.filter(({ name }: { name: string | null }) => name === 'Console')).toHaveLength(10);
    expect((await user.client.get('/users/me')).status).toBe(200);
  });

  test('AUTH-17 audits evicted sessions, and does not identify a session by its token name', async () => {
    const user = await account.addUser();
    await platform.database.query(
      `insert into access_tokens (hash, prefix, account_id, user_id, ttl_seconds, name, created_at, expires_at)
         select sha256('older than the rule'), 'abcdefgh', account_id, id, -1, 'Console', now() - interval '1 day', 'infinity'
           from users where uuid = $1`,
      [user.uuid],
    );
    const first = await platform.client().post('/console/session', { email: user.email, password });
    for (let more = 1; more <= 10; more += 1) {
      platform.clock.advance(1);
      await platform.client().post('/console/session', { email: user.email, password });
    }
    const { body: tokens } = await user.client.get('/users/accessTokens');
    expect(tokens).toContainEqual(expect.objectContaining({ prefix: 'abcdefgh' }));
    const revoked = await platform.database.query(
      `select actor_uuid, target_id from audit_entries where action = 'token.revoke' and actor_uuid = $1`,
      [user.uuid],
    );
    const prefix = readCookie(first).split('=')[1]?.slice(0, 8);
    expect(revoked).toEqual([{ actor_uuid: user.uuid, target_id: prefix }]);
  });

  test('AUTH-17 no other token may be named Console', async () => {
    const { client } = account.admin;
    for (const name of ['Console', 'console', ' CONSOLE '])
      expect((await client.post('/users/accessTokens', { name })).status).toBe(422);
  });

  test('AUTH-17 a new login ends the previous session of the browser and no other token', async () => {
    const user = await account.addUser();
    const credentials = { email: user.email, password };
    const former = readCookie(await platform.client().post('/console/session', credentials));
    const next = readCookie(
      await platform.client().post('/console/session', credentials, fromConsole(former)),
    );
    expect((await platform.client().get('/users/me', fromConsole(former))).status).toBe(401);
    expect((await platform.client().get('/users/me', fromConsole(next))).status).toBe(200);
    const wrong = { ...credentials, password: 'wrong password' };
    await platform.client().post('/console/session', wrong, fromConsole(next));
    expect((await platform.client().get('/users/me', fromConsole(next))).status).toBe(200);
    await user.client.post('/console/session', credentials);
    expect((await user.client.get('/users/me')).status).toBe(200);
  });

  test('AUTH-17 is rejected like an API login, and shares its failure count', async () => {
    const client = platform.client();
    const wrong = { email: account.admin.email, password: 'wrong password' };
    const refused = await client.post('/console/session', wrong);
    expect([refused.status, refused.body.error.errorCode]).toEqual([401, 'LOGIN_FAILED']);
    expect(refused.headers['set-cookie']).toBeUndefined();
    const pending = signupBody();
    await platform.client().post('/accounts/signup', pending);
    const early = await client.post('/console/session', { email: pending.email, password });
    expect(early.body.error.errorCode).toBe('LOGIN_FAILED_EMAIL_NOT_VERIFIED');
    const counted = await client.post('/users/login', wrong);
    expect([counted.headers['ratelimit-limit'], counted.headers['ratelimit-remaining']]).toEqual(['10', '7']);
  });
});

test('TOKEN-14 a token may be given a name, which the list returns', async () => {
  const { client } = await account.addUser();
  const made = await client.post('/users/accessTokens', { name: 'CRM' });
  expect(Object.keys(made.body).sort()).toEqual(['created', 'id', 'ttl']);
  const { body } = await client.get('/users/accessTokens');
  expect(body.map(({ name }: { name: string | null }) => name).sort()).toEqual(['CRM', null].sort());
  expect((await client.post('/users/accessTokens', { name: 'x'.repeat(61) })).status).toBe(422);
});

test('SIGNUP-19 returns the options of the sign-up form', async () => {
  const { status, body } = await platform.client().get('/accounts/signup');
  expect(status).toBe(200);
  expect(body.domainSuffix).toBe('.disca.test');
  expect(body.crmNames).toContain('Pipedrive');
  for (const [user_quantity, crm] of body.userQuantities.map((each: string, place: number) => [
    each,
    body.crmNames[place],
  ])) {
    const made = await platform.client().post('/accounts/signup', signupBody({ user_quantity, crm }));
    expect(made.status).toBe(201);
  }
});
