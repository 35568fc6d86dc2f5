import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertToken } from '../../../src/contexts/access/token.store.ts';
import { hashToken } from '../../../src/contexts/access/token.ts';
import { inAccount } from '../../../src/platform/db/database.ts';
import { insertCalls, insertRecording } from '../../harness/fixtures/call-rows.ts';
import { createAccount, type Person, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

const path = '/users/accessTokens';
let platform: Platform;
let account: TestAccount;
let ana: Person;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
});
beforeEach(async () => {
  account = await createAccount(platform);
  ana = await account.addUser();
});
afterAll(() => platform.close());

const create = async (wanted: object, person: Person = ana) => {
  const { status, body } = await person.client.post(path, wanted);
  expect(status).toBe(200);
  return platform.client(body.id);
};
const listed = async (person: Person = ana) => (await person.client.get(path)).body;

describe('a new token', () => {
  test('TOKEN-07 TOKEN-15 starts with dsk_, has 64 characters, and so have those of logins', async () => {
    const made = (await ana.client.post(path, {})).body.id;
    for (const token of [made, ana.token]) expect(token).toMatch(/^dsk_[\w-]{60}$/);
  });

  test('TOKEN-15 a token from before keeps working', async () => {
    const former = 'x'.repeat(64);
    await platform.database.query(
      `insert into access_tokens (hash, prefix, account_id, user_id, ttl_seconds, created_at, expires_at)
       select $2, 'xxxxxxxx', account_id, id, -1, now(), 'infinity' from users where uuid = $1`,
      [ana.uuid, hashToken(former)],
    );
    expect((await platform.client(former).get('/users/me')).body.uuid).toBe(ana.uuid);
    expect((await ana.client.delete(`${path}/xxxxxxxx`)).status).toBe(204);
  });

  test('TOKEN-15 is never stored with the first 8 characters of another token of its user', async () => {
    await Promise.all(Array.from({ length: 40 }, () => ana.client.post(path, {})));
    const prefixes = (await listed()).map(({ prefix }: { prefix: string }) => prefix);
    expect(new Set(prefixes).size).toBe(41);
    const [{ id: userId }] = (await platform.database.query<{ id: string }>(
      'select id from users where uuid = $1',
      [ana.uuid],
    )) as [{ id: string }];
    const again = {
      hash: hashToken('another'),
      prefix: prefixes[0],
      ttlSeconds: -1,
      name: undefined,
      kind: 'created' as const,
      scopes: undefined,
      allowedAddresses: undefined,
      createdAt: platform.clock.now(),
    };
    const owner = { accountId: account.id, userId: Number(userId) };
    expect(await inAccount(platform.api.base.db, account.id, (tx) => insertToken(tx, owner, again))).toBe(
      false,
    );
    const free = { ...again, prefix: 'dsk_free' };
    expect(await inAccount(platform.api.base.db, account.id, (tx) => insertToken(tx, owner, free))).toBe(
      true,
    );
  });

  test('TOKEN-01 TOKEN-20 with scopes returns only id, ttl and created; the list has the rest', async () => {
    platform.clock.freeze();
    const scopes = ['calls:read', 'calls:place', 'calls:read'];
    const { body } = await ana.client.post(path, { ttl: 3600, scopes, allowedAddresses: ['203.0.113.7'] });
    expect(Object.keys(body).sort()).toEqual(['created', 'id', 'ttl']);
    const mine = (await listed()).find(({ prefix }: { prefix: string }) => body.id.startsWith(prefix));
    expect(mine).toMatchObject({
      ttl: 3600,
      expiresAt: new Date(Date.parse(body.created) + 3_600_000).toISOString(),
      scopes: ['calls:place', 'calls:read'],
      allowedAddresses: ['203.0.113.7'],
      lastUsedAt: null,
    });
    const own = (await listed()).find(({ prefix }: { prefix: string }) => ana.token.startsWith(prefix));
    expect(own).toMatchObject({ scopes: null, allowedAddresses: null });
    const never = await ana.client.post(path, { ttl: -1 });
    const lasting = (await listed()).find(({ prefix }: { prefix: string }) =>
      never.body.id.startsWith(prefix),
    );
    expect(lasting.expiresAt).toBeNull();
  });

  test.each([
    ['scopes', { scopes: [] }],
    ['scopes.0', { scopes: ['everything'] }],
    ['allowedAddresses', { allowedAddresses: [] }],
    ['allowedAddresses', { allowedAddresses: Array.from({ length: 21 }, () => '203.0.113.7') }],
    ...[
      '10.0.0.0/33',
      '::/129',
      '203.0.113',
      '::ffff:203.0.113.7',
      'fe80::1%eth0',
      'example.com',
      '1.2.3.4/8/9',
    ].map((network): [string, object] => ['allowedAddresses.0', { allowedAddresses: [network] }]),
  ])('TOKEN-16 TOKEN-18 is refused with 422 at %s for %j', async (field, wanted) => {
    const { status, body } = await ana.client.post(path, wanted);
    expect([status, body.error.details?.[0].path]).toEqual([422, field]);
    expect(await listed()).toHaveLength(1);
  });
});

