import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addPeople, type Listed, type ListFixture, startListFixture } from '../../harness/fixtures/lists.ts';
import { createAccount } from '../../harness/people.ts';

let fixture: ListFixture;

beforeAll(async () => {
  fixture = await startListFixture();
});
afterAll(() => fixture.platform.close());

const list: ListFixture['list'] = (filter, query) => fixture.list(filter, query);
const all = () => fixture.all();
const expectRefused: ListFixture['expectRefused'] = (filter, message) =>
  fixture.expectRefused(filter, message);

describe('bounds', () => {
  const served = async (filter: object | string) => {
    const text = typeof filter === 'string' ? filter : JSON.stringify(filter);
    return (await fixture.account.admin.client.get('/users', { query: { filter: text } })).status;
  };
  /** `levels` nested `where` conditions. */
  const nested = (levels: number): object => (levels === 1 ? { name: 'Ana' } : { and: [nested(levels - 1)] });

  test('LIST-15 accepts a filter of 4 kB and rejects one byte more', async () => {
    const ofBytes = (bytes: number) => `{"where":{"name":"${'x'.repeat(bytes - 21)}"}}`;
    expect(Buffer.byteLength(ofBytes(4096))).toBe(4096);
    expect(await served(ofBytes(4096))).toBe(200);
    await expectRefused(ofBytes(4097), /4096 bytes/);
    await expectRefused(`{"where":{"name":"${'é'.repeat(2_040)}"}}`, /4096 bytes/);
  });

  test('LIST-15 accepts 5 levels and rejects 6', async () => {
    expect(await served({ where: nested(5) })).toBe(200);
    await expectRefused({ where: nested(6) }, /5 levels/);
  });

  test('LIST-15 accepts 50 conditions and rejects 51', async () => {
    const conditions = (count: number) => ({ or: Array.from({ length: count }, () => ({ name: 'Ana' })) });
    expect(await served({ where: conditions(50) })).toBe(200);
    await expectRefused({ where: conditions(51) }, /50 conditions/);
  });

  test('LIST-15 accepts 100 values of inq and nin and rejects 101', async () => {
    const values = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);
    for (const operator of ['inq', 'nin']) {
      expect(await served({ where: { name: { [operator]: values(100) } } })).toBe(200);
      await expectRefused({ where: { name: { [operator]: values(101) } } }, /100 values/);
    }
  });

  test('LIST-15 a filter of the maximum size passes the HTTP server', async () => {
    const url = await fixture.platform.listen();
    const filter = `{"where":{"name":"${'é'.repeat(2_037)}"}}`;
    const response = await fetch(`${url}/api/v1/users?filter=${encodeURIComponent(filter)}`, {
      headers: { authorization: fixture.account.admin.token },
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual([]);
  });
});

describe('arrays', () => {
  test('LIST-17 USER-04 limit and offset work beside and inside the filter; the total counts all matches', async () => {
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

  test('LIST-17 rejects a limit or offset that is out of range, malformed or given twice', async () => {
    const requestStatus = async (query: Record<string, string>, filter?: object) =>
      (await list(filter, query)).status;
    expect(await requestStatus({ limit: '0' })).toBe(400);
    expect(await requestStatus({ limit: 'ten' })).toBe(422);
    expect(await requestStatus({ limit: '-1' })).toBe(422);
    expect(await requestStatus({ offset: '1.5' })).toBe(422);
    expect(await requestStatus({ limit: '2' }, { limit: 2 })).toBe(400);
    expect(await requestStatus({ offset: '2' }, { skip: 2 })).toBe(400);
    await expectRefused({ limit: 0 }, /limit/);
    await expectRefused({ limit: 'five' }, /limit/);
    await expectRefused({ offset: -1 }, /offset/);
    await expectRefused({ skip: 1, offset: 1 }, /offset/);
  });

  test('LIST-16 lists users newest first by default', async () => {
    const times = (await all()).map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  test('LIST-17 returns at most 1,000 items, with the full total', async () => {
    const crowd = await createAccount(fixture.platform);
    await addPeople(fixture.platform, crowd.id, 1_050, `'Povo ' || n`, 'povo');
    const first = await crowd.admin.client.list('/users');
    expect(first.body).toHaveLength(1_000);
    expect(first.headers['x-total-count']).toBe('1051');
    expect(first.headers).not.toHaveProperty('x-total-estimated');
    const rest = await crowd.admin.client.list('/users', undefined, { offset: '1000' });
    expect(rest.body).toHaveLength(51);
    const seen = new Set([...first.body, ...rest.body].map(({ uuid }: Listed) => uuid));
    expect(seen.size).toBe(1_051);
    for (const limit of ['1000', '1001', '999999999']) {
      expect((await crowd.admin.client.list('/users', { limit: Number(limit) })).body).toHaveLength(1_000);
      expect((await crowd.admin.client.list('/users', undefined, { limit })).body).toHaveLength(1_000);
    }
  });

  test('LIST-17 TOKEN-09 the token list filters, orders and counts in the same way', async () => {
    const { client } = fixture.account.admin;
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
