import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { freePort } from '../../../../tools/dev/ports.ts';
import { makeCertificate } from '../../adapters/webhooks/servers.ts';
import { upload, wav } from '../../harness/fixtures/recordings.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { runCall } from '../../harness/webhooks/calls.ts';
import { isSigned, type Receiver, startReceiver, webhooksAbout } from '../../harness/webhooks/receiver.ts';
import {
  addIntegration,
  startWebhookPlatform,
  type WebhookPlatform,
} from '../../harness/webhooks/webhook-platform.ts';

const [minute, hour] = [60, 3600];
const schedule = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];

let platform: WebhookPlatform;
let receiver: Receiver;
let account: TestAccount;
const certificate = await makeCertificate('IP:127.0.0.1');

beforeAll(async () => {
  platform = await startWebhookPlatform({}, { timeoutMs: 5_000, certificateAuthority: certificate.cert });
  // Retries are due only when a test advances the clock.
  platform.clock.freeze();
});
beforeEach(async () => {
  receiver = await startReceiver();
  account = await createAccount(platform);
  return () => receiver.stop();
});
afterAll(() => platform.close());

interface Delivery {
  id: string;
  state: string;
  attempts: number;
  next_attempt_at: Date | null;
}

/** Returns the deliveries of an integration, oldest first. */
const listDeliveries = ({ id }: { id: number }) =>
  platform.database.query<Delivery>(
    'select id, state, attempts, next_attempt_at from deliveries where integration_id = $1 order by id',
    [id],
  );

const listAttempts = ({ id }: { id: number }) =>
  platform.database.query<{ number: number; at: Date; outcome: string }>(
    `select a.number, a.at, a.outcome from delivery_attempts a join deliveries d on d.id = a.delivery_id
      where d.integration_id = $1 order by a.delivery_id, a.number`,
    [id],
  );

/** Advances to the next attempt of the only delivery, plus `seconds`. */
async function elapseToNext(integration: { id: number }, seconds: number): Promise<void> {
  const [delivery] = await listDeliveries(integration);
  const due = delivery?.next_attempt_at ?? platform.clock.now();
  platform.advance((due.getTime() - platform.clock.now().getTime()) / 1000 + seconds);
  await platform.untilIdle();
}

