import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen } from '../../server/test/adapters/webhooks/servers.ts';
import { addDelivery } from '../../server/test/harness/deliveries.ts';
import { insertCalls } from '../../server/test/harness/fixtures/call-rows.ts';
import { password } from '../../server/test/harness/people.ts';
import { scopes } from '../src/generated/scopes.ts';
import { Disca, DiscaError, isDiscaError, type Page } from '../src/index.ts';
import { destination, type Service, startService } from './harness/service.ts';

let service: Service;
let disca: Disca;
beforeAll(async () => {
  service = await startService();
  disca = service.disca;
  const startedAt = Date.now() - 3_600_000;
  const rows = Array.from({ length: 250 }, (_, index) => ({
    startedAt: new Date(startedAt + index * 1000),
    metadata: { deal: `D-${index}` },
  }));
  await insertCalls(service.platform.database, service.account, rows);
});
afterAll(() => service.close());

const refusalOf = async (asked: Promise<unknown>): Promise<DiscaError> => {
  const error = await asked.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(DiscaError);
  return error as DiscaError;
};

test('tokens are created by login, checked, named, listed and revoked', async () => {
  const anonymous = new Disca({ baseUrl: service.url });
  expect(await refusalOf(anonymous.users.me())).toMatchObject({
    code: 'AUTHORIZATION_REQUIRED',
    status: 401,
  });
  const { id } = await anonymous.access.logIn({ email: service.account.admin.email, password });
  const me = anonymous.as(id);
  expect(await me.tokens.isValid()).toBe(true);
  const made = await me.tokens.create({ name: 'CRM' });
  const own = me.as(() => made.id);
  expect((await own.users.me()).email).toBe(service.account.admin.email);
  const listed = await me.tokens.list({ where: { name: 'CRM' } }).take(10);
  expect(listed).toMatchObject([{ prefix: made.id.slice(0, 8), name: 'CRM' }]);
  await me.tokens.revoke(listed[0]?.prefix ?? '');
  expect(await own.tokens.isValid()).toBe(false);
  expect(await refusalOf(own.users.me())).toMatchObject({ code: 'INVALID_TOKEN', status: 401 });
});

test('a token has scopes, and a service token outlives its creator', async () => {
  const admin = new Disca({ baseUrl: service.url }).as(service.account.admin.token);
  const reader = admin.as((await admin.tokens.create({ name: 'Reports', scopes: ['calls:read'] })).id);
  expect((await reader.calls.list().take(1)).length).toBeLessThanOrEqual(1);
  const refused = await refusalOf(reader.account.balance());
  expect(refused).toMatchObject({ code: 'TOKEN_SCOPE_MISSING', status: 403 });
  const wanted = { name: 'Invoices', scopes: [...scopes], allowedAddresses: ['127.0.0.0/8', '::1'] };
  const robot = admin.as((await admin.serviceTokens.create(wanted)).id);
  expect((await robot.account.balance()).available).toBeTypeOf('number');
  const [listed] = await admin.serviceTokens.list({ where: { name: 'Invoices' } }).take(1);
  expect(listed).toMatchObject({
    scopes,
    createdBy: service.account.admin.email,
    expiresAt: expect.any(String),
  });
  await admin.serviceTokens.revoke(listed?.prefix ?? '');
  expect(await robot.tokens.isValid()).toBe(false);
});

test('an error has code, status, request id and all validation errors', async () => {
  const error = await refusalOf(disca.calls.place({ extension: 'x', called: '' }));
  expect(error.is('VALIDATION_ERROR')).toBe(true);
  expect(error.requestId).toMatch(/^[\w-]{8,}$/);
  if (!error.is('VALIDATION_ERROR')) throw error;
  const status: 422 = error.status;
  expect(status).toBe(422);
  expect(error.faults.map(({ path }) => path).sort()).toEqual(['called', 'extension']);
  expect(error.retryAfterSeconds).toBeUndefined();
  expect(isDiscaError(error, 'VALIDATION_ERROR', 'NOT_FOUND')).toBe(true);
  expect(isDiscaError(error, 'NOT_FOUND')).toBe(false);
});

test('a call is placed, followed until it ends, and priced', async () => {
  const placed = await disca.calls.place({ extension: service.extension, called: destination });
  expect(placed.status).toBe('queued');
  const statuses: string[] = [];
  for await (const call of disca.calls.follow(placed.id)) {
    statuses.push(call.status);
    if (call.status === 'queued') await disca.calls.hangUp(placed.id);
  }
  expect(statuses).toEqual(['queued', 'ended']);
  expect(await disca.calls.hangUp(placed.id)).toMatchObject({ status: 'ended' });
  expect((await disca.calls.price(placed.id)).minutePrice).toBe(0.12);
  expect((await disca.rates.quote(destination)).minutePrice).toBe(0.12);
});

test('refused calls are errors with their codes', async () => {
  const from = (changes: object) =>
    refusalOf(disca.calls.place({ extension: service.extension, called: destination, ...changes }));
  expect(await from({ extension: '99999999' })).toMatchObject({ code: 'NOT_FOUND', status: 404 });
  expect(await from({ caller: '5511900000000' })).toMatchObject({
    code: 'CALLER_ID_NOT_ALLOWED',
    status: 403,
  });
  expect(await from({ called: '12025550123' })).toMatchObject({
    code: 'DESTINATION_NOT_ALLOWED',
    status: 403,
  });
  const { ramal } = await disca.extensions.createNext({
    senha: 'k8Zr-2mQx-71',
    first_name: 'Ana',
    last_name: 'Souza',
    email_address: 'ana@example.com',
    gravar_audio: 0,
  });
  expect(await from({ extension: ramal })).toMatchObject({ code: 'EXTENSION_NOT_REGISTERED', status: 424 });
  const poor = await refusalOf(
    disca.calls.place({ extension: service.extension, called: destination }, { idempotencyKey: '' }),
  );
  expect(poor.code).toBe('VALIDATION_ERROR');
});

