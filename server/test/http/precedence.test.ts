import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer, Client } from '../harness/client.ts';
import { createAccount, type TestAccount } from '../harness/people.ts';
import { type Platform, startPlatform } from '../harness/platform.ts';

let platform: Platform;
let account: TestAccount;

beforeAll(async () => {
  platform = await startPlatform();
  account = await createAccount(platform);
});
afterAll(() => platform.close());

const json = { 'content-type': 'application/json' };
const tooLarge = { raw: 'x'.repeat(70_000), headers: json };
const notJson = { raw: '<a/>', headers: { 'content-type': 'text/xml' } };
const malformed = { raw: '{', headers: json };
const missing = '019a8f00-0000-7000-8000-000000000000';

async function exhaust(ask: () => Promise<Answer>): Promise<void> {
  const answers = await Promise.all(Array.from({ length: 61 }, ask));
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
}

const outcome = ({ status, body }: Answer): string => `${status} ${body.error.errorCode}`;

test('the address rate limit is checked first', async () => {
  const client = platform.client();
  await exhaust(() => client.get('/users/me'));
  const atFault: [string, string, object][] = [
    ['PATCH', '/accounts', tooLarge],
    ['PATCH', '/accounts', notJson],
    ['PATCH', '/accounts', malformed],
    ['GET', '/users/me', {}],
    ['GET', '/no/such/route', {}],
    ['DELETE', `/users/${missing}`, {}],
    ['GET', '/users?no=such', {}],
  ];
  for (const [method, path, options] of atFault) {
    expect(outcome(await client.request(method, path, options)), path).toBe('429 RATE_LIMITED');
  }
});

test('an unreadable body is reported before the token, the user rate limit and the role', async () => {
  const user = await account.addUser('USER');
  await exhaust(() => user.client.get('/accounts'));
  const callers: Client[] = [platform.client(), platform.client('not a token'), user.client];
  for (const client of callers) {
    for (const path of ['/accounts', '/users']) {
      const patch = (options: object) => client.patch(path, undefined, options);
      expect(outcome(await patch(tooLarge))).toBe('413 PAYLOAD_TOO_LARGE');
      expect(outcome(await patch(notJson))).toBe('415 UNSUPPORTED_MEDIA_TYPE');
      expect(outcome(await patch(malformed))).toBe('400 MALFORMED_REQUEST');
    }
    const change = await client.post('/users/change-password', undefined, malformed);
    expect(outcome(change)).toBe('400 MALFORMED_REQUEST');
  }
});

test('the token is checked before the role, the fields, the query and the object', async () => {
  const anonymous = platform.client();
  expect(outcome(await anonymous.patch('/accounts', { name: '' }))).toBe('401 AUTHORIZATION_REQUIRED');
  expect(outcome(await anonymous.post('/users', { nme: '' }))).toBe('401 AUTHORIZATION_REQUIRED');
  expect(outcome(await anonymous.get('/users?no=such'))).toBe('401 AUTHORIZATION_REQUIRED');
  expect(outcome(await anonymous.delete(`/users/${missing}`))).toBe('401 AUTHORIZATION_REQUIRED');
  expect(outcome(await anonymous.as('x').delete(`/users/${missing}`))).toBe('401 INVALID_TOKEN');
});

test('the user rate limit is checked before the role, the fields and the object', async () => {
  const user = await account.addUser('USER');
  await exhaust(() => user.client.get('/accounts'));
  expect(outcome(await user.client.get('/audit'))).toBe('429 RATE_LIMITED');
  expect(outcome(await user.client.delete(`/users/${missing}`))).toBe('429 RATE_LIMITED');
  expect(outcome(await user.client.post('/users/change-password', {}))).toBe('429 RATE_LIMITED');
  expect(outcome(await user.client.delete('/users/accessTokens/unknown1'))).toBe('429 RATE_LIMITED');
});

test('the role is checked before the fields and the object', async () => {
  const user = await account.addUser('USER');
  expect(outcome(await user.client.patch('/accounts', { name: '', nme: 1 }))).toBe('403 ACCESS_DENIED');
  expect(outcome(await user.client.post('/users', {}))).toBe('403 ACCESS_DENIED');
  expect(outcome(await user.client.get('/audit'))).toBe('403 ACCESS_DENIED');
  expect(outcome(await user.client.delete(`/users/${missing}`))).toBe('403 ACCESS_DENIED');
});

test('the fields are checked before the object, and the object before its state', async () => {
  const { client } = account.admin;
  expect(outcome(await client.patch('/users', { uuid: missing, name: '' }))).toBe('422 VALIDATION_ERROR');
  expect(outcome(await client.patch('/users', { uuid: missing, role: 'USER' }))).toBe('404 NOT_FOUND');
  expect(outcome(await client.patch('/users', { role: 'USER', phone: '1' }))).toBe('422 VALIDATION_ERROR');
  expect(outcome(await client.patch('/users', { role: 'USER' }))).toBe('409 LAST_ADMIN');
});
