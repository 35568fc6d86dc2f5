import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount, logIn, type Person, type TestAccount } from '../harness/people.ts';
import { type Platform, startPlatform } from '../harness/platform.ts';

let platform: Platform;
let account: TestAccount;

beforeAll(async () => {
  platform = await startPlatform();
  account = await createAccount(platform);
});
afterAll(() => platform.close());

const clientOf = (token?: string) => platform.client(token);

/** How many of so many requests got past the limits. What they ask for need not exist: it counts all the same. */
async function servedOf(count: number, ask: () => Promise<{ status: number }>): Promise<number> {
  const answers = await Promise.all(Array.from({ length: count }, ask));
  const known = [200, 404, 422, 429];
  expect(answers.map(({ status }) => status).filter((status) => !known.includes(status))).toEqual([]);
  return answers.filter(({ status }) => status !== 429).length;
}

const called = '5511987654321';
const call = ({ token }: Person, extension?: unknown, route = '/calls') =>
  clientOf(token).post(route, { [route === '/calls' ? 'called' : 'phone']: called, extension });

test('LIMIT-01 the sixteenth call a minute from one extension is refused, and another extension or user has its own 15', async () => {
  const [one, other] = [await account.addUser(), await account.addUser()];
  expect(await servedOf(16, () => call(one, '1000'))).toBe(15);
  expect(await servedOf(16, () => call(one, '1001'))).toBe(15);
  expect(await servedOf(16, () => call(other, '1000'))).toBe(15);
});

test('LIMIT-01 LIMIT-06 the limit of an extension counts all tokens of its user together', async () => {
  const user = await account.addUser();
  const again = await logIn(platform, user.email);
  expect(await servedOf(10, () => call(user, '1000'))).toBe(10);
  expect(await servedOf(10, () => call(again, '1000'))).toBe(5);
});

test('LIMIT-01 a missing or malformed extension counts under the user alone', async () => {
  const user = await account.addUser();
  const malformed = [undefined, null, 1000, '', 'x', '1', '123456789', '10 00', { a: 1 }];
  let turn = 0;
  expect(await servedOf(18, () => call(user, malformed[turn++ % malformed.length]))).toBe(15);
  expect(await servedOf(1, () => call(user, '1000'))).toBe(1);
});

test('LIMIT-02 the dialer has its own 15 for each extension and user, apart from calls', async () => {
  const [one, other] = [await account.addUser(), await account.addUser()];
  expect(await servedOf(16, () => call(one, '1000'))).toBe(15);
  expect(await servedOf(16, () => call(one, '1000', '/dialer'))).toBe(15);
  expect(await servedOf(16, () => call(one, '1001', '/dialer'))).toBe(15);
  expect(await servedOf(16, () => call(other, '1000', '/dialer'))).toBe(15);
});

test('LIMIT-03 hanging up has 30 a minute and the list of calls 15, each for a user and apart', async () => {
  const [one, other] = [await account.addUser(), await account.addUser()];
  const hangUp =
    ({ token }: Person, id: string) =>
    () =>
      clientOf(token).post(`/calls/${id}/hangup`);
  expect(await servedOf(20, hangUp(one, 'a'))).toBe(20);
  expect(await servedOf(20, hangUp(one, 'b'))).toBe(10);
  const list = ({ token }: Person) => clientOf(token).get('/calls', { query: { page: '1' } });
  expect(await servedOf(16, () => list(one))).toBe(15);
  expect(await servedOf(1, hangUp(other, 'a'))).toBe(1);
  expect(await servedOf(1, () => list(other))).toBe(1);
});

test('LIMIT-07 LIMIT-10 a limit by extension is told on every answer, also when the body could not be read', async () => {
  const user = await account.addUser();
  const first = await call(user, '1000');
  expect(first.headers).toMatchObject({ 'ratelimit-limit': '15', 'ratelimit-remaining': '14' });
  const unreadable = await clientOf(user.token).post('/calls', undefined, {
    raw: '{',
    headers: { 'content-type': 'application/json' },
  });
  expect(unreadable.status).toBe(400);
  expect(unreadable.headers).toMatchObject({ 'ratelimit-limit': '15', 'ratelimit-remaining': '14' });
});

test('LIMIT-14 calls without a valid token count against the address', async () => {
  const stranger = clientOf();
  for (const extension of ['1000', '1001']) {
    const answer = await stranger.post('/calls', { extension });
    expect(answer.status).toBe(401);
    expect(answer.headers['ratelimit-limit']).toBe('60');
  }
  expect(await platform.api.redis.get(`limit:address:${stranger.address}`)).toBe('2');
});
