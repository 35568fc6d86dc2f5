import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWebhookSender } from '../../../src/adapters/webhooks/index.ts';
import type { WebhookSender } from '../../../src/contexts/webhooks/index.ts';
import { callableAddresses } from '../../../src/platform/network.ts';
import { type Answer, type DnsServer, startDns } from './dns-server.ts';
import { type Canary, type Listening, startCanary, startReceiver } from './servers.ts';
import { forbiddenAddresses, innerNames, literalHosts, trickyUrls } from './spellings.ts';

/** The address that the operator allows in these tests; it stands for all public ones. */
const allowed = '127.0.0.2';

let canary: Canary;
let receiver: Listening;
let received = 0;
let dns: DnsServer;
let sender: WebhookSender;
let answers: (name: string) => Answer;

beforeAll(async () => {
  canary = await startCanary();
  receiver = await startReceiver(
    (request, response) => {
      received += 1;
      request.resume().on('end', () => response.end());
    },
    allowed,
    canary.port,
  );
  dns = await startDns((name) => answers(name));
  sender = createWebhookSender({
    allowedNetworks: [`${allowed}/32`],
    nameServers: [dns.address],
    nameCacheMs: 0,
    timeoutMs: 3_000,
  });
});
afterAll(async () => {
  await sender.close();
  await Promise.all([canary.close(), receiver.close(), dns.close()]);
});

const send = (url: string) => sender.send({ url, headers: {}, body: '{}' });
const urlTo = (host: string) => `http://${host}:${canary.port}/hook`;

test('HOOK-23 no notation of a non-public address is called', async () => {
  expect(literalHosts.length).toBeGreaterThan(150);
  answers = () => ['127.0.0.1', '::1'];
  for (const host of literalHosts) {
    const { outcome, address } = await send(urlTo(host));
    expect([host, outcome, address]).toEqual([host, 'forbidden_address', null]);
  }
  expect(canary.connections()).toBe(0);
});

test('HOOK-23 no disguised URL reaches a non-public address, and only http is called', async () => {
  answers = () => ['127.0.0.1', '::1'];
  for (const url of trickyUrls(canary.port)) {
    const { outcome } = await send(url);
    expect([url, outcome]).toEqual([url, 'forbidden_address']);
  }
  expect(canary.connections()).toBe(0);
});

test('HOOK-23 a name that resolves to a non-public address is not called', async () => {
  answers = () => ['127.0.0.1', '::1'];
  for (const name of innerNames) {
    const { outcome } = await send(urlTo(name));
    expect([name, outcome]).toEqual([name, 'forbidden_address']);
  }
  for (const address of forbiddenAddresses) {
    answers = () => [address];
    const { outcome } = await send(urlTo('innocent.test'));
    expect([address, outcome]).toEqual([address, 'forbidden_address']);
  }
  expect(canary.connections()).toBe(0);
});

test('HOOK-23 one non-public address blocks all other addresses of its name', async () => {
  const before = received;
  for (const address of forbiddenAddresses) {
    answers = () => [allowed, address];
    const { outcome, detail } = await send(urlTo('both.test'));
    expect([address, outcome]).toEqual([address, 'forbidden_address']);
    expect(detail).toMatch(/never called/);
  }
  expect([canary.connections(), received]).toEqual([0, before]);
});

test('HOOK-23 a DNS server that changes its answers never leads to the canary', async () => {
  for (const pattern of [
    [allowed, '127.0.0.1'],
    ['127.0.0.1', allowed],
    [allowed, '::1'],
    [allowed, allowed, '127.0.0.1'],
  ]) {
    let questions = 0;
    answers = () => {
      questions += 1;
      return [pattern[questions % pattern.length] ?? allowed];
    };
    for (let round = 0; round < 25; round += 1) {
      const { outcome } = await send(urlTo('flip.test'));
      expect(['delivered', 'forbidden_address', 'dns_failed']).toContain(outcome);
    }
  }
  expect(received).toBeGreaterThan(0);
  expect(canary.connections()).toBe(0);
});

test('HOOK-23 calls the address that was checked, without a second lookup', async () => {
  answers = () => [allowed];
  const asked = dns.asked.length;
  expect(await send(urlTo('pinned.test'))).toMatchObject({ outcome: 'delivered', address: allowed });
  expect(dns.asked.slice(asked)).toEqual(['pinned.test']);
});

test('HOOK-23 an open connection is not reused for a name that moved to a private address', async () => {
  answers = () => [allowed];
  expect((await send(urlTo('moving.test'))).outcome).toBe('delivered');
  answers = () => ['127.0.0.1'];
  expect((await send(urlTo('moving.test'))).outcome).toBe('forbidden_address');
  expect(canary.connections()).toBe(0);
});

test('HOOK-24 calls a network that the operator allows, by address and by name', async () => {
  answers = () => [allowed];
  expect(await send(urlTo(allowed))).toMatchObject({ outcome: 'delivered', address: allowed, status: 200 });
  expect((await send(urlTo('named.test'))).outcome).toBe('delivered');
  expect((await send(urlTo('2130706434'))).outcome).toBe('delivered');
});

test('HOOK-23 HOOK-24 calls public addresses, and others only in allowed networks', () => {
  const strict = callableAddresses([]);
  for (const address of forbiddenAddresses) expect([address, strict(address)]).toEqual([address, false]);
  const open = ['8.8.8.8', '1.1.1.1', '200.160.2.3', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111'];
  for (const address of open) expect([address, strict(address)]).toEqual([address, true]);
  const lenient = callableAddresses(['10.0.0.0/8', '192.168.7.9', 'fd00:1::/32', '::1']);
  for (const address of ['10.1.2.3', '192.168.7.9', 'fd00:1:2::3', '::1'])
    expect(lenient(address)).toBe(true);
  for (const address of ['11.0.0.1', '192.168.7.8', 'fd00:2::1', '127.0.0.1', '::ffff:10.1.2.3', 'x', '']) {
    expect([address, lenient(address)]).toEqual([address, address === '11.0.0.1']);
  }
});
