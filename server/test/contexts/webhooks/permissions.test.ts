import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createAccount, type Person, type TestAccount } from '../../harness/people.ts';
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
