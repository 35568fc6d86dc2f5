import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../harness/client.ts';
import { mailsTo } from '../../harness/mailbox.ts';
import { createAccount, signupBody } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;

beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.close());

const signUp = (client: Client, changes: Record<string, unknown> = {}) =>
  client.post('/accounts/signup', signupBody(changes));

test('SIGNUP-15 rejects the sixth sign-up per hour from one address; others are not affected', async () => {
  const client = platform.client();
  for (let signups = 1; signups <= 5; signups++) expect((await signUp(client)).status).toBe(201);

  const body = signupBody();
  const refused = await client.post('/accounts/signup', body);
  expect(refused.status).toBe(429);
  expect(refused.body.error.errorCode).toBe('RATE_LIMITED');
  expect(Number(refused.headers['ratelimit-reset'])).toBeGreaterThan(3_500);
  expect(Number(refused.headers['ratelimit-reset'])).toBeLessThanOrEqual(3_600);
  expect(refused.headers['retry-after']).toBe(refused.headers['ratelimit-reset']);
  const made = await platform.database.query('select from accounts where domain = $1', [body.domain]);
  expect(made).toEqual([]);
  expect((await platform.client().post('/accounts/signup', body)).status).toBe(201);
});

test('SIGNUP-15 five of several concurrent sign-ups succeed', async () => {
  const client = platform.client();
  const answers = await Promise.all(Array.from({ length: 12 }, () => signUp(client)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(7);
});

test('SIGNUP-15 a sign-up with an invalid field does not consume rate limit', async () => {
  const client = platform.client();
  for (let faults = 1; faults <= 8; faults++) {
    expect((await signUp(client, { phone: '1' })).status).toBe(422);
    const malformed = await client.post('/accounts/signup', undefined, {
      raw: '{',
      headers: { 'content-type': 'application/json' },
    });
    expect(malformed.status).toBe(400);
  }
  for (let signups = 1; signups <= 5; signups++) expect((await signUp(client)).status).toBe(201);
  expect((await signUp(client)).status).toBe(429);
});

test('SIGNUP-15 a sign-up that is refused because of a duplicate counts', async () => {
  const client = platform.client();
  const { domain, email } = signupBody();
  expect((await signUp(client, { domain, email })).status).toBe(201);
  expect((await signUp(client, { domain })).status).toBe(422);
  expect((await signUp(client, { email })).status).toBe(422);
  expect((await signUp(client, { domain, email })).status).toBe(422);
  expect((await signUp(client)).status).toBe(201);
  expect((await signUp(client, { domain })).status).toBe(429);
  expect((await signUp(client)).status).toBe(429);
});

test('SIGNUP-21 the owner of a duplicate address is mailed once per day, in their language', async () => {
  const { admin } = await createAccount(platform);
  await admin.client.patch('/users', { locale: 'en' });
  const notices = async () =>
    (await mailsTo(platform, admin.email)).filter(({ template }) => template === 'sign-up-refused');
  expect(await notices()).toEqual([]);
  expect((await signUp(platform.client(), { email: admin.email, phone: '1' })).status).toBe(422);
  expect(await notices()).toMatchObject([{ to: admin.email, locale: 'en' }]);
  expect((await signUp(platform.client(), { email: admin.email.toUpperCase() })).status).toBe(422);
  expect(await notices()).toHaveLength(1);
  const address = createHash('sha256').update(admin.email).digest('base64url');
  const key = `limit:mail-daily:sign-up-refused:${address}`;
  expect(await platform.api.redis.pttl(key)).toBeGreaterThan(23.9 * 3_600_000);
  await platform.api.redis.del(key);
  expect((await signUp(platform.client(), { email: admin.email })).status).toBe(422);
  expect(await notices()).toHaveLength(2);
});

test('SIGNUP-21 an address of an unconfirmed sign-up gets no notice', async () => {
  const { email } = signupBody();
  expect((await signUp(platform.client(), { email })).status).toBe(201);
  expect((await signUp(platform.client(), { email })).status).toBe(422);
  expect((await mailsTo(platform, String(email))).map(({ template }) => template)).toEqual(['confirm-email']);
});

test('SIGNUP-15 the limit resets after an hour', async () => {
  const client = platform.client();
  for (let signups = 1; signups <= 6; signups++) await signUp(client);
  const key = `limit:signup:${client.address}`;
  expect(await platform.api.redis.pttl(key)).toBeGreaterThan(3_500_000);
  await platform.api.redis.pexpire(key, 1);
  await expect.poll(() => platform.api.redis.exists(key), { timeout: 120_000, interval: 5 }).toBe(0);
  expect((await signUp(client)).status).toBe(201);
});
