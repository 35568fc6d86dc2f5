import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMessages } from '../../../../../sdk/src/server-sent.ts';
import { createAccount, type TestAccount } from '../../../harness/people.ts';
import { until } from '../../../harness/until.ts';
import { runCall } from '../../../harness/webhooks/calls.ts';
import { isSigned, type Receiver, startReceiver, webhooksAbout } from '../../../harness/webhooks/receiver.ts';
import {
  addIntegration,
  startWebhookPlatform,
  type WebhookPlatform,
} from '../../../harness/webhooks/webhook-platform.ts';

let platform: WebhookPlatform;
let receiver: Receiver;
let account: TestAccount;
let integration: { id: number; secret: string };
let url: string;

beforeAll(async () => {
  platform = await startWebhookPlatform({ EVENT_STREAM_SECONDS: '600' });
  url = `${await platform.listen()}/api/v1/events/stream`;
  receiver = await startReceiver();
  account = await createAccount(platform);
  integration = await addIntegration(account.admin, receiver.url, ['call-updated']);
  await account.admin.client.request('PUT', '/dispositions', { body: { names: ['Sale', 'Callback'] } });
});
afterAll(async () => {
  await platform?.close();
  await receiver?.stop();
});

const write = (id: string, body: object) =>
  account.admin.client.request('PUT', `/calls/${id}/note`, { body });

/** Collects the events of the stream of the ADMIN until it is left. */
async function openStream() {
  const leaving = new AbortController();
  const headers = { authorization: account.admin.token };
  const { body } = await fetch(url, { headers, signal: leaving.signal });
  const events: { type: string; data: Record<string, unknown> }[] = [];
  const read = async (): Promise<void> => {
    if (!body) throw new Error('The stream has no body.');
    for await (const { data } of readMessages(body, () => undefined))
      if (data !== '') events.push(JSON.parse(data));
  };
  const done = read().catch(() => undefined);
  return {
    events,
    async leave() {
      leaving.abort();
      await done;
    },
  };
}

test('NOTE-06 the stream and webhooks publish a change with the payload of the feed', async () => {
  const { id } = await runCall(platform, account, { metadata: { deal: 'D-1' } });
  const stream = await openStream();
  const note = { disposition: 'Sale', note: 'Wants two.', tags: ['vip'] };
  await write(id, note);
  await write(id, note);
  await platform.untilIdle();
  const streamed = () => stream.events.filter(({ type, data }) => type === 'call-updated' && data.id === id);
  await until(() => streamed().length > 0, 'the stream sends the event');
  const [delivered, ...more] = webhooksAbout(receiver, id);
  expect(more).toEqual([]);
  expect(delivered && isSigned(delivered, integration.secret)).toBe(true);
  expect(delivered?.body).toMatchObject({
    ...note,
    id,
    eventType: 'call-updated',
    duration: 10,
    hangupCause: 'NORMAL_CLEARING',
    metadata: { deal: 'D-1' },
  });
  expect(delivered?.body).not.toHaveProperty('sequence');
  expect(streamed()).toHaveLength(1);
  const { body: feed } = await account.admin.client.get('/events', { query: { limit: '500' } });
  const inFeed = feed.data.filter(({ type }: { type: string }) => type === 'call-updated');
  expect(inFeed).toHaveLength(1);
  // The link to the recording is signed for each reader.
  const comparable = ({ recordUrl: _, ...rest }: Record<string, unknown>) => rest;
  expect(comparable(streamed()[0]?.data ?? {})).toEqual(comparable(inFeed[0].data));
  expect(comparable(delivered?.body)).toEqual(comparable(inFeed[0].data));
  await stream.leave();
});

test('NOTE-06 a delivery that is read or replayed later is the same, with the note as it is then', async () => {
  const { id } = await runCall(platform, account);
  await write(id, { disposition: 'Callback', note: 'On Friday.', tags: ['a'] });
  await platform.untilIdle();
  const { client } = account.admin;
  const base = `/integrations/${integration.id}/deliveries`;
  const { body: listed } = await client.get(base, { query: { callId: id, page: '1' } });
  expect(listed.data).toMatchObject([{ type: 'call-updated' }]);
  const delivery = `${base}/${listed.data[0].id}`;
  const [first] = webhooksAbout(receiver, id);
  const comparable = ({ recordUrl: _, ...rest }: Record<string, unknown>) => rest;
  const { body: read } = await client.get(delivery);
  expect(comparable(read.request.body)).toEqual(comparable(first?.body));
  await client.post(`${delivery}/replay`);
  await platform.untilIdle();
  expect(comparable(webhooksAbout(receiver, id)[1]?.body)).toEqual(comparable(first?.body));
  expect(webhooksAbout(receiver, id)[1]?.headers['webhook-id']).toBe(first?.headers['webhook-id']);

  await write(id, { disposition: 'Sale', note: 'Sold.', tags: [] });
  await platform.untilIdle();
  await client.post(`${delivery}/replay`);
  await platform.untilIdle();
  const [, , changed, replayed] = webhooksAbout(receiver, id);
  const now = { disposition: 'Sale', note: 'Sold.', tags: [] };
  expect(changed?.body).toMatchObject(now);
  const { accountSequence } = first?.body ?? {};
  expect(comparable(replayed?.body)).toEqual({ ...comparable(first?.body), ...now, accountSequence });
});
