import { beforeAll, expect, test } from 'vitest';
import { listRequests } from '../../harness/fixtures/requests.ts';
import { createAccount, type Person, type TestAccount } from '../../harness/people.ts';
import { type SharedPlatform, sharedPlatform } from '../../harness/platform.ts';

let platform: SharedPlatform;
let account: TestAccount;
let user: Person;

beforeAll(async () => {
  platform = await sharedPlatform();
  account = await createAccount(platform);
  user = await account.addUser('USER');
});

const requestId = (name: string) => ({ headers: { 'x-request-id': name } });
const lenient = (name: string) => ({ headers: { 'x-request-id': name, prefer: 'handling=lenient' } });

test('REQLOG-01 lists refused requests and writes, newest first', async () => {
  const { client } = await account.addUser('USER');
  await client.patch('/users', { name: 'Bia' });
  await client.get('/users/nothing');
  await client.get('/calls', { query: { page: '1', filter: '{' } });
  await client.get('/nowhere');
  const listed = await listRequests(platform, client);
  expect(listed.map(({ method, route, status, errorCode }) => [method, route, status, errorCode])).toEqual([
    ['GET', null, 404, 'NOT_FOUND'],
    ['GET', '/calls', 400, 'INVALID_FILTER'],
    ['GET', null, 405, 'METHOD_NOT_ALLOWED'],
    ['PATCH', '/users', 200, null],
  ]);
});

test('REQLOG-01 lists no successful read, and no request without a valid token', async () => {
  const { client, email } = await account.addUser('USER');
  await client.get('/users/me');
  await client.list('/calls', undefined, { page: '1' });
  await client.head('/users/accessTokens');
  const unowned = requestId('request-without-token');
  const statuses = [
    await client.as(undefined).get('/users/me', unowned),
    await client.as('no-such-token').patch('/users', { name: 'Bia' }, unowned),
    await client.as(undefined).post('/users/login', { email, password: 'a wrong password' }, unowned),
  ].map(({ status }) => status);
  expect(statuses).toEqual([401, 401, 401]);
  expect(await listRequests(platform, client)).toEqual([]);
  // Other tests of this platform record requests whose token is revoked while they are processed.
  const rows = await platform.database.query(
    `select from requests where request_id = 'request-without-token'`,
  );
  expect(rows).toEqual([]);
});

test('REQLOG-02 a refused request is listed with all its properties', async () => {
  const { body } = await user.client.post('/users/accessTokens', { name: 'CRM' });
  const client = user.client.as(body.id);
  const before = Date.now();
  await client.patch('/users', { nome: 'Bia', phone: 1 }, requestId('listed-request-1'));
  const [listed] = await listRequests(platform, client, { where: { requestId: 'listed-request-1' } });
  expect(listed).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    at: expect.stringMatching(/Z$/),
    userUuid: user.uuid,
    method: 'PATCH',
    route: '/users',
    status: 422,
    errorCode: 'VALIDATION_ERROR',
    invalidFields: expect.arrayContaining(['nome', 'phone']),
    ignoredFields: null,
    requestId: 'listed-request-1',
    tokenName: 'CRM',
    address: client.address,
    durationMs: expect.any(Number),
  });
  expect(Date.parse(listed?.at ?? '')).toBeGreaterThanOrEqual(before);
  expect(Date.parse(listed?.at ?? '')).toBeLessThanOrEqual(Date.now());
});

test('REQLOG-01 REQLOG-02 lists lenient reads and writes with the fields they ignored, and no other reads', async () => {
  const { client } = await account.addUser('USER');
  await client.get('/users/me', lenient('lenient-request-1'));
  await client.get('/users/me', {
    ...lenient('lenient-request-2'),
    query: { nome: 'Bia', sobrenome: 'Lima' },
  });
  await client.patch('/users', { name: 'Bia', nome: 'Bia' }, lenient('lenient-request-3'));
  const listed = await listRequests(platform, client);
  expect(listed.map(({ requestId, status, ignoredFields }) => [requestId, status, ignoredFields])).toEqual([
    ['lenient-request-3', 200, ['nome']],
    ['lenient-request-2', 200, ['nome', 'sobrenome']],
  ]);
});

test('REQLOG-02 a route is listed as in the API description, without the values of its path', async () => {
  await user.client.get('/calls/0190a0a0-0000-7000-8000-00000000cafe', requestId('listed-request-2'));
  const [listed] = await listRequests(platform, user.client, { where: { requestId: 'listed-request-2' } });
  expect(listed?.route).toBe('/calls/{id}');
  expect(platform.document.paths).toHaveProperty(['/calls/{id}']);
});

test('REQLOG-02 a login has no token name, and the console is named Console', async () => {
  await user.client.patch('/users', { name: 'Bia' }, requestId('listed-request-3'));
  const login = await platform
    .client()
    .post(
      '/console/session',
      { email: user.email, password: 'correct horse battery' },
      { headers: { 'x-disca-console': '1' } },
    );
  const cookie = String(login.headers['set-cookie']).split(';', 1)[0] ?? '';
  const headers = { cookie, 'x-disca-console': '1', 'x-request-id': 'listed-request-4' };
  const saved = await platform.client().patch('/users', { name: 'Bia' }, { headers });
  expect(saved.status).toBe(200);
  const names = async (id: string) =>
    (await listRequests(platform, user.client, { where: { requestId: id } })).map(
      ({ tokenName }) => tokenName,
    );
  expect([await names('listed-request-3'), await names('listed-request-4')]).toEqual([[null], ['Console']]);
});

