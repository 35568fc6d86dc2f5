import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { until } from '../../harness/until.ts';
import { runCall } from '../../harness/webhooks/calls.ts';
import {
  addIntegration,
  startWebhookPlatform,
  type WebhookPlatform,
} from '../../harness/webhooks/webhook-platform.ts';

/** Over the second from which an endpoint is slow. */
const slowMs = 1_200;

let platform: WebhookPlatform;
let account: TestAccount;
let integrationId: number;
let endpoint: Server;
const waiting: ServerResponse[] = [];

beforeAll(async () => {
  platform = await startWebhookPlatform();
  endpoint = createServer((request, response) => {
    request.resume().on('end', () => waiting.push(response));
  }).listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  account = await createAccount(platform);
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/`;
  integrationId = (await addIntegration(account.admin, url, ['channel-hangup'])).id;
});
afterAll(async () => {
  endpoint.closeAllConnections();
  endpoint.close();
  await platform.close();
});

/** Delivers an event, to which the endpoint responds after a while. Returns the lane of its first attempt. */
async function deliver(afterMs: number): Promise<'first' | 'retry'> {
  await runCall(platform, account);
  await until(() => waiting.length > 0, 'the webhook is sent');
  const [row] = await platform.database.query<{ is_retry: boolean }>(
    'select is_retry from delivery_queue where integration_id = $1 and taken_until is not null',
    [integrationId],
  );
  await sleep(afterMs);
  waiting.shift()?.writeHead(200).end();
  await platform.untilIdle();
  return row?.is_retry ? 'retry' : 'first';
}

const save = async (change: object): Promise<void> => {
  const { status, text } = await account.admin.client.patch('/integrations', {
    id: integrationId,
    ...change,
  });
  expect(status, text).toBe(200);
};

test('HOOK-37 an endpoint that accepts after a second gets retries only, until it is fast again', async () => {
  expect(await deliver(0)).toBe('first');
  expect(await deliver(slowMs)).toBe('first');
  expect(await deliver(slowMs)).toBe('retry');
  expect(await deliver(0)).toBe('retry');
  expect(await deliver(0)).toBe('first');
});

test('HOOK-37 saving an integration does not make its slow endpoint fast', async () => {
  await deliver(slowMs);
  await save({ webhook: true });
  expect(await deliver(slowMs)).toBe('retry');
  await save({ webhook: false });
  // The event of this call is not sent.
  await runCall(platform, account);
  await platform.untilIdle();
  await save({ webhook: true });
  expect(await deliver(slowMs)).toBe('retry');
  expect(await deliver(0)).toBe('retry');
  expect(await deliver(0)).toBe('first');
});
