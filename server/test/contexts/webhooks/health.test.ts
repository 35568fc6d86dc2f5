import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createAccount, type TestAccount } from '../../harness/people.ts';
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

beforeAll(async () => {
  platform = await startWebhookPlatform();
  // A failed delivery is not retried until a test advances the clock.
  platform.clock.freeze();
  receiver = await startReceiver();
});
beforeEach(async () => {
  account = await createAccount(platform);
  receiver.answer(() => 204);
});
afterAll(async () => {
  await platform.close();
  await receiver.stop();
});

interface Health {
  gateway: string;
  state: string;
}

const health = async (person = account.admin) =>
  (await person.client.get('/integrations/health')).body as Health[];
const one = async () => (await health())[0];
const listDeliveries = async (callId: string, person = account.admin) =>
  await person.client.get(`/calls/${callId}/deliveries`);
const call = async (script = {}) => {
  const { id } = await runCall(platform, account, script);
  await platform.untilIdle();
  return id;
};

test('HOOK-31 an integration is waiting until the first delivery, then working, with its last success', async () => {
  const { id } = await addIntegration(account.admin, receiver.url);
  const nothing = { delivered: 0, pending: 0, failed: 0 };
  expect(await health()).toEqual([
    {
      integrationId: id,
      gateway: 'crm',
      host: new URL(receiver.url).host,
      state: 'waiting',
      disabledAt: null,
      disabledReason: null,
      failingSince: null,
      lastDeliveredAt: null,
      lastFailedAt: null,
      lastFailure: null,
      lastFailureStatus: null,
      recent: nothing,
    },
  ]);
  await call();
  expect(await one()).toMatchObject({
    state: 'working',
    lastDeliveredAt: expect.any(String),
    lastFailedAt: null,
    recent: { ...nothing, delivered: 2 },
  });
});

test('HOOK-31 one that only fails is failing, with its start and error, and keeps its last success', async () => {
  await addIntegration(account.admin, receiver.url);
  await call();
  const { lastDeliveredAt } = (await one()) as unknown as { lastDeliveredAt: string };
  receiver.answer(() => 503);
  platform.clock.advance(60);
  await call();
  expect(await one()).toMatchObject({
    state: 'failing',
    failingSince: expect.any(String),
    lastDeliveredAt,
    lastFailedAt: expect.any(String),
    lastFailure: 'bad_status',
    lastFailureStatus: 503,
    recent: { delivered: 2, pending: 2, failed: 0 },
  });
  // The last success is still shown after any number of failures.
  await platform.database.query(
    `insert into deliveries (id, account_id, integration_id, event_id, type, state, created_at)
     select uuidv7_at(d.created_at + interval '1 second'), d.account_id, d.integration_id, d.event_id, d.type, 'failed', d.created_at
       from (select * from deliveries where account_id = $1 and state = 'pending' limit 1) d, generate_series(1, 150)`,
    [account.id],
  );
  expect(await one()).toMatchObject({
    state: 'failing',
    lastDeliveredAt,
    recent: { delivered: 0, pending: 0, failed: 100 },
  });
});

test('HOOK-31 a disabled one has time and reason; one without a webhook is off', async () => {
  await addIntegration(account.admin, receiver.url);
  await account.admin.client.patch('/integrations', { gateway: 'quiet' });
  receiver.answer(() => 410);
  await call();
  const [off, disabled] = await health();
  expect(off).toMatchObject({ gateway: 'quiet', state: 'off', host: null });
  expect(disabled).toMatchObject({
    gateway: 'crm',
    state: 'disabled',
    disabledAt: expect.any(String),
    disabledReason: expect.stringContaining('410'),
    lastFailureStatus: 410,
  });
});

test('bug: HOOK-31 a delivery that ends unsent with its webhook does not hide the failure that disabled it', async () => {
  await addIntegration(account.admin, receiver.url);
  // Both deliveries exist before one of them disables the webhook.
  receiver.answer(() => 503);
  const id = await call();
  receiver.answer(({ body }) => (body.eventType === 'channel-answer' ? 410 : 503));
  for (const seconds of [600, 3_600]) {
    platform.advance(seconds);
    await platform.untilIdle();
  }
  const [{ deliveries }] = (await listDeliveries(id)).body;
  expect(deliveries[1].attempts.at(-1)).toMatchObject({ outcome: 'gone', status: null });
  const { lastFailure, lastFailureStatus } = (await one()) as unknown as Record<string, unknown>;
  expect([
    ['gone', 410],
    ['bad_status', 503],
  ]).toContainEqual([lastFailure, lastFailureStatus]);
});

test('HOOK-31 the health of other users’ integrations is not visible', async () => {
  await addIntegration(account.admin, receiver.url);
  expect(await health(await account.addUser('ADMIN'))).toEqual([]);
  expect(await health((await createAccount(platform)).admin)).toEqual([]);
});

test('HOOK-30 lists the deliveries of a call with their attempts, in event order', async () => {
  const { id: integrationId } = await addIntegration(account.admin, receiver.url);
  receiver.answer(({ body }) => (body.eventType === 'channel-answer' ? 500 : 204));
  const id = await call();
  await call();
  const { body } = await listDeliveries(id);
  expect(body).toMatchObject([{ integrationId, gateway: 'crm', reasons: [] }]);
  expect(body[0].deliveries).toMatchObject([
    { type: 'channel-answer', state: 'pending', attempts: [{ outcome: 'bad_status', status: 500 }] },
    { type: 'channel-hangup', state: 'delivered', attempts: [{ outcome: 'delivered', status: 204 }] },
  ]);
  const listed = await account.admin.client.list(
    `/integrations/${integrationId}/deliveries`,
    {},
    { page: '1' },
  );
  // The list of an integration also names the call.
  const shared = listed.body.data.map(({ call: _, ...delivery }: { call: unknown }) => delivery);
  expect(shared).toEqual(expect.arrayContaining(body[0].deliveries));
});

test('HOOK-30 an integration that did not get the call has the reason', async () => {
  await addIntegration(account.admin, receiver.url, ['channel-hangup'], {
    webhookConstraint: { deal: 'D-1' },
  });
  const user = await account.addUser();
  await account.admin.client.patch('/accounts', { usersSee: 'all' });
  await addIntegration(user, receiver.url, ['channel-hangup']);
  const id = await call({ metadata: { deal: 'D-2' } });
  const [mine] = (await listDeliveries(id)).body;
  expect(mine).toMatchObject({ deliveries: [], reasons: [{ code: 'constraint', path: 'metadata.deal' }] });
  const [theirs] = (await listDeliveries(id, user)).body;
  expect(theirs).toMatchObject({ deliveries: [], reasons: [{ code: 'not_your_call' }] });
});

test('HOOK-30 an unknown call and one of another account both return 404', async () => {
  const id = await call();
  const otherAdmin = (await createAccount(platform)).admin;
  const answers = [
    await listDeliveries(id, otherAdmin),
    await listDeliveries('019a8f00-0000-7000-8000-000000000000'),
    await listDeliveries('nonsense'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect((await listDeliveries(id)).body).toEqual([]);
});
