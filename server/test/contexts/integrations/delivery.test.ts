import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount } from '../../harness/people.ts';
import { until } from '../../harness/until.ts';
import { runCall } from '../../harness/webhooks/calls.ts';
import { isSigned, type Receiver, startReceiver } from '../../harness/webhooks/receiver.ts';
import {
  addIntegration,
  startWebhookPlatform,
  type WebhookPlatform,
} from '../../harness/webhooks/webhook-platform.ts';

let platform: WebhookPlatform;
let receiver: Receiver;
beforeAll(async () => {
  platform = await startWebhookPlatform();
  // A failed delivery is not retried until a test advances the clock.
  platform.clock.freeze();
  receiver = await startReceiver();
});
afterAll(async () => {
  await platform.close();
  await receiver.stop();
});

const awaitWebhooks = (id: string, count: number) =>
  until(() => {
    const received = receiver.received.filter(({ body }) => body.id === id);
    return received.length >= count ? received : undefined;
  }, `${count} webhooks of the call arrived`);

async function waiting(retriesOnly = false): Promise<number> {
  const [row] = await platform.database.query<{ count: number }>(
    `select count(*)::int as count from delivery_queue where is_retry or not $1`,
    [retriesOnly],
  );
  return row?.count ?? 0;
}

test('INTEG-13 after removal nothing is sent, neither new events nor pending retries', async () => {
  const account = await createAccount(platform);
  const types = ['channel-hangup'];
  await addIntegration(account.admin, receiver.url, types, { gateway: 'kept' });
  const removed = await addIntegration(account.admin, receiver.url, types, { gateway: 'removed' });
  const toRemoved = () => receiver.received.filter((webhook) => isSigned(webhook, removed.secret));
  receiver.answer((webhook) => (isSigned(webhook, removed.secret) ? 500 : 204));
  await awaitWebhooks((await runCall(platform, account)).id, 2);
  expect(toRemoved()).toHaveLength(1);
  await until(async () => (await waiting(true)) === 1, 'the retry is scheduled');
  await platform.pause();
  platform.advance(10);
  expect((await account.admin.client.delete(`/integrations/${removed.id}`)).status).toBe(204);
  platform.resume();
  await awaitWebhooks((await runCall(platform, account)).id, 1);
  await until(async () => (await waiting()) === 0, 'no delivery is pending');
  expect(toRemoved()).toHaveLength(1);
});

test('an account that went live sends nothing to the plain http URL it had', async () => {
  const account = await createAccount(platform);
  const { id } = await addIntegration(account.admin, receiver.url, ['channel-hangup']);
  const { id: callId } = await runCall(platform, account);
  await awaitWebhooks(callId, 1);
  await platform.untilIdle();
  await platform.database.query(`update accounts set mode = 'live' where id = $1`, [account.id]);
  const path = `/integrations/${id}/deliveries`;
  const { body: page } = await account.admin.client.get(path, { query: { page: '1' } });
  const replayed = await account.admin.client.post(`${path}/${page.data[0].id}/replay`);
  expect(replayed.status).toBeLessThan(300);
  await until(async () => {
    const rows = await platform.database.query<{ last_outcome: string }>(
      'select last_outcome from deliveries where integration_id = $1',
      [id],
    );
    return rows.some(({ last_outcome }) => last_outcome === 'forbidden_address');
  }, 'the delivery was rejected');
  expect(receiver.received.filter(({ body }) => body.id === callId)).toHaveLength(1);
});

test('INTEG-10 INTEG-11 after a rotation both secrets verify for 24 hours, then only the new one', async () => {
  const account = await createAccount(platform);
  const { id, secret: old } = await addIntegration(account.admin, receiver.url, ['channel-hangup']);
  const { secret } = (await account.admin.client.post(`/integrations/${id}/secret/rotate`)).body;
  for (const webhook of await awaitWebhooks((await runCall(platform, account)).id, 1)) {
    expect([isSigned(webhook, old), isSigned(webhook, secret)]).toEqual([true, true]);
  }
  platform.advance(24 * 3600 - 60);
  const last = await awaitWebhooks((await runCall(platform, account)).id, 1);
  expect(last.map((webhook) => [isSigned(webhook, old), isSigned(webhook, secret)])).toEqual([[true, true]]);
  platform.advance(120);
  const after = await awaitWebhooks((await runCall(platform, account)).id, 1);
  expect(after.map((webhook) => [isSigned(webhook, old), isSigned(webhook, secret)])).toEqual([
    [false, true],
  ]);
});
