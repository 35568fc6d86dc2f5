import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount } from '../harness/people.ts';
import { runCall } from './harness/calls.ts';
import { type Receiver, startReceiver } from './harness/receiver.ts';
import {
  addIntegration,
  startWebhookPlatform,
  until,
  type WebhookPlatform,
} from './harness/webhook-platform.ts';

let platform: WebhookPlatform;
let receiver: Receiver;
beforeAll(async () => {
  platform = await startWebhookPlatform();
  receiver = await startReceiver();
});
afterAll(async () => {
  await platform.close();
  await receiver.stop();
});

test('HOOK-01 HOOK-02 HOOK-03 HOOK-16 tells answer and end of a call, signed', async () => {
  const account = await createAccount(platform);
  const { secret } = await addIntegration(account.admin, receiver.url);
  const { id } = await runCall(platform, account, { seconds: 42, metadata: { deal: 'D-1' } });
  const mine = await until(() => {
    const told = receiver.received.filter(({ body }) => body.id === id);
    return told.length === 2 ? told : undefined;
  }, 'both events arrived');
  expect(mine.map(({ body }) => body.eventType).sort()).toEqual(['channel-answer', 'channel-hangup']);
  for (const { headers, text } of mine) {
    expect(headers['content-type']).toBe('application/json');
    expect(new Webhook(secret).verify(text, headers)).toBeTruthy();
  }
});
