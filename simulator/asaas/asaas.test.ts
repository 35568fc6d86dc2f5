import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeAsaas, type FakeEvent, startAsaas } from './index.ts';

let asaas: FakeAsaas;
beforeEach(async () => {
  asaas = await startAsaas({ apiKey: 'key', webhookToken: 'token' });
});
const receivers: Server[] = [];
afterEach(async () => {
  for (const receiver of receivers.splice(0)) receiver.close();
  await asaas.stop();
});

const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  fetch(asaas.url + path, {
    method,
    headers: { access_token: 'key', 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

interface Answer {
  id: string;
  deleted: boolean;
  totalCount: number;
  errors: { code: string }[];
}
const ask = async (method: string, path: string, body?: unknown) =>
  (await (await call(method, path, body)).json()) as Answer;

async function makePayments(count: number): Promise<string[]> {
  const { id } = await ask('POST', '/customers', { name: 'Ana', cpfCnpj: '52998224725' });
  const wish = { customer: id, billingType: 'PIX', value: 10, dueDate: '2999-01-01' };
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) {
    ids.push((await ask('POST', '/payments', wish)).id);
  }
  return ids;
}

/** Records requests and responds with the given statuses, then with 200. */
async function startReceiver(...statuses: number[]) {
  const received: { event: FakeEvent; token: unknown }[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const event = JSON.parse(Buffer.concat(chunks).toString('utf8')) as FakeEvent;
      received.push({ event, token: request.headers['asaas-access-token'] });
      response.writeHead(statuses.shift() ?? 200).end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  asaas.webhook(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  receivers.push(server);
  return received;
}

test('requires the key, and every response reports the remaining quota', async () => {
  const refused = await call('GET', '/payments', undefined, { access_token: 'wrong' });
  expect(refused.status).toBe(401);
  const { errors } = (await refused.json()) as Answer;
  expect(errors).toMatchObject([{ code: 'invalid_access_token' }]);
  const answer = await call('GET', '/payments');
  expect(answer.headers.get('ratelimit-limit')).toBe('25000');
  expect(answer.headers.get('ratelimit-remaining')).toBe('24998');
});

test('rejects a debit card, a small amount and another account’s customer', async () => {
  const [id] = await makePayments(1);
  const { customer } = asaas.payments().find((payment) => payment.id === id) ?? {};
  const wish = { customer, billingType: 'PIX', value: 10, dueDate: '2999-01-01' };
  const wrongs = [{ billingType: 'DEBIT_CARD' }, { value: 4.99 }, { value: 5.001 }, { customer: 'cus_0' }];
  for (const wrong of [...wrongs, { dueDate: '2020-01-01' }]) {
    expect((await call('POST', '/payments', { ...wish, ...wrong })).status).toBe(400);
  }
});

test('creates two payments for two POSTs with one reference', async () => {
  const [id] = await makePayments(1);
  const { customer } = asaas.payments().find((payment) => payment.id === id) ?? {};
  const wish = { customer, billingType: 'PIX', value: 10, dueDate: '2999-01-01', externalReference: 'r1' };
  await call('POST', '/payments', wish);
  await call('POST', '/payments', wish);
  expect((await ask('GET', '/payments?externalReference=r1')).totalCount).toBe(2);
});

test('deletes only unpaid payments, which can still be read by id', async () => {
  const [open = '', paid = ''] = await makePayments(2);
  asaas.pay(paid);
  expect((await call('DELETE', `/payments/${paid}`)).status).toBe(400);
  expect(await ask('DELETE', `/payments/${open}`)).toEqual({ deleted: true, id: open });
  expect((await ask('GET', `/payments/${open}`)).deleted).toBe(true);
  expect((await ask('GET', '/payments')).totalCount).toBe(1);
});

test('resends an event until the response is exactly 200', async () => {
  const received = await startReceiver(500, 204, 201);
  await makePayments(1);
  expect(await asaas.deliver()).toEqual({ delivered: 1, lost: 0, failures: 3, left: 0 });
  expect(new Set(received.map(({ event }) => event.id)).size).toBe(1);
  expect(received[0]).toMatchObject({ token: 'token', event: { event: 'PAYMENT_CREATED' } });
});

test('pauses the queue after 15 failures and keeps its events', async () => {
  const received = await startReceiver(...Array.from({ length: 15 }, () => 500));
  await makePayments(3);
  expect(await asaas.deliver({ retryDelayMs: 1 })).toEqual({ delivered: 0, lost: 0, failures: 15, left: 3 });
  expect(await asaas.deliver()).toEqual({ delivered: 3, lost: 0, failures: 0, left: 0 });
  expect(received).toHaveLength(18);
});

test('duplicates, shuffles and drops events according to the seed', async () => {
  const received = await startReceiver();
  const ids = await makePayments(40);
  for (const id of ids) asaas.pay(id);
  const sent = asaas.events().map((event) => event.id);
  const report = await asaas.deliver({ duplicate: 0.3, drop: 0.2, shuffle: true, delayMs: 2, seed: 7 });
  const arrived = received.map(({ event }) => event.id);
  expect(report.lost).toBeGreaterThan(0);
  expect(new Set(arrived).size).toBe(sent.length - report.lost);
  expect(arrived.length).toBe(report.delivered);
  expect(arrived.length).toBeGreaterThan(new Set(arrived).size);
  expect(arrived).not.toEqual(sent.filter((id) => arrived.includes(id)));
});
