import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccount, type Person, password, signupBody, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;
let ana: Person;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  account = await createAccount(platform);
  ana = await account.addUser();
});
afterAll(() => platform.close());

const operations = () =>
  Object.entries(platform.document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path: path.replaceAll(/\{\w+\}/g, 'anything'),
      access: operation['x-access'],
    })),
  );

describe('routes that require a token', () => {
  test('AUTH-01 AUTH-05 all non-public routes reject a request without a token', async () => {
    const guarded = operations().filter(({ access }) => access !== 'PUBLIC');
    expect(guarded.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['GET /users/me', 'PATCH /accounts', 'POST /users/accessTokens', 'GET /audit']),
    );
    for (const { name, method, path } of guarded) {
      const { status, body } = await platform.client().request(method, path);
      expect([name, status, body?.error.errorCode]).toEqual([name, 401, 'AUTHORIZATION_REQUIRED']);
    }
  });

  test('AUTH-01 only the intended operations are public', () => {
    // Payment gateway callbacks carry the gateway's own secret instead of a token.
    const callbacks = ['POST /gateways/{gateway}/events'];
    // Recordings are fetched with a signed link.
    const links = ['GET /recordings/{callId}', 'HEAD /recordings/{callId}'];
    const excluded = [...callbacks, ...links];
    const open = operations().filter(({ name, access }) => access === 'PUBLIC' && !excluded.includes(name));
    expect(open.map(({ name }) => name).sort()).toEqual([
      'DELETE /console/session',
      'GET /accounts/confirm',
      'GET /accounts/signup',
      'GET /openapi.json',
      'HEAD /users/accessTokens',
      'POST /accounts/signup',
      'POST /accounts/signup/resend',
      'POST /console/session',
      'POST /console/session/passkey',
      'POST /console/sso/callback',
      'POST /console/sso/start',
      'POST /users/invitations/accept',
      'POST /users/invitations/open',
      'POST /users/login',
      'POST /users/reset',
      'POST /users/reset-password',
      'POST /users/undo-email',
    ]);
  });

  test('AUTH-01 HEAD /users/accessTokens without a token is rejected with its own status', async () => {
    expect((await platform.client().head('/users/accessTokens')).status).toBe(404);
  });
});

describe('public routes', () => {
  test('AUTH-02 serves sign-up and login without a token', async () => {
    expect((await platform.client().post('/accounts/signup', signupBody())).status).toBe(201);
    const loggedIn = await platform.client().post('/users/login', { email: ana.email, password });
    expect(loggedIn.status).toBe(200);
  });

  test('AUTH-03 serves resend, reset and reset-password without a token', async () => {
    const visitor = platform.client();
    expect((await visitor.post('/accounts/signup/resend', { email: ana.email })).status).toBe(204);
    expect((await visitor.post('/users/reset', { email: ana.email })).status).toBe(204);
    const reset = await visitor.post('/users/reset-password', { token: 'no.such.token', password });
    expect([reset.status, reset.body.error.details[0].path]).toEqual([422, 'token']);
  });

  test('AUTH-02 AUTH-03 ignores an invalid token', async () => {
    const visitor = platform.client('stale');
    expect((await visitor.post('/accounts/signup', signupBody())).status).toBe(201);
    expect((await visitor.post('/users/login', { email: ana.email, password })).status).toBe(200);
    expect((await visitor.post('/users/reset', { email: ana.email })).status).toBe(204);
  });
});

