import { beforeAll, describe, expect, test } from 'vitest';
import { insertCalls } from '../../harness/fixtures/call-rows.ts';
import { extensionBody } from '../../harness/fixtures/extensions.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { type SharedPlatform, sharedPlatform } from '../../harness/platform.ts';

let platform: SharedPlatform;
let account: TestAccount;
let callIds: string[];

const people = [
  { ramal: '1000', first_name: 'Ana', last_name: 'Araújo', email_address: 'Ana@Empresa.test', bina: '' },
  { ramal: '1001', first_name: 'JOÃO', last_name: 'araujo', email_address: 'joao@empresa.test' },
  {
    ramal: '1002',
    first_name: 'Zé',
    last_name: 'Lima',
    email_address: 'ze@empresa.test',
    bina: '551140041234',
  },
];
const startedAt = (minute: number, ms = 0) => new Date(Date.UTC(2026, 2, 1, 12, minute, 0, ms));

beforeAll(async () => {
  platform = await sharedPlatform();
  account = await createAccount(platform);
  for (const each of people) {
    const created = await account.admin.client.post('/extensions', extensionBody(each));
    expect(created.status, created.text).toBe(200);
  }
  callIds = await insertCalls(platform.database, account, [
    {
      startedAt: startedAt(0, 250),
      firstName: 'Ana',
      lastName: 'Araújo',
      email: 'Ana@Empresa.test',
      duration: 6,
    },
    { startedAt: startedAt(1), firstName: 'ana', lastName: 'ARAUJO', email: 'ana@empresa.test', duration: 7 },
    { startedAt: startedAt(2), firstName: 'Zé', lastName: 'Lima', email: 'ze@empresa.test', duration: 8 },
  ]);
});

/** Sends a query string in strict and in lenient handling, which must agree. */
async function ask(path: string, query: string) {
  const { client } = account.admin;
  const strict = await client.get(`${path}?${query}`);
  const lenient = await client.get(`${path}?${query}`, { headers: { prefer: 'handling=lenient' } });
  expect([lenient.status, lenient.body?.error ?? lenient.body]).toEqual([
    strict.status,
    strict.body?.error ?? strict.body,
  ]);
  return strict;
}

const json = (filter: object) => `filter=${encodeURIComponent(JSON.stringify(filter))}`;

async function ramais(query: string): Promise<string[]> {
  const answer = await ask('/extensions', query);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.map(({ ramal }: { ramal: string }) => ramal).sort();
}