test('a paged list follows cursors page by page, and stops with its reader', async () => {
  const asked: string[] = [];
  const counting = service.client({
    fetch: async (input, init) => {
      asked.push(String(input));
      return await fetch(input, init);
    },
  });
  const where = { 'metadata.deal': { exists: true } };
  const ids = new Set<string>();
  for await (const { id } of counting.calls.list({ where, order: 'started_at ASC' })) ids.add(id);
  expect(ids.size).toBe(250);
  expect(asked).toHaveLength(3);
  const first = await counting.calls.list({ where, pageSize: 40, fields: ['id', 'to'] }).first();
  expect(first).toMatchObject({ total: 250, isTotalEstimated: false });
  expect(first.items).toHaveLength(40);
  expect(Object.keys(first.items[0] ?? {}).sort()).toEqual(['id', 'to']);
  asked.length = 0;
  expect(await counting.calls.list({ where }).take(150)).toHaveLength(150);
  expect(asked).toHaveLength(2);
  expect(await counting.calls.search({ where, pageSize: 200 }).take(1000)).toHaveLength(250);
  const [call] = await counting.calls.list({ where: { 'metadata.deal': 'D-17' } }).take(5);
  expect(call?.metadata).toEqual({ deal: 'D-17' });
});

test('an array list is paged by offset', async () => {
  for (let index = 0; index < 5; index += 1) await disca.tokens.create({ name: `page ${index}` });
  const list = disca.tokens.list({ where: { name: { like: 'page %' } }, pageSize: 2 });
  const pages: Page<{ name: string | null }>[] = [];
  for await (const page of list.pages()) pages.push(page);
  expect(pages.map(({ items }) => items.length)).toEqual([2, 2, 1]);
  expect(pages[0]?.total).toBe(5);
  expect((await list.take(100)).map(({ name }) => name).sort()).toEqual(
    [0, 1, 2, 3, 4].map((n) => `page ${n}`),
  );
});

test('a page size over the maximum of an array list does not end the list early', async () => {
  const total = 1_500;
  const everything = service.client({
    fetch: async (input) => {
      const { limit, offset } = JSON.parse(new URL(String(input)).searchParams.get('filter') ?? '{}');
      const items = Array.from({ length: Math.min(limit, 1_000, total - offset) }, () => ({ name: null }));
      return Response.json(items, { headers: { 'x-total-count': String(total) } });
    },
  });
  expect(await everything.tokens.list({ pageSize: 5_000 }).take(2_000)).toHaveLength(total);
});

test('calls and the statement are downloaded as CSV', async () => {
  const file = await (await disca.calls.export({ fields: ['id', 'to'], limit: 3 })).text();
  expect(file.trim().split('\r\n')).toHaveLength(4);
  expect(file).toMatch(/^id,to\r\n/);
  expect(await disca.statement.csv()).toContain('Credit for the test');
});

test('deliveries of an integration are typed lists', async () => {
  const { client } = service.account.admin;
  const { integrationId, deliveryId } = await addDelivery(service.platform.database.query, client);
  const [listed] = await disca.integrations.deliveries(integrationId).take(5);
  expect(listed?.id).toBe(deliveryId);
  expect((await disca.integrations.delivery(integrationId, deliveryId)).id).toBe(deliveryId);
  expect((await disca.integrations.secret(integrationId)).secret).toMatch(/^whsec_/);
});

test('responses of other servers are distinguished from API errors', async () => {
  const page = await listen(
    createServer((request, response) => {
      if (request.url?.endsWith('/users/me'))
        response.writeHead(301, { location: 'https://elsewhere.test/' }).end();
      else response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>');
    }),
  );
  const elsewhere = new Disca({ baseUrl: `http://127.0.0.1:${page.port}`, token: 'x' });
  const moved = await refusalOf(elsewhere.users.me());
  expect(moved).toMatchObject({ code: 'UNEXPECTED_ANSWER', status: 301 });
  expect(moved.message).toContain('https://elsewhere.test/');
  expect(await refusalOf(elsewhere.account.get())).toMatchObject({ code: 'UNEXPECTED_ANSWER', status: 200 });
  expect(await refusalOf(elsewhere.calls.list().first())).toMatchObject({ code: 'UNEXPECTED_ANSWER' });
  await page.close();
});

test('an id that would change the path is rejected without a request', async () => {
  const asked: string[] = [];
  const careful = service.client({
    fetch: async (input, init) => {
      asked.push(String(input));
      return await fetch(input, init);
    },
  });
  for (const id of ['', '.', '..']) {
    const error = await refusalOf(careful.integrations.remove(id));
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', status: 422, faults: [{ path: 'id' }] });
    expect(() => careful.calls.recordingAccesses(id)).toThrow(DiscaError);
  }
  expect(asked).toEqual([]);
  expect(await refusalOf(careful.calls.get('../users/me'))).toMatchObject({ code: 'NOT_FOUND' });
});

test('the base URL may be that of the service or of its API', async () => {
  for (const baseUrl of [service.url, `${service.url}/`, `${service.url}/api/v1`, `${service.url}/api/v1/`])
    expect((await service.client({ baseUrl }).account.get()).domain).toBe(service.account.domain);
});