test('HOOK-18 HOOK-20 ten attempts follow the schedule with up to 20 % jitter and one id', async () => {
  receiver.answer(() => 500);
  const integration = await addIntegration(account.admin, receiver.url, ['channel-hangup']);
  const { id } = await runCall(platform, account);
  await platform.untilIdle();
  for (const [index, seconds] of schedule.entries()) {
    expect(webhooksAbout(receiver, id)).toHaveLength(index + 1);
    const [delivery] = await listDeliveries(integration);
    const last = (await listAttempts(integration)).at(-1);
    const waits = ((delivery?.next_attempt_at?.getTime() ?? 0) - (last?.at.getTime() ?? 0)) / 1000;
    expect(waits).toBeGreaterThanOrEqual(seconds);
    expect(waits).toBeLessThanOrEqual(seconds * 1.2);
    // No attempt before the scheduled time …
    await elapseToNext(integration, -1);
    expect(webhooksAbout(receiver, id)).toHaveLength(index + 1);
    // … and one at that time.
    await elapseToNext(integration, 1);
  }
  expect(webhooksAbout(receiver, id)).toHaveLength(10);
  expect(await listDeliveries(integration)).toMatchObject([
    { state: 'failed', attempts: 10, next_attempt_at: null },
  ]);
  platform.advance(48 * hour);
  await platform.untilIdle();
  const received = webhooksAbout(receiver, id);
  expect(received).toHaveLength(10);
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(new Set(received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10);
  expect(new Set(received.map(({ text }) => text.replace(/signature=[^"]*/, ''))).size).toBe(1);
});

test('HOOK-18 deliveries that failed together are not retried together', async () => {
  receiver.answer(() => 500);
  const integration = await addIntegration(account.admin, receiver.url, ['channel-hangup', 'channel-answer']);
  for (let call = 0; call < 15; call += 1) await runCall(platform, account);
  await platform.untilIdle();
  const due = (await listDeliveries(integration)).map(({ next_attempt_at }) => next_attempt_at?.getTime());
  expect(new Set(due).size).toBeGreaterThan(20);
});

test('HOOK-17 HOOK-20 a 2xx completes the delivery; other statuses, redirects, timeouts and resets are retried', async () => {
  const replies = [500, 404, 429, 302, 'hang', 'reset', 201] as const;
  let replyIndex = 0;
  receiver.answer(() => replies[replyIndex++] ?? 204);
  const integration = await addIntegration(account.admin, receiver.url, ['channel-hangup']);
  const { id } = await runCall(platform, account);
  await platform.untilIdle();
  for (let attempt = 1; attempt < replies.length; attempt += 1) await elapseToNext(integration, 1);
  expect((await listAttempts(integration)).map(({ outcome }) => outcome)).toEqual([
    'bad_status',
    'bad_status',
    'bad_status',
    'bad_status',
    'timeout',
    'connection_lost',
    'delivered',
  ]);
  expect(await listDeliveries(integration)).toMatchObject([{ state: 'delivered', next_attempt_at: null }]);
  platform.advance(48 * hour);
  await platform.untilIdle();
  expect(webhooksAbout(receiver, id)).toHaveLength(replies.length);
});

test('HOOK-16 HOOK-20 delivers over HTTPS, and retries an unreachable server', async () => {
  const port = await freePort();
  const secure = await startReceiver({ port, certificate });
  const integration = await addIntegration(account.admin, secure.url, ['channel-hangup']);
  const first = await runCall(platform, account);
  await platform.untilIdle();
  expect(webhooksAbout(secure, first.id)).toHaveLength(1);
  await secure.stop();
  // Ids sort by the millisecond and are random within it.
  platform.advance(1);
  const { id } = await runCall(platform, account);
  await platform.untilIdle();
  expect((await listAttempts(integration)).at(-1)?.outcome).toBe('connect_failed');
  const again = await startReceiver({ port, certificate });
  platform.advance(6);
  await platform.untilIdle();
  const [webhook] = webhooksAbout(again, id);
  expect(webhook && isSigned(webhook, integration.secret)).toBe(true);
  expect(await listDeliveries(integration)).toMatchObject([{ state: 'delivered' }, { state: 'delivered' }]);
  await again.stop();
});

test('HOOK-20 every event has a unique id, the same for all subscribers', async () => {
  for (const gateway of ['one', 'two'])
    await addIntegration(account.admin, receiver.url, ['channel-answer', 'channel-hangup'], { gateway });
  const calls = [await runCall(platform, account), await runCall(platform, account)];
  await platform.untilIdle();
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(ids).toHaveLength(calls.length * 4);
  expect(new Set(ids).size).toBe(calls.length * 2);
});

test('HOOK-14 recordUrl works for 24 h from each attempt, replays included', async () => {
  receiver.answer(() => 500);
  const integration = await addIntegration(account.admin, receiver.url, ['channel-hangup']);
  const { id } = await runCall(platform, account);
  await upload(platform, id, wav(1));
  await platform.untilIdle();
  const linkStatus = async (index: number) => {
    const { recordUrl } = webhooksAbout(receiver, id)[index]?.body ?? {};
    return (await platform.app.inject({ url: recordUrl.replace('http://api.disca.test', '') })).statusCode;
  };
  expect(await linkStatus(0)).toBe(200);
  for (let attempt = 1; attempt < 8; attempt += 1) await elapseToNext(integration, 1);
  expect([await linkStatus(0), await linkStatus(7)]).toEqual([410, 200]);
  platform.clock.advance(24 * hour - 60);
  expect(await linkStatus(7)).toBe(200);
  receiver.answer(() => 204);
  platform.advance(120);
  await platform.untilIdle();
  expect(await linkStatus(7)).toBe(410);
  expect(webhooksAbout(receiver, id)).toHaveLength(9);
  platform.advance(25 * hour);

  const [delivery] = await listDeliveries(integration);
  const path = `/integrations/${integration.id}/deliveries/${delivery?.id}/replay`;
  const asked = await account.admin.client.post(path);
  expect(asked.status).toBeLessThan(300);
  await platform.untilIdle();
  expect(webhooksAbout(receiver, id)).toHaveLength(10);
  expect([await linkStatus(8), await linkStatus(9)]).toEqual([410, 200]);
  platform.clock.advance(24 * hour - 60);
  expect(await linkStatus(9)).toBe(200);
});

test('HOOK-19 INTEG-12 a 410 disables the webhook without a mail; pending deliveries are not sent', async () => {
  const integration = await addIntegration(account.admin, receiver.url, ['channel-answer', 'channel-hangup']);
  receiver.answer(({ body }) => (body.eventType === 'channel-answer' ? 500 : 410));
  await runCall(platform, account);
  await platform.untilIdle();
  const shown = async () => (await account.admin.client.get('/integrations')).body[0];
  expect(await shown()).toMatchObject({
    webhookDisabledAt: expect.any(String),
    webhookDisabledReason: expect.stringContaining('410'),
  });
  const before = receiver.received.length;
  platform.advance(hour);
  const { id } = await runCall(platform, account);
  await platform.untilIdle();
  expect(receiver.received).toHaveLength(before);
  expect((await listDeliveries(integration)).map(({ state }) => state)).toEqual(['failed', 'failed']);
  expect(await mailsAboutWebhooks()).toEqual([]);

  receiver.answer(() => 204);
  await account.admin.client.patch('/integrations', { id: integration.id, webhook: true });
  expect(await shown()).not.toHaveProperty('webhookDisabledAt', expect.any(String));
  const { id: later } = await runCall(platform, account);
  await platform.untilIdle();
  expect(webhooksAbout(receiver, later)).toHaveLength(2);
  expect(webhooksAbout(receiver, id)).toEqual([]);
});

const mailsAboutWebhooks = () =>
  platform.database.query(
    `select id from pgboss.job where name like 'mail%' and data::text like '%webhook%'`,
  );

test('HOOK-19 only five days without a success disable the webhook and mail its owner', async () => {
  const sink = await platform.mail();
  const day = 24 * hour;
  receiver.answer(() => 503);
  await addIntegration(account.admin, receiver.url, ['channel-hangup']);
  const reason = async () => (await account.admin.client.get('/integrations')).body[0].webhookDisabledReason;
  const failOne = async () => {
    await runCall(platform, account);
    await platform.untilIdle();
  };
  await failOne();
  platform.advance(5 * day - hour);
  await platform.untilIdle();
  expect(await reason()).toBeFalsy();
  // A success in between restarts the period.
  receiver.answer(() => 204);
  await failOne();
  receiver.answer(() => 503);
  await failOne();
  platform.advance(5 * day - hour);
  await failOne();
  expect(await reason()).toBeFalsy();
  platform.advance(2 * hour);
  await failOne();
  expect(await reason()).toContain('5 days');
  const letter = await sink.waitFor(
    ({ to, subject }) => /webhook/i.test(subject) && JSON.stringify(to).includes(account.admin.email),
  );
  expect(letter.text).toContain('“crm”');
});

test('INTEG-10 old and new secret verify while they overlap, then only the new one', async () => {
  const { id, secret: old } = await addIntegration(account.admin, receiver.url, ['channel-hangup']);
  await account.admin.client.post(`/integrations/${id}/secret/rotate`);
  const { secret: fresh } = (await account.admin.client.get(`/integrations/${id}/secret`)).body;
  expect(fresh).not.toBe(old);
  const verifyWith = async (secrets: string[]) => {
    const { id: call } = await runCall(platform, account);
    await platform.untilIdle();
    const [webhook] = webhooksAbout(receiver, call);
    return secrets.map((secret) => webhook && isSigned(webhook, secret));
  };
  expect(await verifyWith([old, fresh])).toEqual([true, true]);
  platform.advance(24 * hour - minute);
  expect(await verifyWith([old, fresh])).toEqual([true, true]);
  platform.advance(2 * minute);
  expect(await verifyWith([old, fresh])).toEqual([false, true]);
});

test('INTEG-13 nothing is sent for a removed integration, not even pending retries', async () => {
  receiver.answer(() => 500);
  const { id } = await addIntegration(account.admin, receiver.url, ['channel-hangup']);
  await runCall(platform, account);
  await platform.untilIdle();
  expect((await account.admin.client.delete(`/integrations/${id}`)).status).toBe(204);
  platform.advance(hour);
  await runCall(platform, account);
  await platform.untilIdle();
  expect(receiver.received).toHaveLength(1);
});
