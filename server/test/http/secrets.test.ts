import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount, logIn, signupBody } from '../harness/people.ts';
import { type Platform, startPlatform } from '../harness/platform.ts';

let platform: Platform;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
});
afterAll(() => platform.close());

/** Secrets used in the tests, by label; each is searched for in every logged line. */
const secrets: Record<string, string> = {};
const keep = (name: string, secret: string): string => {
  secrets[name] = secret;
  return secret;
};

test('USER-02 no canary secret appears in a log line', async () => {
  const sink = await platform.mail();
  const { admin } = await createAccount(platform);
  const person = await logIn(platform, admin.email);
  keep('login token', admin.token);
  keep('another token', person.token);

  // Passwords in bodies: correct ones, wrong ones, and those in rejected bodies.
  const client = platform.client();
  await client.post('/accounts/signup', signupBody({ password: keep('signup password', 'canary-signup-1') }));
  await client.post(
    '/accounts/signup',
    signupBody({ password: keep('rejected password', 'canary-refused-2'), phone: 1 }),
  );
  await client.post('/users/login', {
    email: admin.email,
    password: keep('wrong password', 'canary-wrong-3'),
  });
  await client.post('/users/login', { senha: keep('unknown field', 'canary-field-4') });
  await client.post('/users/login', undefined, {
    raw: `{"password":"${keep('malformed body', 'canary-malformed-5')}`,
    headers: { 'content-type': 'application/json' },
  });
  const change = {
    oldPassword: keep('old password', 'canary-old-6'),
    newPassword: keep('new password', 'canary-new-7'),
  };
  await admin.client.post('/users/change-password', change);

  // Tokens in headers of every accepted form, and in wrong places.
  const query = { access_token: keep('query token', 'canary-query-8') };
  await client.get('/users/me', { query });
  await client.get('/no/such/route', {
    query: { token: keep('query of an unknown route', 'canary-query-9') },
  });
  await client.get('/users/me', { headers: { authorization: keep('unknown token', 'canary-header-10') } });
  await client.get('/users/me', {
    headers: { authorization: `Bearer ${keep('bearer', 'canary-bearer-11')}` },
  });
  await client.get('/users/me', { headers: { 'x-access-token': keep('other header', 'canary-other-12') } });
  await client.get('/users/me', { headers: { cookie: `session=${keep('cookie', 'canary-cookie-13')}` } });
  await client.get('/users/me', { headers: { 'x-request-id': keep('invalid request id', 'canary id 14') } });
  await client.get('/accounts/confirm', {
    query: { token: keep('confirmation token', 'canary-confirm-15') },
  });
  const made = (await admin.client.post('/users/accessTokens', { ttl: 60 })).body.id;
  keep('a created token', made);
  await admin.client.delete(`/users/accessTokens/${made}`);

  // Links in mails, opened or not.
  await client.post('/users/reset', { email: admin.email });
  const mail = await sink.waitFor(({ links }) => links.some((link) => link.includes('reset-password')));
  const reset = new URL(mail.links.find((link) => link.includes('reset-password')) ?? '');
  const token = keep('reset token', reset.searchParams.get('token') ?? '');
  await client.post('/users/reset-password', { token, password: 'short' });
  await client.post('/users/reset-password', { token, password: keep('reset password', 'canary-reset-16') });
  // Mails may arrive in another order than they were queued.
  await sink.waitFor(({ links }) => links.some((link) => link.includes('/confirm?')));
  const confirmation = sink
    .messages()
    .flatMap(({ links }) => links.filter((link) => link.includes('/confirm?')));
  for (const [index, link] of confirmation.entries()) {
    const { search, searchParams } = new URL(link);
    keep(`confirmation link ${index}`, searchParams.get('token') ?? '');
    await client.get(`/accounts/confirm${search}`);
  }
  expect(confirmation.length).toBeGreaterThan(0);
  expect(Object.keys(secrets).length).toBeGreaterThan(20);
});

test('failures are logged without the secrets of their requests', async () => {
  const { admin } = await createAccount(platform);
  keep('token of a failing request', admin.token);
  await platform.database.query('alter table access_tokens rename column ttl_seconds to lifetime');
  const failed = await platform.client().post('/users/login', {
    email: admin.email,
    password: keep('password of a failing request', 'correct horse battery'),
  });
  await admin.client.post('/users/accessTokens', {});
  await platform.database.query('alter table access_tokens rename column lifetime to ttl_seconds');
  expect(failed.status).toBe(500);

  const original = platform.api.app.passwords.hash;
  platform.api.app.passwords.hash = () =>
    Promise.reject(
      Object.assign(new Error('hashing failed'), {
        password: 'canary-error-17',
        options: { token: 'canary-error-18' },
      }),
    );
  keep('property of an error', 'canary-error-17');
  keep('property of a property of an error', 'canary-error-18');
  await platform.client().post('/accounts/signup', signupBody());
  platform.api.app.passwords.hash = original;
});

test('every logged line is free of every secret, and still describes what happened', () => {
  const log = platform.logLines.join('\n');
  const leaked = Object.entries(secrets).filter(
    ([, secret]) => log.includes(secret) || log.includes(encodeURIComponent(secret)),
  );
  expect(leaked.map(([name]) => name)).toEqual([]);

  const lines = platform.logLines.map((line) => JSON.parse(line));
  const requests = lines.filter(({ msg }) => msg === 'request');
  expect(requests.length).toBeGreaterThan(20);
  expect(
    requests.every(({ requestId, status, route, address }) => requestId && status && route && address),
  ).toBe(true);
  expect(requests.find(({ route }) => route === '/api/v1/accounts/confirm')?.path).toBe(
    '/api/v1/accounts/confirm',
  );
  expect(lines.some(({ msg, err }) => msg === 'request failed' && err.message === 'hashing failed')).toBe(
    true,
  );
});
