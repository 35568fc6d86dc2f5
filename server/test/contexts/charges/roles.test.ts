import { afterAll, beforeAll, expect, test } from 'vitest';
import { chargeBody, create } from '../../harness/fixtures/charges.ts';
import { createAccount, type Person, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;
let user: Person;
let id: number;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  account = await createAccount(platform);
  user = await account.addUser('USER');
  ({ id } = await create(platform, account));
});
afterAll(() => platform.close());

const requests: [string, string, () => Record<string, unknown>][] = [
  ['GET', '/accounts/financial', () => ({})],
  ['POST', '/accounts/financial', () => ({ body: { cpfCnpj: '52998224725' } })],
  ['PUT', '/accounts/financial', () => ({ body: { phone: '1133334444' } })],
  ['GET', '/charges', () => ({ query: { page: '1' } })],
  ['PATCH', '/charges/{id}/cancel', () => ({})],
  ['POST', '/charges', () => ({ body: chargeBody(platform) })],
];
const fillPath = (path: string) => path.replace('{id}', String(id));

test('AUTH-16 covers all methods of the three paths', () => {
  const described = [...new Set(requests.map(([, path]) => path))].flatMap((path) =>
    Object.keys(platform.document.paths[path] ?? {}).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.filter((each) => !each.startsWith('HEAD')).sort()).toEqual(
    requests.map(([method, path]) => `${method} ${path}`).sort(),
  );
});

test.each(requests)('AUTH-16 rejects a USER: %s %s', async (method, path, options) => {
  const answer = await user.client.request(method, fillPath(path), options());
  expect(answer).toMatchObject({ status: 403, body: { error: { errorCode: 'ACCESS_DENIED' } } });
});

test.each(requests)('AUTH-16 rejects a USER before validation: %s %s', async (method, path) => {
  const nonsense = path.replace('{id}', '999999');
  const answer = await user.client.request(method, nonsense, method === 'GET' ? {} : { body: {} });
  expect(answer).toMatchObject({ status: 403, body: { error: { errorCode: 'ACCESS_DENIED' } } });
});

test('AUTH-16 a rejected USER has changed nothing', async () => {
  const { body } = await account.admin.client.get('/accounts/financial');
  expect(body).toMatchObject({ status: 'PENDING', cpfCnpj: null });
  const { body: charge } = await account.admin.client.get(`/charges/${id}`);
  expect(charge.status).toBe('PENDING');
});

test.each(requests)('AUTH-16 serves an ADMIN: %s %s', async (method, path, options) => {
  const { status } = await account.admin.client.request(method, fillPath(path), options());
  expect(status).toBe(200);
});
