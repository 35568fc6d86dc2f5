import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isNetwork } from '../../../src/platform/network.ts';
import { createAccount, type Person, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

const path = '/users/accessTokens';
const proxy = '192.0.2.10';
let platform: Platform;
let account: TestAccount;
let ana: Person;

beforeAll(async () => {
  platform = await startPlatform({ TRUSTED_PROXIES: proxy });
  account = await createAccount(platform);
  ana = await account.addUser();
});
afterAll(() => platform.close());

async function create(...allowedAddresses: string[]): Promise<string> {
  const { status, body } = await ana.client.from('198.51.100.1').post(path, { allowedAddresses });
  expect(status).toBe(200);
  return body.id;
}

const me = async (token: string, address: string, headers = {}) => {
  const { status, body } = await platform.client(token).from(address).get('/users/me', { headers });
  return status === 200 ? 200 : `${status} ${body.error.errorCode}`;
};
const refused = '403 TOKEN_ADDRESS_NOT_ALLOWED';

describe('a token with allowed addresses', () => {
  test('TOKEN-18 works from these addresses and networks only, of IPv4 and IPv6', async () => {
    const token = await create('203.0.113.7', '198.51.100.0/24', '2001:db8::/32', '2001:db9::5');
    const allowed = ['203.0.113.7', '198.51.100.250', '2001:db8:1::2', '2001:db9::5', '::ffff:203.0.113.7'];
    for (const address of allowed) expect([address, await me(token, address)]).toEqual([address, 200]);
    // Another address of the same /64 network, which rate limits count together, is another address.
    const others = ['203.0.113.8', '198.51.101.1', '2001:db9::6', '2001:dba::1', '::ffff:203.0.113.8'];
    for (const address of others) expect([address, await me(token, address)]).toEqual([address, refused]);
  });

  test('TOKEN-18 is judged by the address that the proxy saw', async () => {
    const token = await create('203.0.113.7');
    const from = (forwarded: string) => ({ 'x-forwarded-for': forwarded });
    expect(await me(token, proxy, from('203.0.113.7'))).toBe(200);
    expect(await me(token, proxy, from('203.0.113.7, 203.0.113.8'))).toBe(refused);
    expect(await me(token, '203.0.113.8', from('203.0.113.7'))).toBe(refused);
    expect(await me(token, proxy, from('nonsense'))).toBe(refused);
  });

  test('TOKEN-18 from elsewhere is not a use, has no effect and counts against the address', async () => {
    const token = await create('203.0.113.7');
    const elsewhere = platform.client(token);
    const answer = await elsewhere.patch('/users', { name: 'Mallory' });
    expect([answer.status, answer.body.error.errorCode]).toEqual([403, 'TOKEN_ADDRESS_NOT_ALLOWED']);
    expect((await elsewhere.head(path)).status).toBe(404);
    // A request of the token itself still has all of the user's 60.
    await elsewhere.get('/accounts');
    const { headers } = await platform.client(token).from('203.0.113.7').get('/accounts');
    expect(headers['ratelimit-remaining']).toBe('59');
    await platform.api.app.tokenUse.flush();
    const other = await create('203.0.113.7');
    await platform.client(other).get('/users/me');
    await platform.api.app.tokenUse.flush();
    const tokens = (await ana.client.get(path)).body;
    const unused = tokens.find(({ prefix }: { prefix: string }) => other.startsWith(prefix));
    expect(unused.lastUsedAt).toBeNull();
    expect((await ana.client.get('/users/me')).body.name).not.toBe('Mallory');
  });

  test('TOKEN-18 from elsewhere is in the request log of its user', async () => {
    const token = await create('203.0.113.7');
    const elsewhere = platform.client(token);
    await elsewhere.get('/accounts');
    const entries = async () => {
      const { body } = await ana.client.list('/requests', { where: { address: elsewhere.address } });
      return body.data;
    };
    await expect
      .poll(entries, { timeout: 10_000, interval: 1_000 })
      .toMatchObject([{ errorCode: 'TOKEN_ADDRESS_NOT_ALLOWED', status: 403, address: elsewhere.address }]);
  });
});

test('TOKEN-18 networks are addresses and CIDR of both families, and nothing else', () => {
  const valid = ['0.0.0.0/0', '203.0.113.7', '10.0.0.0/8', '10.0.0.5/8', '::/0', '::1', '2001:DB8::/32'];
  for (const text of valid) expect([text, isNetwork(text)]).toEqual([text, true]);
  const invalid = [
    '',
    '/',
    '10/8',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/1e1',
    '0x7f.1',
    '256.0.0.1',
    ':::',
    '::1/',
  ];
  for (const text of invalid) expect([text, isNetwork(text)]).toEqual([text, false]);
});