/** Returns the numbers of the calls, in the order of the response. */
async function calls(query: string): Promise<number[]> {
  const answer = await ask('/calls', `page=1&${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data.map(({ id }: { id: string }) => callIds.indexOf(id));
}

async function expectRefused(path: string, query: string, message: RegExp) {
  const answer = await ask(path, query);
  expect([answer.status, answer.body.error.errorCode], query).toEqual([400, 'INVALID_FILTER']);
  expect(answer.body.error.message).toMatch(message);
}

describe('filters in brackets', () => {
  test('COMPAT-04 select, order and limit like the same filter in JSON', async () => {
    expect(await ramais('filter[where][ramal]=1000')).toEqual(['1000']);
    expect(await ramais('filter%5Bwhere%5D%5Bramal%5D=1000')).toEqual(['1000']);
    expect(await ramais('filter[where][and][0][ramal]=1001&filter[where][and][1][last_name]=araujo')).toEqual(
      ['1001'],
    );
    expect(await ramais('filter[where][or][0][ramal]=1001&filter[where][or][1][ramal]=1002')).toEqual([
      '1001',
      '1002',
    ]);
    expect(await ramais('filter[where][ramal][inq][]=1000&filter[where][ramal][inq][]=1002')).toEqual([
      '1000',
      '1002',
    ]);
    expect(
      await ramais('filter[where][ramal][between][0]=1001&filter[where][ramal][between][1]=1002'),
    ).toEqual(['1001', '1002']);
    expect(await ramais('filter[where][registered]=false&filter[limit]=10')).toHaveLength(3);
    expect(await ramais('filter[where][registered_at][exists]=true')).toEqual([]);
    expect(await calls('filter[where][started_at][gte]=2026-03-01T12:01:00Z')).toEqual([2, 1]);
    expect(await calls('filter[order]=started_at+ASC')).toEqual([0, 1, 2]);
    expect(await calls('filter[order][0]=started_at+ASC&filter[limit]=1&filter[skip]=1')).toEqual([1]);
    const picked = await ask(
      '/extensions',
      'filter[fields][ramal]=true&filter[where][id][gt]=0&filter[include]=user',
    );
    expect(picked.body).toContainEqual({ ramal: '1000', user: null });
    const page = await ask('/calls', 'page=1&filter[where][from]=1000&filter[limit]=2');
    const next = /<\/api\/v1(.*)>/.exec(page.headers.link ?? '')?.[1] ?? '';
    expect((await account.admin.client.get(next)).body.data).toEqual([
      expect.objectContaining({ id: callIds[0] }),
    ]);
  });

  test('COMPAT-04 are refused like the same filter in JSON', async () => {
    await expectRefused('/extensions', 'filter[where][emial_address]=1', /Did you mean `email_address`/);
    await expectRefused('/extensions', 'filter[wher][ramal]=1', /Did you mean `where`/);
    await expectRefused('/extensions', 'filter[where][id]=one', /whole number/);
    await expectRefused('/extensions', 'filter[limit]=0', /filter.limit/);
    for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
      await expectRefused('/extensions', `filter[where][${key}]=1`, new RegExp(key));
    await expectRefused('/extensions', 'filter[__proto__][where]=1', /__proto__/);
    expect(({} as Record<string, unknown>).where).toBeUndefined();
    await expectRefused('/extensions', `filter[where][first_name]=${'x'.repeat(4_096)}`, /4096 bytes/);
  });

  test('COMPAT-04 are refused if a part is repeated, malformed or over the bounds', async () => {
    await expectRefused('/extensions', 'filter[where][ramal]=1&filter[where][ramal]=2', /given twice/);
    await expectRefused('/extensions', 'filter[where][ramal]=1&filter[where][ramal][gt]=2', /given twice/);
    await expectRefused('/extensions', `filter[limit]=1&${json({ limit: 1 })}`, /as JSON or in brackets/);
    for (const query of ['filter[where][ramal', 'filter[where][ramal]x', 'filter[where]x[ramal]'])
      await expectRefused('/extensions', `${query}=1`, /not a valid parameter/);
    await expectRefused('/extensions', `filter[where]${'[a]'.repeat(20)}=1`, /20 brackets/);
    await expectRefused('/extensions', 'filter[where][id][inq][100]=1', /100 values/);
    const parameters = Array.from({ length: 501 }, (_, i) => `filter[k${i}]=`).join('&');
    await expectRefused('/extensions', parameters, /500 parameters/);
    expect((await account.admin.client.get('/extensions?filter={}&filter={}')).status).toBe(422);
    expect((await account.admin.client.get('/calls?page[0]=1')).status).not.toBe(200);
  });
});

test('COMPAT-04 an empty filter is no filter', async () => {
  expect(await ramais('filter=')).toEqual(['1000', '1001', '1002']);
  expect(await calls('filter=')).toEqual([2, 1, 0]);
});

test('COMPAT-04 numbers may be texts and texts numbers, except in metadata', async () => {
  const [{ id }] = (await ask('/extensions', json({ where: { ramal: 1000 } }))).body;
  expect(await ramais(json({ where: { ramal: 1000 } }))).toEqual(['1000']);
  expect(await ramais(json({ where: { ramal: { inq: [1000, '1001'] } } }))).toEqual(['1000', '1001']);
  expect(await ramais(json({ where: { id: String(id) } }))).toEqual(['1000']);
  expect(await ramais(json({ where: { gravar_audio: '0' }, limit: '2' }))).toHaveLength(2);
  expect(await calls(json({ where: { duration: '6' } }))).toEqual([0]);
  expect(await calls(json({ where: { duration: { gte: '7' } }, offset: '1' }))).toEqual([1]);
  expect(await calls(json({ where: { from: 1000 } }))).toEqual([2, 1, 0]);
  await expectRefused('/extensions', json({ where: { id: 'a' } }), /whole number/);
});

test('COMPAT-05 times in the format of the webhooks are in the time zone of the account', async () => {
  // Noon in UTC is nine in Sao Paulo.
  expect(await calls(json({ where: { started_at: { gte: '2026-03-01 09:01:00' } } }))).toEqual([2, 1]);
  expect(await calls(json({ where: { started_at: { lt: '2026-03-01 09:01:00' } } }))).toEqual([0]);
  // Webhooks omit the milliseconds: the first call started at 09:00:00.250.
  expect(await calls(json({ where: { started_at: '2026-03-01 09:00:00' } }))).toEqual([0]);
  expect(
    await calls(json({ where: { date: { between: ['2026-03-01 00:00:00', '2026-03-01 09:01:00'] } } })),
  ).toEqual([1, 0]);
  expect(await calls('filter[where][date][gt]=2026-03-01+09:00:00')).toEqual([2, 1]);
  expect(await calls(json({ where: { date: '2026-03-01' } }))).toEqual([2, 1, 0]);
  await account.admin.client.patch('/accounts', { timezone: 'Asia/Tokyo' });
  expect(await calls(json({ where: { started_at: { gte: '2026-03-01 21:01:00' } } }))).toEqual([2, 1]);
  await account.admin.client.patch('/accounts', { timezone: 'America/Sao_Paulo' });
  await expectRefused('/calls', `page=1&${json({ where: { date: '2026-03-01 25:00:00' } })}`, /HH:MM:SS/);
});

test('COMPAT-05 a limit over the maximum is the maximum; one below 1 or not a number is refused', async () => {
  const page = await ask('/calls', `page=1&${json({ limit: 100_000 })}`);
  expect(page.body.meta).toMatchObject({ itemsPerPage: 100, totalItemCount: 3 });
  expect(await ramais('limit=5000')).toHaveLength(3);
  for (const limit of [0, -1, 1.5, 'ten', null])
    await expectRefused('/calls', `page=1&${json({ limit })}`, /filter.limit/);
});

test('COMPAT-05 calls are ordered by start time and id together', async () => {
  expect(await calls(json({ order: ['started_at DESC', 'id DESC'] }))).toEqual([2, 1, 0]);
  expect(await calls('filter[order][0]=started_at%20ASC&filter[order][1]=id%20ASC')).toEqual([0, 1, 2]);
  await expectRefused('/calls', `page=1&${json({ order: ['started_at DESC', 'id ASC'] })}`, /direction/);
});

describe('values without an operator', () => {
  test('COMPAT-06 find names and e-mail addresses without case and accents', async () => {
    for (const last_name of ['araujo', 'Araújo', 'ARAÚJO', 'Arau\u0301jo'])
      expect(await ramais(json({ where: { last_name } })), last_name).toEqual(['1000', '1001']);
    expect(await ramais(json({ where: { first_name: 'joao' } }))).toEqual(['1001']);
    expect(await ramais(json({ where: { first_name: 'ze' } }))).toEqual(['1002']);
    expect(await ramais(json({ where: { email_address: 'ANA@empresa.test' } }))).toEqual(['1000']);
    expect(await ramais(json({ where: { last_name: 'arau' } }))).toEqual([]);
    expect(await calls(json({ where: { last_name: 'araujo' } }))).toEqual([1, 0]);
    expect(await calls(json({ where: { first_name: 'ANA', duration: 6 } }))).toEqual([0]);
    for (const email of ['ana@empresa.test', 'ANA@EMPRESA.TEST', 'Ana@Empresa.test'])
      expect(await calls(json({ where: { email } })), email).toEqual([1, 0]);
    expect(await calls(json({ where: { email: 'an@empresa.test' } }))).toEqual([]);
    const { client } = account.admin;
    const { name, email } = (await client.get('/users/me')).body;
    for (const where of [{ name: name.toUpperCase() }, { email: email.toUpperCase() }])
      expect((await client.list('/users', { where })).body).toHaveLength(1);
    expect(
      (await client.list('/audit', { where: { actorEmail: email.toUpperCase() } }, { page: '1' })).body.data,
    ).not.toEqual([]);
  });

  test('COMPAT-06 find telephone numbers in every spelling', async () => {
    for (const bina of ['+55 11 4004-1234', '551140041234', '(11) 4004-1234', 551140041234])
      expect(await ramais(json({ where: { bina } })), String(bina)).toEqual(['1002']);
    expect(await calls(json({ where: { phone: '+55 (11) 98765-4321' } }))).toEqual([2, 1, 0]);
  });

  test('COMPAT-06 the operators eq, neq and inq compare exactly', async () => {
    const where = (last_name: object) => json({ where: { last_name } });
    expect(await ramais(where({ eq: 'araujo' }))).toEqual(['1001']);
    expect(await ramais(where({ neq: 'araujo' }))).toEqual(['1000', '1002']);
    expect(await ramais(where({ inq: ['ARAUJO', 'Lima'] }))).toEqual(['1002']);
    expect(await ramais(json({ where: { bina: { eq: '+55 11 4004-1234' } } }))).toEqual([]);
    expect(await calls(json({ where: { email: { eq: 'ana@empresa.test' } } }))).toEqual([1]);
    expect(await calls(json({ where: { email: { inq: ['ANA@EMPRESA.TEST', 'ze@empresa.test'] } } }))).toEqual(
      [2],
    );
  });
});
