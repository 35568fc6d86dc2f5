import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../harness/client.ts';
import { createAccount, password, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;

beforeAll(async () => {
  platform = await startPlatform();
  account = await createAccount(platform);
});
afterAll(() => platform.close());

/** Logs in to the console and returns the headers of requests of its pages. */
async function logIn(client: Client): Promise<{ headers: Record<string, string> }> {
  const { headers } = await client.post('/console/session', { email: account.admin.email, password });
  const cookie = String(headers['set-cookie']).split(';')[0] ?? '';
  return { headers: { cookie, 'x-disca-console': '1' } };
}

const remaining = ({ headers }: { headers: Record<string, unknown> }): number =>
  Number(headers['ratelimit-remaining']);

/** Sends requests in small groups and returns how many of them have each status. */
async function countStatuses(times: number, send: () => Promise<{ status: number }>) {
  const counts: Record<number, number> = {};
  for (let sent = 0; sent < times; sent += 20) {
    const group = Array.from({ length: Math.min(20, times - sent) }, send);
    for (const { status } of await Promise.all(group)) counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

test('LIMIT-32 a console session has 300 requests per minute, apart from its address and user', async () => {
  const client = platform.client();
  const [session, other] = [await logIn(client), await logIn(client)];
  const first = await client.get('/users/me', session);
  expect(first.headers['ratelimit-limit']).toBe('300');
  expect(remaining(first)).toBe(299);
  // Routes with a limit by address and routes with one by user share the limit of the session.
  expect(remaining(await client.get('/users/me/context', session))).toBe(298);
  expect(remaining(await client.get('/unknown', session))).toBe(297);
  expect(await countStatuses(300, () => client.get('/extensions', session))).toEqual({ 200: 297, 429: 3 });
  const refused = await client.get('/users/me', session);
  expect(refused.status).toBe(429);
  expect(refused.body.error.errorCode).toBe('RATE_LIMITED');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  // Another session of the same user, and a token at the same address, are not affected.
  expect(remaining(await client.get('/users/me', other))).toBe(299);
  const withToken = await platform.client(account.admin.token).from(client.address).get('/users/me');
  expect(withToken.headers['ratelimit-limit']).toBe('60');
  expect(remaining(withToken)).toBe(59);
});

test('LIMIT-32 other limits apply to a console session, and an invalid one counts against its address', async () => {
  const client = platform.client();
  const session = await logIn(client);
  const hungUp = await client.post('/calls/019a8f00-0000-7000-8000-000000000000/hangup', {}, session);
  expect(hungUp.headers['ratelimit-limit']).toBe('30');
  const forged = { headers: { ...session.headers, cookie: `${session.headers.cookie}x` } };
  expect(await countStatuses(65, () => client.get('/users/me', forged))).toEqual({ 401: 60, 429: 5 });
  expect((await client.get('/users/me', session)).status).toBe(200);
  const logins = await countStatuses(10, () =>
    client.post('/console/session', { email: account.admin.email, password }),
  );
  expect(logins).toEqual({ 204: 9, 429: 1 });
});

test('LIMIT-35 a console session lists calls within its 300 requests; a token keeps its 15', async () => {
  const client = platform.client();
  const session = await logIn(client);
  const statuses = await countStatuses(40, () => client.get('/calls?page=1', session));
  expect(statuses).toEqual({ 200: 40 });
  const listed = await client.get('/calls?page=1', session);
  expect([listed.headers['ratelimit-limit'], remaining(listed)]).toEqual(['300', 259]);
  const withToken = platform.client(account.admin.token);
  expect(await countStatuses(16, () => withToken.get('/calls?page=1'))).toEqual({ 200: 15, 429: 1 });
});
