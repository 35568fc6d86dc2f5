import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { migrate } from '../../../src/main/migrate.ts';
import { createFormerDatabase } from '../../harness/former-database.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { keepUnproven } from '../../harness/proven-endpoints.ts';
import { runCall } from '../../harness/webhooks/calls.ts';
import { type Receiver, startReceiver } from '../../harness/webhooks/receiver.ts';
import {
  addIntegration,
  startWebhookPlatform,
  type WebhookPlatform,
} from '../../harness/webhooks/webhook-platform.ts';

let platform: WebhookPlatform;
let receiver: Receiver;
let account: TestAccount;
let integration: { id: number; secret: string };

beforeAll(async () => {
  platform = await startWebhookPlatform({ RATE_LIMIT_SCALE: '1' });
  await platform.database.query(keepUnproven);
  // Starts the worker, which runs replays of windows.
  await platform.mail();
  platform.clock.freeze();
});
beforeEach(async () => {
  receiver = await startReceiver();
  account = await createAccount(platform);
  integration = await addIntegration(account.admin, receiver.url, ['channel-hangup']);
  return () => receiver.stop();
});
afterAll(() => platform.close());

const post = (path: string, body?: unknown) =>
  account.admin.client.post(`/integrations/${integration.id}${path}`, body);
const isProven = async (): Promise<boolean> => {
  const [row] = await platform.database.query<{ proven: boolean }>(
    'select proven_at is not null as proven from integrations where id = $1',
    [integration.id],
  );
  return row?.proven === true;
};
const lastHour = () => {
  const now = platform.clock.now().getTime();
  return { since: new Date(now - 3_600_000).toISOString(), until: new Date(now + 60_000).toISOString() };
};
const refusal = ({ status, body }: { status: number; body: { error: { errorCode: string } } }) => [
  status,
  body.error.errorCode,
];

test('HOOK-36 events are replayed only to an endpoint that has accepted one', async () => {
  receiver.answer(() => 500);
  await runCall(platform, account);
  await platform.untilIdle();
  const { data } = (
    await account.admin.client.list(`/integrations/${integration.id}/deliveries`, undefined, { page: '1' })
  ).body;
  expect(refusal(await post('/replay', lastHour()))).toEqual([409, 'WEBHOOK_UNPROVEN']);
  expect(refusal(await post(`/deliveries/${data[0].id}/replay`))).toEqual([409, 'WEBHOOK_UNPROVEN']);
  expect((await post('/test', { type: 'channel-hangup' })).body.outcome).toBe('bad_status');
  expect(await isProven()).toBe(false);
  receiver.answer(() => 204);
  expect((await post('/test', { type: 'channel-hangup' })).body.outcome).toBe('delivered');
  expect((await post('/replay', lastHour())).status).toBe(200);
  expect((await post(`/deliveries/${data[0].id}/replay`)).status).toBe(200);
});

test('HOOK-35 a delivery that is accepted proves the endpoint, until its URL changes', async () => {
  await runCall(platform, account);
  await platform.untilIdle();
  expect(await isProven()).toBe(true);
  await addIntegration(account.admin, receiver.url, ['channel-hangup', 'channel-answer']);
  expect(await isProven()).toBe(true);
  await addIntegration(account.admin, `${receiver.url}?other`, ['channel-hangup']);
  expect(await isProven()).toBe(false);
});

test('HOOK-35 a delivery accepted by the former URL does not prove the new one', async () => {
  const arrived = Promise.withResolvers<ServerResponse>();
  const server = createServer((_, response) => arrived.resolve(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await addIntegration(account.admin, `${url}/own`, ['channel-hangup']);
  await runCall(platform, account);
  const response = await arrived.promise;
  await addIntegration(account.admin, `${url}/victim`, ['channel-hangup']);
  response.writeHead(204).end();
  await platform.untilIdle();
  expect(await isProven()).toBe(false);
  server.close();
});

test('HOOK-36 LIMIT-23 an account replays no more events per day than its budget', async () => {
  for (let turn = 0; turn < 2; turn += 1) await runCall(platform, account);
  await platform.untilIdle();
  await platform.database.query(
    "insert into account_budgets (account_id, resource, most) values ($1, 'replayed_events', 5)",
    [account.id],
  );
  const window = { ...lastHour(), types: ['channel-hangup'] };
  expect((await post('/replay', window)).body).toEqual({ events: 2 });
  expect((await post('/replay', window)).body).toEqual({ events: 2 });
  expect(refusal(await post('/replay', window))).toEqual([409, 'ACCOUNT_LIMIT']);
  platform.advance(24 * 3600);
  const later = { ...window, until: platform.clock.now().toISOString() };
  expect((await post('/replay', later)).body).toEqual({ events: 2 });
});

test('HOOK-35 tests count towards the requests of an unproven host', async () => {
  receiver.answer(() => 500);
  const turns = Array.from({ length: 11 }, () => post('/test', { type: 'channel-hangup' }));
  const refused = (await Promise.all(turns)).find(({ status }) => status !== 200);
  expect(refused && refusal(refused)).toEqual([429, 'CAPACITY_EXCEEDED']);
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
});

test('HOOK-35 endpoints of an earlier release that have accepted a delivery are proven', async () => {
  const database = await createFormerDatabase('0048', 'test');
  try {
    await database.client.query(`
      insert into users (id, uuid, account_id, name, email, phone, role, locale, email_verified, password_hash,
        password_changed_at, created_at, updated_at)
      values (1, gen_random_uuid(), 1, 'Ana', 'ana@example.com', '5511987654321', 'ADMIN', 'en', true, '', now(), now(), now());
      insert into integrations (id, account_id, user_id, gateway, webhook, webhook_constraint, constraint_metadata, metadata,
        webhook_url, webhook_version, webhook_types, secret_sealed, created_at, updated_at)
      select id, 1, 1, 'crm-' || id, true, '{}', '{}', '{}', 'HTTPS://user@CRM.example:8443/' || id, '1.8',
             '{channel-hangup}', '', now(), now() from generate_series(1, 2) id;
      insert into deliveries (id, account_id, integration_id, event_id, type, state, created_at)
      select uuidv7_at(now()), 1, id, gen_random_uuid(), 'channel-hangup',
             case id when 1 then 'delivered' else 'failed' end, now() from generate_series(1, 2) id`);
    await migrate(database.url, undefined);
    const { rows } = await database.client.query(
      'select webhook_host as host, proven_at is not null as proven from integrations order by id',
    );
    expect(rows).toEqual([
      { host: 'crm.example', proven: true },
      { host: 'crm.example', proven: false },
    ]);
  } finally {
    await database.drop();
  }
});