test('REQLOG-03 an ADMIN sees all requests of the account, a USER their own, neither foreign ones', async () => {
  const [{ admin, addUser }, foreign] = [await createAccount(platform), await createAccount(platform)];
  const [first, second] = [await addUser('USER'), await addUser('USER')];
  for (const { client } of [admin, first, second, foreign.admin])
    await client.patch('/users', { name: 'Bia' });
  const usersSeenBy = async ({ client }: Person) => [
    ...new Set((await listRequests(platform, client)).map(({ userUuid }) => userUuid)),
  ];
  expect(await usersSeenBy(admin)).toEqual([second.uuid, first.uuid, admin.uuid]);
  expect(await usersSeenBy(first)).toEqual([first.uuid]);
  expect(await usersSeenBy(second)).toEqual([second.uuid]);
  expect(await usersSeenBy(foreign.admin)).toEqual([foreign.admin.uuid]);
  expect(await listRequests(platform, first.client, { where: { userUuid: second.uuid } })).toEqual([]);
  expect(await listRequests(platform, admin.client, { where: { userUuid: foreign.admin.uuid } })).toEqual([]);
});

test('REQLOG-04 filters by status, method, route, error code, request id, user, time and ignored fields', async () => {
  const { client, uuid } = await account.addUser('USER');
  await client.patch('/users', { name: 'Bia', nome: 'Bia' }, lenient('filtered-request-1'));
  await client.patch('/users', { nome: 'Bia' }, requestId('filtered-request-2'));
  await client.get('/nowhere', requestId('filtered-request-3'));
  const found = async (where: object) =>
    (await listRequests(platform, account.admin.client, { where: { and: [{ userUuid: uuid }, where] } }))
      .map((listed) => listed.requestId.slice(-1))
      .join('');
  expect(await found({})).toBe('321');
  expect(await found({ status: { gte: 400 } })).toBe('32');
  expect(await found({ method: { neq: 'GET' } })).toBe('21');
  expect(await found({ route: '/users' })).toBe('21');
  expect(await found({ route: null })).toBe('3');
  expect(await found({ errorCode: 'VALIDATION_ERROR' })).toBe('2');
  expect(await found({ requestId: 'filtered-request-1' })).toBe('1');
  expect(await found({ ignoredFields: { neq: null } })).toBe('1');
  expect(await found({ invalidFields: { like: '%nome%' } })).toBe('2');
  expect(await found({ at: { gte: new Date(Date.now() - 60_000).toISOString() } })).toBe('321');
  expect(await found({ at: { gt: new Date(Date.now() + 60_000).toISOString() } })).toBe('');
});

test('REQLOG-04 pages by cursor, and refuses as other lists do', async () => {
  const { client } = await account.addUser('USER');
  for (let n = 0; n < 5; n += 1) await client.patch('/users', { name: `Bia ${n}` });
  const all = (await listRequests(platform, client)).map(({ id }) => id);
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const query: Record<string, string> = cursor === undefined ? {} : { cursor };
    const { body, headers } = await client.list('/requests', { limit: 2 }, query);
    pages.push(body.data.map(({ id }: { id: string }) => id));
    cursor = body.meta.nextCursor;
    expect(headers.link !== undefined).toBe(cursor !== undefined);
  } while (cursor !== undefined);
  expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
  expect(pages.flat()).toEqual(all);

  const refusals = [
    [await client.list('/requests', { where: { senha: 1 } }), 400, 'INVALID_FILTER'],
    [await client.list('/requests', { limit: 0 }), 400, 'INVALID_FILTER'],
    [await client.list('/requests', {}, { pages: '1' }), 400, 'UNKNOWN_PARAMETER'],
    [await client.as(undefined).list('/requests'), 401, 'AUTHORIZATION_REQUIRED'],
  ] as const;
  for (const [answer, status, code] of refusals)
    expect([answer.status, answer.body.error.errorCode]).toEqual([status, code]);
});

test('REQLOG-06 requests beyond 100,000 per day are counted, not listed', async () => {
  const busy = await createAccount(platform);
  const unlisted = async () => (await busy.admin.client.list('/requests')).body.meta.unlistedCount;
  expect(await unlisted()).toBe(0);
  await platform.database.query(
    `insert into request_counts (account_id, day, total) values ($1, (now() at time zone 'UTC')::date, 99998)`,
    [busy.id],
  );
  for (let n = 0; n < 5; n += 1) await busy.admin.client.patch('/accounts', { name: `Empresa ${n}` });
  expect(await listRequests(platform, busy.admin.client)).toHaveLength(2);
  expect(await unlisted()).toBe(3);
  await busy.admin.client.patch('/accounts', { name: 'Empresa' });
  expect(await listRequests(platform, busy.admin.client)).toHaveLength(2);
  expect(await unlisted()).toBe(4);
  const { client } = account.admin;
  expect((await client.list('/requests')).body.meta.unlistedCount).toBe(0);
});