describe('access token', () => {
  test.each([
    ['Authorization: <token>', (token: string) => ({ authorization: token })],
    ['Authorization: Bearer <token>', (token: string) => ({ authorization: `Bearer ${token}` })],
    ['Authorization: bearer <token>', (token: string) => ({ authorization: `bearer  ${token}` })],
    ['X-Access-Token: <token>', (token: string) => ({ 'x-access-token': token })],
  ])('AUTH-04 authenticates its user when sent as %s', async (_way, headers) => {
    for (const person of [ana, account.admin]) {
      const me = await platform.client().get('/users/me', { headers: headers(person.token) });
      expect([me.status, me.body.uuid]).toEqual([200, person.uuid]);
    }
  });

  test.each(['access_token', 'accessToken', 'token', 'authorization', 'Authorization', 'X-Access-Token'])(
    'AUTH-04 is not read from the query parameter %s',
    async (name) => {
      const me = await platform.client().get('/users/me', { query: { [name]: ana.token } });
      expect([me.status, me.body.error.errorCode]).toEqual([401, 'AUTHORIZATION_REQUIRED']);
      const check = await platform.client().head('/users/accessTokens', { query: { [name]: ana.token } });
      expect(check.status).not.toBe(200);
    },
  );

  test.each([
    {},
    { authorization: '' },
    { authorization: ' ' },
    { authorization: 'Bearer' },
    { 'x-access-token': '' },
  ])('AUTH-05 a missing token (%j) returns 401 AUTHORIZATION_REQUIRED', async (headers) => {
    const me = await platform.client().get('/users/me', { headers: headers as Record<string, string> });
    expect([me.status, me.body.error.errorCode]).toEqual([401, 'AUTHORIZATION_REQUIRED']);
  });

  test('AUTH-05 an unknown token returns 401 INVALID_TOKEN, however close to a real one', async () => {
    const almost = `${ana.token.slice(0, -1)}${ana.token.endsWith('A') ? 'B' : 'A'}`;
    const unknown = [
      'x',
      'a'.repeat(64),
      almost,
      `${ana.token}A`,
      `${ana.token}${'A'.repeat(600)}`,
      "' or 1=1 --",
    ];
    for (const token of [...unknown, ana.token.slice(0, 8)]) {
      const me = await platform.client(token).get('/users/me');
      expect([token, me.status, me.body.error.errorCode]).toEqual([token, 401, 'INVALID_TOKEN']);
    }
  });

  test('AUTH-05 an expired or revoked token returns 401 INVALID_TOKEN', async () => {
    const expiring = await ana.client.post('/users/accessTokens', { ttl: 60 });
    const revoked = await ana.client.post('/users/accessTokens', {});
    await ana.client.delete(`/users/accessTokens/${revoked.body.id.slice(0, 8)}`);
    platform.clock.advance(61);
    for (const { body } of [expiring, revoked]) {
      const me = await platform.client(body.id).get('/users/me');
      expect([me.status, me.body.error.errorCode]).toEqual([401, 'INVALID_TOKEN']);
    }
  });

  test('AUTH-05 returns 401 INVALID_TOKEN while its account is blocked, and works again afterwards', async () => {
    const other = await createAccount(platform);
    const setStatus = (status: string) =>
      platform.database.query('update accounts set status = $1 where id = $2', [status, other.id]);
    await setStatus('blocked');
    const me = await other.admin.client.get('/users/me');
    expect([me.status, me.body.error.errorCode]).toEqual([401, 'INVALID_TOKEN']);
    await setStatus('active');
    expect((await other.admin.client.get('/users/me')).status).toBe(200);
  });
});

test('the look-ups of earlier releases find the same user, but no limited token', async () => {
  const hash = createHash('sha256').update(ana.token).digest();
  const rows = await platform.database.query<{ isSame: boolean }>(
    `select to_jsonb(t) = to_jsonb(c) - 'request_handling'
              and to_jsonb(c) = to_jsonb(i) - array['is_service', 'scopes', 'allowed_addresses', 'sees_calls',
                'hears_recordings', 'uses_money', 'uses_webhooks', 'supervises', 'is_console_session',
                'proved_at', 'lacks_factor'] as "isSame"
       from find_token($1, now()) t, find_caller($1, now()) c, caller_of_token($1, now()) i`,
    [hash],
  );
  expect(rows).toEqual([{ isSame: true }]);
  const limited = [{ scopes: ['money'] }, { allowedAddresses: ['::/0'] }];
  const answers = await Promise.all(limited.map((body) => ana.client.post('/users/accessTokens', body)));
  const service = { name: 'CRM', scopes: ['money'] };
  answers.push(await account.admin.client.post('/accounts/accessTokens', service));
  for (const { status, body } of answers) {
    expect(status).toBe(200);
    const hidden = createHash('sha256').update(body.id).digest();
    expect(await platform.database.query('select from find_token($1, now())', [hidden])).toEqual([]);
    expect(await platform.database.query('select from find_caller($1, now())', [hidden])).toEqual([]);
    expect(await platform.database.query('select from caller_of_token($1, now())', [hidden])).toHaveLength(1);
  }
});
