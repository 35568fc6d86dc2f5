import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { insertBalanceEvent, numberEvents } from '../../harness/fixtures/events.ts';
import { createAccount, logIn, type Person, type TestAccount } from '../../harness/people.ts';
import { runCall } from '../../harness/webhooks/calls.ts';
import { type Receiver, startReceiver, webhooksAbout } from '../../harness/webhooks/receiver.ts';
import {
  addIntegration,
  startWebhookPlatform,
  type WebhookPlatform,
} from '../../harness/webhooks/webhook-platform.ts';

let platform: WebhookPlatform;
let receiver: Receiver;
let account: TestAccount;
let user: Person;

beforeAll(async () => {
  platform = await startWebhookPlatform();
  // Starts the worker, which runs replays of windows.
  await platform.mail();
  // A failed delivery is not retried until a test advances the clock.
  platform.clock.freeze();
});
beforeEach(async () => {
  receiver = await startReceiver();
  account = await createAccount(platform);
  user = await account.addUser();
  return () => receiver.stop();
});
afterAll(() => platform.close());

async function permit(changes: object): Promise<void> {
  const permissions = { calls: 'own', recordings: 'own', money: false, webhooks: true, supervision: false };
  const body = { ...permissions, ...changes };
  const { status } = await account.admin.client.request('PUT', `/users/${user.uuid}/permissions`, { body });
  expect(status).toBe(200);
}

/** Runs a recorded call of the user and returns the webhooks about it. */
async function received() {
  const { id } = await runCall(platform, account, {
    client: user.client,
    email: user.email,
    isRecorded: true,
  });
  await platform.untilIdle();
  return webhooksAbout(receiver, id);
}

const issuedTo = (link: string): unknown => {
  const [, payload = ''] = (new URL(link).searchParams.get('signature') ?? '').split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()).issuedTo;
};

test('PERM-05 PERM-09 a webhook has a link that names the owner, if the owner may listen', async () => {
  const { id } = await addIntegration(user, receiver.url, ['channel-hangup']);
  const [allowed] = await received();
  expect(issuedTo(allowed?.body.recordUrl)).toBe(user.uuid);
  await permit({ recordings: 'none' });
  const [withheld] = await received();
  expect(withheld?.body).toMatchObject({ eventType: 'channel-hangup', recordUrl: null });
  const { body } = await user.client.list(`/integrations/${id}/deliveries`, undefined, { page: '1' });
  for (const delivery of body.data) {
    const shown = await user.client.get(`/integrations/${id}/deliveries/${delivery.id}`);
    expect(shown.body.request.body.recordUrl).toBeNull();
  }
});

test('PERM-08 the webhooks of a USER without the permission receive nothing, and work again with it', async () => {
  await addIntegration(user, receiver.url, ['channel-hangup']);
  await permit({ webhooks: false });
  expect(await received()).toEqual([]);
  expect((await user.client.get('/integrations')).status).toBe(403);
  await permit({ webhooks: true });
  expect(await received()).toHaveLength(1);
});

/** Makes an ADMIN a USER, who logs in again because a change of role ends the sessions. */
async function demote({ uuid, email }: Person): Promise<Person> {
  const { status } = await account.admin.client.patch('/users', { uuid, role: 'USER' });
  expect(status).toBe(200);
  return await logIn(platform, email);
}

/** Runs a call of this ADMIN and one of another user, and reports a low balance. Returns what the events are about. */
async function causeEvents({ client, email }: Person) {
  const own = await runCall(platform, account, { client, email });
  const other = await runCall(platform, account);
  await insertBalanceEvent(platform, account);
  return { own: own.id, other: other.id, money: String(account.id) };
}

async function deliveryAbout(integrationId: number, subjectId: string): Promise<string> {
  const [row] = await platform.database.query<{ id: string }>(
    `select d.id from deliveries d join events e on e.id = d.event_id
      where d.integration_id = $1 and e.subject_id = $2`,
    [integrationId, subjectId],
  );
  if (!row) throw new Error(`No delivery about ${subjectId}.`);
  return row.id;
}

/** Returns the calls of the webhooks after the first ones. */
const callsAfter = (count: number): unknown[] => receiver.received.slice(count).map(({ body }) => body.id);

