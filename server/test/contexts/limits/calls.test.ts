import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer } from '../../harness/client.ts';
import { addDeck, giveCredit } from '../../harness/fixtures/billing.ts';
import { createCallingAccount } from '../../harness/fixtures/call-limits.ts';
import { createAccount, logIn, type Person, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';
import { waitForRedis } from '../../harness/wait-for-redis.ts';

let platform: Platform;
let account: TestAccount;

beforeAll(async () => {
  platform = await startPlatform();
  waitForRedis(platform);
  await addDeck(platform, [{ prefix: '55', price: 0.6 }]);
  account = await createAccount(platform);
  await giveCredit(platform, account.id, 100);
});
afterAll(() => platform.close());

/** Counts the requests that passed the limit, whatever their response was. */
async function countServed(count: number, ask: () => Promise<Answer>): Promise<number> {
  const answers = await Promise.all(Array.from({ length: count }, ask));
  return answers.filter(({ body }) => body?.error?.errorCode !== 'RATE_LIMITED').length;
}

const call = ({ token }: Person, extension?: unknown) =>
  platform.client(token).post('/calls', { called: '5511987654321', extension });
const dial = ({ token }: Person, extension?: unknown) =>
  platform.client(token).post('/dialer', { phone: '5511987654321', extension, metadata: {} });

test('LIMIT-01 rejects the 16th call per minute of an extension; limits are per extension and user', async () => {
  const [one, other] = [await account.addUser(), await account.addUser()];
  expect(await countServed(16, () => call(one, '1000'))).toBe(15);
  expect(await countServed(16, () => call(one, '1001'))).toBe(15);
  expect(await countServed(16, () => call(other, '1000'))).toBe(15);
});

test('LIMIT-01 LIMIT-10 placed and rejected calls count equally; the 16th gets Retry-After', async () => {
  const calling = await createCallingAccount(platform);
  await calling.cap({ callsPerSecond: 100, concurrentCalls: 100 });
  const answers: Answer[] = [];
  // Five each of invalid, not allowed and placed calls.
  for (let attempt = 0; attempt < 5; attempt += 1) {
    answers.push(await calling.call('123456'), await calling.call('190'), await calling.call());
  }
  expect(answers.map(({ status }) => status)).toEqual(
    Array.from({ length: 5 }, () => [422, 403, 200]).flat(),
  );
  expect(answers.at(-1)?.headers['ratelimit-remaining']).toBe('0');
  const refused = await calling.call();
  expect([refused.status, refused.body.error.errorCode]).toEqual([429, 'RATE_LIMITED']);
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
  expect(await calling.running()).toBe(5);
});

test('LIMIT-01 LIMIT-06 the extension limit counts all tokens of its user together', async () => {
  const user = await account.addUser();
  const again = await logIn(platform, user.email);
  expect(await countServed(10, () => call(user, '1000'))).toBe(10);
  expect(await countServed(10, () => call(again, '1000'))).toBe(5);
});

test('LIMIT-01 a missing or malformed extension counts for the user alone', async () => {
  const user = await account.addUser();
  const malformed = [undefined, null, true, '', 'x', '1', '123456789', '10 00', { a: 1 }];
  let attempt = 0;
  expect(await countServed(18, () => call(user, malformed[attempt++ % malformed.length]))).toBe(15);
  expect(await countServed(1, () => call(user, '1000'))).toBe(1);
  // The same extension, as a number.
  expect(await countServed(16, () => call(user, 1000))).toBe(14);
});

test('LIMIT-02 the dialer has a separate limit of 15 per extension and user', async () => {
  const [one, other] = [await account.addUser(), await account.addUser()];
  expect(await countServed(16, () => call(one, '1000'))).toBe(15);
  expect(await countServed(16, () => dial(one, '1000'))).toBe(15);
  expect(await countServed(16, () => dial(one, '1001'))).toBe(15);
  expect(await countServed(16, () => dial(other, '1000'))).toBe(15);
});

test('LIMIT-03 hang-up has 30 per minute and the list of calls 15, per user and separately', async () => {
  const [one, other] = [await account.addUser(), await account.addUser()];
  const hangUp =
    ({ token }: Person, id: string) =>
    () =>
      platform.client(token).post(`/calls/${id}/hangup`);
  const [first, second] = [randomUUID(), randomUUID()];
  expect(await countServed(20, hangUp(one, first))).toBe(20);
  expect(await countServed(20, hangUp(one, second))).toBe(10);
  const list = ({ token }: Person) => platform.client(token).get('/calls', { query: { page: '1' } });
  expect(await countServed(16, () => list(one))).toBe(15);
  expect(await countServed(1, hangUp(other, first))).toBe(1);
  expect(await countServed(1, () => list(other))).toBe(1);
});

test('CTRL-12 commands for running calls have 60 per minute and user, all together', async () => {
  const [one, other] = [await account.addUser(), await account.addUser()];
  const id = randomUUID();
  const command = ({ token }: Person, name: string) => platform.client(token).post(`/calls/${id}/${name}`);
  const names = ['hold', 'unhold', 'mute', 'unmute', 'transfer/complete', 'transfer/cancel'];
  let sent = 0;
  expect(await countServed(61, () => command(one, names[sent++ % names.length] ?? ''))).toBe(60);
  const adding = { to: '5511987654321', kind: 'blind' };
  const client = platform.client(one.token);
  expect(await countServed(1, () => client.post(`/calls/${id}/transfer`, adding))).toBe(0);
  expect(await countServed(1, () => client.post(`/calls/${id}/conference`, { to: adding.to }))).toBe(0);
  expect(await countServed(1, () => command(other, 'hold'))).toBe(1);
});

test('LIMIT-07 LIMIT-10 extension limit headers are on every response, even for an unreadable body', async () => {
  const user = await account.addUser();
  const first = await call(user, '1000');
  expect(first.headers).toMatchObject({ 'ratelimit-limit': '15', 'ratelimit-remaining': '14' });
  const unreadable = await platform.client(user.token).post('/calls', undefined, {
    raw: '{',
    headers: { 'content-type': 'application/json' },
  });
  expect(unreadable.status).toBe(400);
  expect(unreadable.headers).toMatchObject({ 'ratelimit-limit': '15', 'ratelimit-remaining': '14' });
});

test('LIMIT-14 calls without a valid token count for the address', async () => {
  const anonymous = platform.client();
  for (const extension of ['1000', '1001']) {
    const answer = await anonymous.post('/calls', { extension });
    expect(answer.status).toBe(401);
    expect(answer.headers['ratelimit-limit']).toBe('60');
  }
  expect(await platform.api.redis.get(`limit:address:${anonymous.address}`)).toBe('2');
});