describe('a token with scopes', () => {
  test('TOKEN-16 is refused outside of them, after the role and before the fields', async () => {
    const reader = await create({ scopes: ['calls:read'] }, account.admin);
    expect((await reader.list('/calls', undefined, { page: '1' })).status).toBe(200);
    const refused = await reader.post('/users', { nme: 1 });
    expect([refused.status, refused.body.error.errorCode]).toEqual([403, 'TOKEN_SCOPE_MISSING']);
    expect(refused.body.error.message).toContain('`users`');
    const ofUser = await create({ scopes: ['calls:read'] });
    expect((await ofUser.post('/users', { nme: 1 })).body.error.errorCode).toBe('ACCESS_DENIED');
    expect((await reader.get('/no/such/route')).status).toBe(404);
    expect((await reader.request('PUT', '/users')).status).toBe(405);
  });

  test('TOKEN-16 does not exceed the role of its user', async () => {
    const money = await create({ scopes: ['money'] });
    expect((await money.get('/accounts/balance')).body.error.errorCode).toBe('ACCESS_DENIED');
  });

  test('TOKEN-16 cannot create a token, and a token without scopes still can', async () => {
    const limited = await create({ scopes: ['users', 'account'] }, account.admin);
    expect((await limited.post(path, {})).body.error.errorCode).toBe('TOKEN_SCOPE_MISSING');
    expect((await limited.post('/accounts/accessTokens', {})).body.error.errorCode).toBe(
      'TOKEN_SCOPE_MISSING',
    );
    const full = await create({});
    expect((await full.post(path, {})).status).toBe(200);
  });

  test('TOKEN-05 TOKEN-17 is checked, shows its user and logs out with every scope', async () => {
    const limited = await create({ scopes: ['money'] });
    expect((await limited.head(path)).status).toBe(200);
    expect((await limited.get('/users/me')).body.uuid).toBe(ana.uuid);
    expect((await limited.post('/users/logout')).status).toBe(204);
    expect((await limited.get('/users/me')).status).toBe(401);
  });

  test('TOKEN-04 TOKEN-16 is refused with 401 like an unknown one once it has expired', async () => {
    const limited = await create({ ttl: 60, scopes: ['money'] });
    platform.clock.advance(61);
    const [expired, unknown] = [await limited.get('/accounts'), await platform.client('x').get('/accounts')];
    expect([expired.status, expired.body]).toEqual([401, unknown.body]);
  });

  test('TOKEN-19 gets links to recordings only with the scope recordings', async () => {
    await account.admin.client.patch('/accounts', { usersSee: 'all' });
    const at = platform.clock.now();
    const [callId = ''] = await insertCalls(platform.database, account, [{ startedAt: at, recorded: true }]);
    await insertRecording(platform.database, account.id, callId);
    const deaf = await create({ scopes: ['calls:read'] });
    const hearing = await create({ scopes: ['calls:read', 'recordings'] });
    for (const [client, isLinked] of [
      [deaf, false],
      [hearing, true],
      [ana.client, true],
    ] as const) {
      const shown = [
        (await client.get(`/calls/${callId}`)).body.record_url,
        (await client.list('/calls', undefined, { page: '1' })).body.data[0].record_url,
        (await client.list('/calls/search')).body.data[0].record_url,
      ];
      for (const url of shown) expect(url !== null).toBe(isLinked);
      const { text } = await client.get('/calls/export');
      expect([text.includes(callId), text.includes('/recordings/')]).toEqual([true, isLinked]);
    }
  });
});
