import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccount, type TestAccount } from '../harness/people.ts';
import { type Platform, startPlatform } from '../harness/platform.ts';

let platform: Platform;
let account: TestAccount;

const names = ['Ana', 'Beto', 'ana Lúcia', 'Caio', 'Davi', 'Eva', 'Ivo', 'Júlia', 'Léo', 'Mara'];

interface Listed {
  uuid: string;
  name: string;
  email: string;
  phone: string;
  role: string;
  emailVerified: boolean;
  createdAt: string;
  lastLoginAt: string | null;
}

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '100000' });
  account = await createAccount(platform, { organization_name: 'Zuleica' });
  await addPeople(account.id, names.length, `(array['${names.join("','")}'])[n]`, 'gente');
  const other = await createAccount(platform, { organization_name: 'Outra' });
  await addPeople(other.id, 5, `'Ana'`, 'alheia');
});
afterAll(() => platform.close());

/** People of an account, one created each minute from the beginning of 2026, every third an ADMIN. */
async function addPeople(accountId: number, count: number, name: string, mailbox: string): Promise<void> {
  await platform.database.query(
    `insert into users (uuid, account_id, name, email, phone, role, locale, email_verified, password_hash,
                        password_changed_at, last_login_at, created_at, updated_at)
     select gen_random_uuid(), $1, ${name}, '${mailbox}' || n || '@lista.test', '551198765' || lpad(n::text, 4, '0'),
            case when n % 3 = 0 then 'ADMIN' else 'USER' end, 'pt-BR', n % 2 = 0, 'none', now(),
            case when n % 4 = 0 then timestamptz '2026-02-01Z' + n * interval '1 day' end,
            timestamptz '2026-01-01Z' + n * interval '1 minute', now()
       from generate_series(1, ${count}) n`,
    [accountId],
  );
}

const list = (filter?: object, query?: Record<string, string>) =>
  account.admin.client.list('/users', filter, query);
const all = async (): Promise<Listed[]> => (await list()).body;

/** Exactly the people for whom the predicate holds, which must be some but not all. */
async function expectExactly(where: object, predicate: (person: Listed) => boolean): Promise<void> {
  const expected = (await all()).filter(predicate).map(({ uuid }) => uuid);
  expect(expected.length).toBeGreaterThan(0);
  expect(expected.length).toBeLessThan(names.length + 1);
  const answer = await list({ where });
  expect(answer.body.map(({ uuid }: Listed) => uuid)).toEqual(expected);
  expect(answer.headers['x-total-count']).toBe(String(expected.length));
}

async function expectRefused(filter: unknown, message: RegExp): Promise<void> {
  const text = typeof filter === 'string' ? filter : JSON.stringify(filter);
  const answer = await account.admin.client.get('/users', { query: { filter: text } });
  expect(answer.status, text.slice(0, 200)).toBe(400);
  expect(answer.body.error.errorCode).toBe('INVALID_FILTER');
  expect(answer.body.error.message).toMatch(message);
}