test('bug: HOOK-25 PERM-06 a demoted ADMIN cannot replay calls of others or events about money', async () => {
  const former = await account.addUser('ADMIN');
  const { id } = await addIntegration(former, receiver.url, ['channel-hangup', 'balance-low']);
  const about = await causeEvents(former);
  await platform.untilIdle();
  expect(receiver.received).toHaveLength(3);
  const { client } = await demote(former);
  const replay = async (subjectId: string) =>
    await client.post(`/integrations/${id}/deliveries/${await deliveryAbout(id, subjectId)}/replay`);
  const missing = await client.post(`/integrations/${id}/deliveries/${account.uuid}/replay`);
  for (const hidden of [await replay(about.other), await replay(about.money)])
    expect([hidden.status, hidden.text]).toEqual([404, missing.text]);
  expect((await replay(about.own)).status).toBe(200);
  await platform.untilIdle();
  expect(callsAfter(3)).toEqual([about.own]);
  const hourMs = 3_600_000;
  const nowMs = platform.clock.now().getTime();
  const replayed = await client.post(`/integrations/${id}/replay`, {
    since: new Date(nowMs - hourMs).toISOString(),
    until: new Date(nowMs + hourMs).toISOString(),
  });
  expect(replayed.status).toBe(200);
  await platform.untilIdle();
  expect(callsAfter(4)).toEqual([about.own]);
});

test('bug: HOOK-25 PERM-06 retries that a demoted ADMIN may not receive end unsent, with the reason', async () => {
  const former = await account.addUser('ADMIN');
  const { id } = await addIntegration(former, receiver.url, ['channel-hangup', 'balance-low']);
  receiver.answer(() => 500);
  const about = await causeEvents(former);
  await platform.untilIdle();
  expect(receiver.received).toHaveLength(3);
  const { client } = await demote(former);
  receiver.answer(() => 204);
  platform.advance(10);
  await platform.untilIdle();
  expect(callsAfter(3)).toEqual([about.own]);
  for (const subjectId of [about.other, about.money]) {
    const { body } = await client.get(`/integrations/${id}/deliveries/${await deliveryAbout(id, subjectId)}`);
    expect(body).toMatchObject({ state: 'failed', nextAttemptAt: null, lastOutcome: 'gone' });
    expect(body.attempts).toMatchObject([
      { outcome: 'bad_status', status: 500 },
      { outcome: 'gone', status: null, detail: expect.stringContaining('may no longer receive') },
    ]);
  }
});

test('bug: HOOK-25 HOOK-31 a first attempt after the demotion is not sent, and is no failure of the endpoint', async () => {
  const former = await account.addUser('ADMIN');
  await addIntegration(former, receiver.url, ['channel-hangup']);
  await platform.pause();
  await runCall(platform, account);
  await numberEvents(platform);
  const { client } = await demote(former);
  platform.resume();
  await platform.untilIdle();
  expect(receiver.received).toEqual([]);
  expect((await client.get('/integrations/health')).body).toMatchObject([
    { failingSince: null, lastFailure: null, recent: { pending: 0, failed: 1 } },
  ]);
});

test('bug: PERM-08 retries end unsent when the owner loses the permission for webhooks', async () => {
  const { id } = await addIntegration(user, receiver.url, ['channel-hangup']);
  receiver.answer(() => 500);
  expect(await received()).toHaveLength(1);
  await permit({ webhooks: false });
  receiver.answer(() => 204);
  platform.advance(10);
  await platform.untilIdle();
  expect(receiver.received).toHaveLength(1);
  await permit({ webhooks: true });
  const { body } = await user.client.list(`/integrations/${id}/deliveries`, undefined, { page: '1' });
  expect(body.data).toMatchObject([{ state: 'failed', lastOutcome: 'gone' }]);
});

test('PERM-05 a retry has a link only if the owner may still listen', async () => {
  await addIntegration(user, receiver.url, ['channel-hangup']);
  receiver.answer(() => 500);
  const [first] = await received();
  expect(issuedTo(first?.body.recordUrl)).toBe(user.uuid);
  await permit({ recordings: 'none' });
  platform.advance(10);
  await platform.untilIdle();
  expect(receiver.received).toHaveLength(2);
  expect(receiver.received[1]?.body).toMatchObject({ id: first?.body.id, recordUrl: null });
});
