import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Listed, type ListFixture, startListFixture } from '../../harness/fixtures/lists.ts';

let fixture: ListFixture;

beforeAll(async () => {
  fixture = await startListFixture();
});
afterAll(() => fixture.platform.close());

const list: ListFixture['list'] = (filter, query) => fixture.list(filter, query);
const all = () => fixture.all();
const expectRefused: ListFixture['expectRefused'] = (filter, message) =>
  fixture.expectRefused(filter, message);

/** Expects exactly the users for whom the predicate holds, which must be some but not all. */
async function expectExactly(where: object, predicate: (person: Listed) => boolean): Promise<void> {
  const everybody = await all();
  const expected = everybody.filter(predicate).map(({ uuid }) => uuid);
  expect(expected.length).toBeGreaterThan(0);
  expect(expected.length).toBeLessThan(everybody.length);
  const answer = await list({ where });
  expect(answer.body.map(({ uuid }: Listed) => uuid)).toEqual(expected);
  expect(answer.headers['x-total-count']).toBe(String(expected.length));
}

describe('where', () => {
  test('LIST-02 a field equal to a value selects exactly the matching users of the account', async () => {
    await expectExactly({ name: 'Ana' }, ({ name }) => name === 'Ana');
    await expectExactly({ email: 'gente3@lista.test' }, ({ email }) => email === 'gente3@lista.test');
    for (const phone of ['+55 (11) 98765-0003', '(11) 98765-0003', '011 98765-0003'])
      await expectExactly({ phone }, (user) => user.phone === '5511987650003');
    await expectExactly({ role: 'USER' }, ({ role }) => role === 'USER');
    await expectExactly({ emailVerified: false }, ({ emailVerified }) => !emailVerified);
    await expectExactly(
      { uuid: fixture.account.admin.uuid },
      ({ uuid }) => uuid === fixture.account.admin.uuid,
    );
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

  test('LIST-09 like and nlike are case-sensitive, ilike and nilike are not; partial numbers match', async () => {
    await expectExactly({ name: { like: 'Ana%' } }, ({ name }) => name.startsWith('Ana'));
    await expectExactly({ name: { nlike: 'Ana%' } }, ({ name }) => !name.startsWith('Ana'));
    await expectExactly({ name: { ilike: 'ana%' } }, ({ name }) => /^ana/i.test(name));
    await expectExactly({ name: { nilike: 'ana%' } }, ({ name }) => !/^ana/i.test(name));
    await expectExactly({ phone: { like: '%765000%' } }, ({ phone }) => phone.includes('765000'));
    await expectExactly({ phone: { ilike: '%0007' } }, ({ phone }) => phone.endsWith('0007'));
  });

  test('LIST-10 two operators on one field must both hold', async () => {
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
    expect((await list({})).body).toHaveLength(11);
  });

  test('LIST-11 order takes a text or an array, skip is an alias of offset, fields selects fields', async () => {
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

  test('LIST-12 LIST-20 rejects regexp with a hint to use ilike', async () => {
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

  test('LIST-13 an unknown query parameter returns 400 and names the nearest valid one', async () => {
    const ask = (query: Record<string, string>) => fixture.account.admin.client.get('/users', { query });
    const near = { filtre: 'filter', limt: 'limit', ofset: 'offset', Filter: 'filter' };
    for (const [written, meant] of Object.entries(near)) {
      const { status, body } = await ask({ [written]: '1' });
      expect(status).toBe(400);
      expect(body.error.errorCode).toBe('UNKNOWN_PARAMETER');
      expect(body.error.message).toContain(`\`${meant}\``);
    }
    expect((await fixture.account.admin.client.get('/users/me?page=1')).status).toBe(400);
    expect((await fixture.account.admin.client.patch('/accounts?name=x', {})).status).toBe(400);
  });

  test('LIST-14 LIST-20 rejects a filter that is not JSON or not an object', async () => {
    for (const filter of [' ', '{', 'name', "{'where':{}}", '{"where":}'])
      await expectRefused(filter, /JSON/);
    for (const filter of ['[]', 'null', '7', '"where"', 'true']) await expectRefused(filter, /object/);
    await expectRefused({ where: [] }, /object/);
    await expectRefused({ where: { and: {} } }, /array/);
  });

  test('LIST-14 rejects a parameter that is given twice', async () => {
    const answer = await fixture.account.admin.client.get('/users?filter={}&filter={}');
    expect(answer.status).toBe(422);
    expect((await fixture.account.admin.client.get('/users?limit=1&limit=2')).status).toBe(422);
  });

  test('LIST-23 rejects every include, as users have none', async () => {
    await expectRefused({ include: 'user' }, /Unknown include `user`/);
    await expectRefused({ include: ['price'] }, /Unknown include/);
    await expectRefused({ include: { relation: 'tokens' } }, /include/);
  });
});