describe('where', () => {
  test('LIST-02 a field that equals a value selects exactly the matching users of the account', async () => {
    await expectExactly({ name: 'Ana' }, ({ name }) => name === 'Ana');
    await expectExactly({ email: 'gente3@lista.test' }, ({ email }) => email === 'gente3@lista.test');
    await expectExactly({ role: 'USER' }, ({ role }) => role === 'USER');
    await expectExactly({ emailVerified: false }, ({ emailVerified }) => !emailVerified);
    await expectExactly({ uuid: account.admin.uuid }, ({ uuid }) => uuid === account.admin.uuid);
    await expectExactly({ lastLoginAt: null }, ({ lastLoginAt }) => lastLoginAt === null);
    expect((await list({ where: { name: 'Ninguém' } })).body).toEqual([]);
    expect((await list({ where: { email: 'alheia1@lista.test' } })).body).toEqual([]);
  });

  test('LIST-08 every operator selects exactly the matching users', async () => {
    const noon = '2026-01-01T00:05:00.000Z';
    await expectExactly({ createdAt: { gt: noon } }, ({ createdAt }) => createdAt > noon);
    await expectExactly({ createdAt: { gte: noon } }, ({ createdAt }) => createdAt >= noon);
    await expectExactly({ createdAt: { lt: noon } }, ({ createdAt }) => createdAt < noon);
    await expectExactly({ createdAt: { lte: noon } }, ({ createdAt }) => createdAt <= noon);
    await expectExactly({ createdAt: { eq: noon } }, ({ createdAt }) => createdAt === noon);
    await expectExactly({ name: { neq: 'Ana' } }, ({ name }) => name !== 'Ana');
    await expectExactly(
      { name: { inq: ['Ana', 'Eva', 'Ninguém'] } },
      ({ name }) => name === 'Ana' || name === 'Eva',
    );
    await expectExactly({ name: { nin: ['Ana', 'Eva'] } }, ({ name }) => name !== 'Ana' && name !== 'Eva');
    await expectExactly({ phone: { between: ['5511987650003', '5511987650005'] } }, ({ phone }) =>
      /000[345]$/.test(phone),
    );
    await expectExactly({ lastLoginAt: { exists: true } }, ({ lastLoginAt }) => lastLoginAt !== null);
    await expectExactly(
      { or: [{ name: 'Ana' }, { name: 'Eva' }] },
      ({ name }) => name === 'Ana' || name === 'Eva',
    );
    await expectExactly(
      { and: [{ role: 'USER' }, { emailVerified: true }] },
      ({ role, emailVerified }) => role === 'USER' && emailVerified,
    );
  });

  test('LIST-09 like and nlike mind the case, ilike and nilike do not, and a part of a number is found', async () => {
    await expectExactly({ name: { like: 'Ana%' } }, ({ name }) => name.startsWith('Ana'));
    await expectExactly({ name: { nlike: 'Ana%' } }, ({ name }) => !name.startsWith('Ana'));
    await expectExactly({ name: { ilike: 'ana%' } }, ({ name }) => /^ana/i.test(name));
    await expectExactly({ name: { nilike: 'ana%' } }, ({ name }) => !/^ana/i.test(name));
    await expectExactly({ phone: { like: '%765000%' } }, ({ phone }) => phone.includes('765000'));
    await expectExactly({ phone: { ilike: '%0007' } }, ({ phone }) => phone.endsWith('0007'));
  });

  test('LIST-10 two operators on one field both hold', async () => {
    const [from, to] = ['2026-01-01T00:03:00.000Z', '2026-01-01T00:06:00.000Z'];
    await expectExactly(
      { createdAt: { gte: from, lt: to } },
      ({ createdAt }) => createdAt >= from && createdAt < to,
    );
  });
});

