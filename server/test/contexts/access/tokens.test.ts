import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAccount, type Person, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

const path = '/users/accessTokens';
let platform: Platform;
let account: TestAccount;
let ana: Person;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
});
// Tests advance the clock by years, so no token of an earlier test survives.
beforeEach(async () => {
  account = await createAccount(platform);
  ana = await account.addUser();
});
afterAll(() => platform.close());

const create = async (ttl?: number, person = ana): Promise<string> => {
  const { status, body } = await person.client.post(path, ttl === undefined ? {} : { ttl });
  expect(status).toBe(200);
  return body.id;
};
const isTokenValid = async (token: string): Promise<boolean> =>
  (await platform.client(token).get('/users/me')).status === 200;
const prefixes = async (person = ana): Promise<string[]> =>
  (await person.client.get(path)).body.map((token: { prefix: string }) => token.prefix);

describe('creating a token', () => {
  test('TOKEN-01 returns only id, ttl and created, and acts for its creator', async () => {
    const { status, body } = await ana.client.post(path, { ttl: 3600 });
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['created', 'id', 'ttl']);
    expect([typeof body.id, body.ttl]).toEqual(['string', 3600]);
    expect(body.created).toBe(new Date(body.created).toISOString());
    const me = await platform.client(body.id).get('/users/me');
    expect([me.status, me.body.uuid]).toEqual([200, ana.uuid]);
  });

  test('TOKEN-02 lasts 14 days without a ttl, with an empty body and without a body', async () => {
    for (const body of [{}, undefined]) {
      const answer = await ana.client.post(path, body);
      expect([answer.status, answer.body.ttl]).toEqual([200, 1_209_600]);
    }
  });

  test('TOKEN-03 never expires with ttl -1', async () => {
    const { body } = await ana.client.post(path, { ttl: -1 });
    expect(body.ttl).toBe(-1);
    platform.clock.advance(100 * 31_556_926);
    expect(await isTokenValid(body.id)).toBe(true);
  });

  test('TOKEN-04 expires exactly ttl seconds after created', async () => {
    platform.clock.freeze();
    const token = await create(3600);
    platform.clock.advance(3599);
    expect(await isTokenValid(token)).toBe(true);
    platform.clock.advance(1);
    expect(await isTokenValid(token)).toBe(false);
  });

  test.each([-1, 60, 61, 31_556_926, '60', '-1'])('TOKEN-06 COMPAT-03 accepts ttl %j', async (ttl) => {
    const { status, body } = await ana.client.post(path, { ttl });
    expect([status, body.ttl]).toEqual([200, Number(ttl)]);
  });

  test.each([0, 59, 31_556_927, -2, 1, 60.5, 1e300, '59', '60s', true, [60], { seconds: 60 }])(
    'TOKEN-06 rejects ttl %j with 422',
    async (ttl) => {
      const { status, body } = await ana.client.post(path, { ttl });
      expect([status, body.error.errorCode, body.error.details[0].path]).toEqual([
        422,
        'VALIDATION_ERROR',
        'ttl',
      ]);
    },
  );
});

describe('checking a token', () => {
  test('TOKEN-05 returns 200 for an existing token and 404 for an unknown one', async () => {
    expect((await ana.client.head(path)).status).toBe(200);
    expect((await platform.client('a'.repeat(64)).head(path)).status).toBe(404);
  });

  test('TOKEN-05 TOKEN-08 has no body on the wire, for 200 and for 404', async () => {
    const address = await platform.listen();
    for (const [token, status] of [
      [ana.token, 200],
      ['unknown', 404],
    ] as const) {
      const response = await fetch(`${address}/api/v1${path}`, {
        method: 'HEAD',
        headers: { authorization: token },
      });
      expect([response.status, await response.text()]).toEqual([status, '']);
      expect(response.headers.get('content-length') ?? '0').toBe('0');
    }
  });

  test('TOKEN-08 returns 404, never 401, for a missing, unknown, expired or revoked token', async () => {
    const expired = await create(60);
    const revoked = await create();
    await ana.client.delete(`${path}/${revoked.slice(0, 8)}`);
    platform.clock.advance(61);
    for (const token of [undefined, '', 'unknown', expired, revoked]) {
      const { status, text } = await platform.client(token).head(path);
      expect([status, text]).toEqual([404, '']);
    }
  });
});

