import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientAddress } from '../../../src/contexts/limits/index.ts';
import type { Client } from '../../harness/client.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

/** Sends a request and returns the number of remaining requests from its response. */
async function left(client: Client, forwardedFor?: string): Promise<number> {
  const headers: Record<string, string> =
    forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  return Number((await client.get('/users/me', { headers })).headers['ratelimit-remaining']);
}

describe('without a configured proxy', () => {
  let platform: Platform;
  beforeAll(async () => {
    platform = await startPlatform();
  });
  afterAll(() => platform.close());

  test('LIMIT-12 a spoofed X-Forwarded-For changes nothing: all requests share one bucket', async () => {
    const client = platform.client();
    const spoofed = Array.from({ length: 70 }, (_, index) => `203.0.113.${index}`);
    const statuses = await Promise.all(
      spoofed.map(async (address) => {
        const headers = {
          'x-forwarded-for': `${address}, 10.0.0.1`,
          forwarded: `for=${address}`,
          'x-real-ip': address,
        };
        return (await client.get('/users/me', { headers })).status;
      }),
    );
    expect(statuses.filter((status) => status === 401)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    expect(await left(platform.client().from('203.0.113.5'))).toBe(59);
  });

  test('LIMIT-12 audit log and request log have the real address too', async () => {
    const client = platform.client();
    await client.get('/users/me', { headers: { 'x-forwarded-for': '203.0.113.200' } });
    const line = JSON.parse(platform.logLines.at(-1) ?? '{}');
    expect(line.address).toBe(client.address);
    expect(platform.logLines.at(-1)).not.toContain('203.0.113.200');
  });

  test('LIMIT-15 IPv6 clients are counted per /64, and IPv4-mapped addresses as IPv4', async () => {
    const from = (address: string) => platform.client().from(address);
    expect(await left(from('2001:db8:1:2::1'))).toBe(59);
    expect(await left(from('2001:db8:1:2:ffff:ffff:ffff:ffff'))).toBe(58);
    expect(await left(from('2001:db8:1:3::1'))).toBe(59);
    expect(await left(from('192.0.2.33'))).toBe(59);
    expect(await left(from('::ffff:192.0.2.33'))).toBe(58);
  });

  test('LIMIT-15 the API description and its page are not limited and have no limit headers', async () => {
    const client = platform.client();
    const ask = (path: string, times: number) =>
      Promise.all(Array.from({ length: times }, () => client.get(path)));
    const answers = [
      await ask('/openapi.json', 65),
      await ask('/docs/', 65),
      await ask('/docs/js/scalar.js', 1),
    ].flat();
    for (const { status, headers } of answers) {
      expect(status).toBe(200);
      expect(headers).not.toHaveProperty('ratelimit-limit');
    }
    expect(await left(client)).toBe(59);
  });
});

describe('behind a configured proxy', () => {
  let platform: Platform;
  beforeAll(async () => {
    platform = await startPlatform({ TRUSTED_PROXIES: '192.0.2.10, 10.0.0.0/8' });
  });
  afterAll(() => platform.close());
  const through = (proxy: string) => platform.client().from(proxy);

  test('LIMIT-12 the client address is the one the proxy saw', async () => {
    expect(await left(through('192.0.2.10'), '203.0.113.1')).toBe(59);
    expect(await left(through('192.0.2.10'), '203.0.113.1')).toBe(58);
    expect(await left(through('192.0.2.10'), '203.0.113.2')).toBe(59);
    expect(await left(through('10.20.30.40'), '203.0.113.1')).toBe(57);
  });

  test('LIMIT-12 ignores what the client put into the header before the proxy', async () => {
    for (let count = 0; count < 5; count++) {
      expect(await left(through('192.0.2.10'), `198.51.100.${count}, 203.0.113.3`)).toBe(59 - count);
    }
    expect(await left(through('192.0.2.10'), '198.51.100.1, 203.0.113.3, 10.1.1.1')).toBe(54);
  });

  test('LIMIT-12 ignores the header from any other address than the proxy', async () => {
    const direct = platform.client();
    expect(await left(direct, '203.0.113.4')).toBe(59);
    expect(await left(direct, '203.0.113.5')).toBe(58);
    expect(await left(through('192.0.2.10'), '203.0.113.4')).toBe(59);
  });

  test('LIMIT-12 LIMIT-15 IPv6 clients behind the proxy are counted per /64', async () => {
    expect(await left(through('192.0.2.10'), '2001:db8:9:9::1')).toBe(59);
    expect(await left(through('192.0.2.10'), '2001:db8:9:9::2')).toBe(58);
  });

  test('LIMIT-12 a header without an address neither fails nor creates new buckets', async () => {
    for (const nonsense of ['', 'unknown', ',,,', '999.1.1.1', 'x'.repeat(2_000), '::1::', '"203.0.113.9"']) {
      const answer = await through('192.0.2.10').get('/users/me', {
        headers: { 'x-forwarded-for': nonsense },
      });
      expect(answer.status).toBe(401);
    }
    expect(Number(await platform.api.redis.get('limit:address:unknown'))).toBeGreaterThanOrEqual(4);
  });
});

test('LIMIT-15 clientAddress returns /64 networks and plain IPv4 addresses', () => {
  expect(clientAddress('198.51.100.7')).toBe('198.51.100.7');
  expect(clientAddress('::ffff:198.51.100.7')).toBe('198.51.100.7');
  expect(clientAddress('2001:0db8:0000:0001:abcd::1')).toBe('2001:db8:0:1::/64');
  expect(clientAddress('::1')).toBe('::/64');
});