describe('the filter', () => {
  test('LIST-01 a filter is a JSON object of where, include, order, offset and limit', async () => {
    const filter = { where: { role: 'USER' }, include: [], order: 'name ASC', offset: 1, limit: 2 };
    const answer = await list(filter);
    const sorted = (await list({ where: { role: 'USER' }, order: 'name ASC' })).body;
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(sorted.slice(1, 3));
    expect((await list({})).body).toHaveLength(names.length + 1);
  });

  test('LIST-11 order takes a text or an array, offset is also called skip, and fields limits the fields', async () => {
    const namesBy = async (order: string | string[]) =>
      (await list({ order })).body.map(({ name }: Listed) => name);
    const ascending = await namesBy('name ASC');
    expect(await namesBy('name')).toEqual(ascending);
    expect(await namesBy('name DESC')).toEqual(ascending.toReversed());
    expect(ascending).not.toEqual((await all()).map(({ name }) => name));

    const both = (await list({ order: ['role ASC', 'createdAt DESC'] })).body as Listed[];
    const sorted = both.toSorted(
      (a, b) => a.role.localeCompare(b.role) || b.createdAt.localeCompare(a.createdAt),
    );
    expect(both).toEqual(sorted);

    expect((await list({ skip: 4 })).body).toEqual((await list({ offset: 4 })).body);
    expect((await list({ skip: 4 })).body).toEqual((await all()).slice(4));
    const picked = (await list({ fields: ['name', 'role'], limit: 3 })).body;
    expect(picked).toEqual((await all()).slice(0, 3).map(({ name, role }) => ({ name, role })));
    expect((await list({ fields: { email: true }, limit: 1 })).body).toEqual([
      { email: (await all())[0]?.email },
    ]);
  });

  test('LIST-12 LIST-20 regexp is refused with a hint to use ilike', async () => {
    await expectRefused({ where: { name: { regexp: '^A' } } }, /ilike/);
  });

  test('LIST-13 LIST-20 an unknown field, operator or key names the nearest valid one', async () => {
    await expectRefused({ where: { emial: 'a' } }, /`emial`.*`email`/);
    await expectRefused({ where: { name: { lik: 'a' } } }, /`lik`.*`like`/);
    await expectRefused({ order: 'creatdAt DESC' }, /`createdAt`/);
    await expectRefused({ fields: ['nam'] }, /`name`/);
    await expectRefused({ wher: {} }, /`where`/);
    await expectRefused({ where: { or: [{ rolle: 'USER' }] } }, /`role`/);
    await expectRefused({ where: { password_hash: 'x' } }, /Unknown field/);
  });

  test('LIST-13 an unknown query parameter is 400 and names the nearest valid one', async () => {
    const ask = (query: Record<string, string>) => account.admin.client.get('/users', { query });
    const near = { filtre: 'filter', limt: 'limit', ofset: 'offset', Filter: 'filter' };
    for (const [written, meant] of Object.entries(near)) {
      const { status, body } = await ask({ [written]: '1' });
      expect(status).toBe(400);
      expect(body.error.errorCode).toBe('UNKNOWN_PARAMETER');
      expect(body.error.message).toContain(`\`${meant}\``);
    }
    expect((await account.admin.client.get('/users/me?page=1')).status).toBe(400);
    expect((await account.admin.client.patch('/accounts?name=x', {})).status).toBe(400);
  });

  test('LIST-14 LIST-20 a filter that is no JSON or no object is refused', async () => {
    for (const filter of ['', '{', 'name', "{'where':{}}", '{"where":}']) await expectRefused(filter, /JSON/);
    for (const filter of ['[]', 'null', '7', '"where"', 'true']) await expectRefused(filter, /object/);
    await expectRefused({ where: [] }, /object/);
    await expectRefused({ where: { and: {} } }, /array/);
  });

  test('LIST-14 a parameter given twice is refused, not guessed', async () => {
    const answer = await account.admin.client.get('/users?filter={}&filter={}');
    expect(answer.status).toBe(422);
    expect((await account.admin.client.get('/users?limit=1&limit=2')).status).toBe(422);
  });

  test('LIST-23 users have nothing to include, so every include is refused', async () => {
    await expectRefused({ include: 'user' }, /Unknown include `user`/);
    await expectRefused({ include: ['price'] }, /Unknown include/);
    await expectRefused({ include: { relation: 'tokens' } }, /include/);
  });
});