describe('listing tokens', () => {
  test('TOKEN-09 TOKEN-20 returns only the user’s own tokens and their properties', async () => {
    const colleague = await account.addUser();
    const token = await create(3600);
    const { status, body, text, headers } = await ana.client.get(path);
    expect([status, headers['x-total-count']]).toEqual([200, '2']);
    expect(body.map((each: { prefix: string }) => each.prefix).sort()).toEqual(
      [ana.token, token].map((each) => each.slice(0, 8)).sort(),
    );
    for (const each of body)
      expect(Object.keys(each).sort()).toEqual([
        'allowedAddresses',
        'created',
        'expiresAt',
        'lastUsedAt',
        'name',
        'prefix',
        'scopes',
        'ttl',
      ]);
    expect(body.find((each: { prefix: string }) => token.startsWith(each.prefix)).ttl).toBe(3600);
    for (const other of [colleague, account.admin]) expect(text).not.toContain(other.token.slice(0, 8));
    for (const own of [token, ana.token]) expect(text).not.toContain(own.slice(0, 9));
  });

  test('TOKEN-09 returns when a token was last used, or null', async () => {
    const [used, unused] = [await create(), await create()];
    const usedAt = platform.clock.now();
    await platform.client(used).get('/users/me');
    await platform.api.app.tokenUse.flush();
    const { body } = await ana.client.get(path);
    const of = (token: string) => body.find((each: { prefix: string }) => token.startsWith(each.prefix));
    expect(of(unused).lastUsedAt).toBeNull();
    expect(Math.abs(Date.parse(of(used).lastUsedAt) - usedAt.getTime())).toBeLessThan(60_000);
  });

  test('TOKEN-09 returns live tokens only, and accepts a filter', async () => {
    await create(60);
    const never = await create(-1);
    platform.clock.advance(61);
    expect(await prefixes()).toEqual(expect.arrayContaining([never.slice(0, 8)]));
    expect(await prefixes()).toHaveLength(2);
    const { body } = await ana.client.list(path, { where: { ttl: -1 } });
    expect(body).toMatchObject([{ prefix: never.slice(0, 8), ttl: -1 }]);
  });
});

describe('revoking a token', () => {
  test('TOKEN-10 TOKEN-13 returns 204 and revokes only the token with that prefix', async () => {
    const [doomed, spared] = [await create(), await create()];
    const answer = await ana.client.delete(`${path}/${doomed.slice(0, 8)}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await isTokenValid(doomed)).toBe(false);
    for (const token of [spared, ana.token, account.admin.token])
      expect(await isTokenValid(token)).toBe(true);
  });

  test('TOKEN-10 may revoke the token it is sent with', async () => {
    expect((await ana.client.delete(`${path}/${ana.token.slice(0, 8)}`)).status).toBe(204);
    expect(await isTokenValid(ana.token)).toBe(false);
  });

  test('TOKEN-10 TOKEN-13 returns 404 for another user’s prefix, even for an ADMIN', async () => {
    const colleague = await account.addUser();
    const otherAdmin = (await createAccount(platform)).admin;
    const missing = await ana.client.delete(`${path}/AAAAAAAA`);
    expect(missing.status).toBe(404);
    for (const other of [colleague, otherAdmin, account.admin]) {
      const answer = await ana.client.delete(`${path}/${other.token.slice(0, 8)}`);
      expect([answer.status, answer.text]).toEqual([404, missing.text]);
      expect(await isTokenValid(other.token)).toBe(true);
    }
    expect((await account.admin.client.delete(`${path}/${ana.token.slice(0, 8)}`)).status).toBe(404);
    expect(await isTokenValid(ana.token)).toBe(true);
  });

  test('TOKEN-13 returns 404 for anything but the prefix of a live token', async () => {
    const expired = await create(60);
    platform.clock.advance(61);
    const strange = [
      expired.slice(0, 8),
      ana.token.slice(0, 7),
      ana.token.slice(0, 9),
      ana.token,
      '%25',
      '_',
      '%00',
    ];
    for (const prefix of [...strange, `${ana.token.slice(0, 8)}%00`, '%F0%9F%90%99', "'--"]) {
      expect([prefix, (await ana.client.delete(`${path}/${prefix}`)).status]).toEqual([prefix, 404]);
    }
    expect(await isTokenValid(ana.token)).toBe(true);
  });
});