describe('bounds', () => {
  const served = async (filter: object | string) => {
    const text = typeof filter === 'string' ? filter : JSON.stringify(filter);
    return (await account.admin.client.get('/users', { query: { filter: text } })).status;
  };
  /** `levels` of `where`, one inside the other. */
  const nested = (levels: number): object => (levels === 1 ? { name: 'Ana' } : { and: [nested(levels - 1)] });

  test('LIST-15 a filter of 4 kB is served, and one byte more is refused', async () => {
    const ofBytes = (bytes: number) => `{"where":{"name":"${'x'.repeat(bytes - 21)}"}}`;
    expect(Buffer.byteLength(ofBytes(4096))).toBe(4096);
    expect(await served(ofBytes(4096))).toBe(200);
    await expectRefused(ofBytes(4097), /4096 bytes/);
    await expectRefused(`{"where":{"name":"${'é'.repeat(2_040)}"}}`, /4096 bytes/);
  });

  test('LIST-15 5 levels are served, and 6 are refused', async () => {
    expect(await served({ where: nested(5) })).toBe(200);
    await expectRefused({ where: nested(6) }, /5 levels/);
  });

  test('LIST-15 50 conditions are served, and 51 are refused', async () => {
    const conditions = (count: number) => ({ or: Array.from({ length: count }, () => ({ name: 'Ana' })) });
    expect(await served({ where: conditions(50) })).toBe(200);
    await expectRefused({ where: conditions(51) }, /50 conditions/);
  });

  test('LIST-15 100 values of inq and of nin are served, and 101 are refused', async () => {
    const values = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);
    for (const operator of ['inq', 'nin']) {
      expect(await served({ where: { name: { [operator]: values(100) } } })).toBe(200);
      await expectRefused({ where: { name: { [operator]: values(101) } } }, /100 values/);
    }
  });

  test('LIST-15 a filter at its largest reaches the service over the wire', async () => {
    const url = await platform.app.listen({ host: '127.0.0.1', port: 0 });
    const filter = `{"where":{"name":"${'é'.repeat(2_037)}"}}`;
    const response = await fetch(`${url}/api/v1/users?filter=${encodeURIComponent(filter)}`, {
      headers: { authorization: account.admin.token },
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual([]);
  });
});

describe('arrays', () => {
  test('LIST-17 USER-04 limit and offset work beside the filter and inside it, and the total counts all that match', async () => {
    const whole = await all();
    const page = await list(undefined, { limit: '3', offset: '2' });
    expect(page.body).toEqual(whole.slice(2, 5));
    expect(page.headers['x-total-count']).toBe(String(whole.length));
    expect((await list({ limit: 3, offset: 2 })).body).toEqual(page.body);

    const some = await list({ where: { role: 'USER' } }, { limit: '2' });
    expect(some.body).toHaveLength(2);
    expect(some.headers['x-total-count']).toBe(String(whole.filter(({ role }) => role === 'USER').length));
    const beyond = await list(undefined, { offset: '500' });
    expect(beyond.body).toEqual([]);
    expect(beyond.headers['x-total-count']).toBe(String(whole.length));
  });

  test('LIST-17 a limit or offset out of range, of the wrong form or given twice is refused', async () => {
    const statusOf = async (query: Record<string, string>, filter?: object) =>
      (await list(filter, query)).status;
    expect(await statusOf({ limit: '0' })).toBe(400);
    expect(await statusOf({ limit: '1001' })).toBe(400);
    expect(await statusOf({ limit: 'ten' })).toBe(422);
    expect(await statusOf({ limit: '-1' })).toBe(422);
    expect(await statusOf({ offset: '1.5' })).toBe(422);
    expect(await statusOf({ limit: '2' }, { limit: 2 })).toBe(400);
    expect(await statusOf({ offset: '2' }, { skip: 2 })).toBe(400);
    await expectRefused({ limit: 0 }, /limit/);
    await expectRefused({ limit: '5' }, /limit/);
    await expectRefused({ offset: -1 }, /offset/);
    await expectRefused({ skip: 1, offset: 1 }, /offset/);
  });

  test('LIST-16 users come newest first unless ordered otherwise', async () => {
    const times = (await all()).map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  test('LIST-17 an answer has at most 1,000 items and tells the whole total', async () => {
    const crowd = await createAccount(platform);
    await addPeople(crowd.id, 1_050, `'Povo ' || n`, 'povo');
    const first = await crowd.admin.client.list('/users');
    expect(first.body).toHaveLength(1_000);
    expect(first.headers['x-total-count']).toBe('1051');
    expect(first.headers).not.toHaveProperty('x-total-estimated');
    const rest = await crowd.admin.client.list('/users', undefined, { offset: '1000' });
    expect(rest.body).toHaveLength(51);
    const seen = new Set([...first.body, ...rest.body].map(({ uuid }: Listed) => uuid));
    expect(seen.size).toBe(1_051);
    expect((await crowd.admin.client.list('/users', { limit: 1_000 })).body).toHaveLength(1_000);
  });

  test('LIST-17 TOKEN-09 the list of tokens filters, orders and counts in the same way', async () => {
    const { client } = account.admin;
    for (const ttl of [60, 120, 180]) await client.post('/users/accessTokens', { ttl });
    const tokens = await client.list(
      '/users/accessTokens',
      { where: { ttl: { lte: 120 } }, order: 'ttl DESC' },
      { limit: '1' },
    );
    expect(tokens.body).toEqual([
      expect.objectContaining({ ttl: 120, prefix: expect.stringMatching(/^.{8}$/) }),
    ]);
    expect(tokens.headers['x-total-count']).toBe('2');
    expect((await client.list('/users/accessTokens', { where: { hash: 'x' } })).status).toBe(400);
  });
});
