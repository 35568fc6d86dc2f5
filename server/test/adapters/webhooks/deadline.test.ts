import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWebhookSender } from '../../../src/adapters/webhooks/index.ts';
import type { WebhookSender } from '../../../src/contexts/webhooks/index.ts';
import { type Listening, startReceiver } from './servers.ts';

let sender: WebhookSender;
let receiver: Listening;
beforeAll(async () => {
  sender = createWebhookSender({ allowedNetworks: ['127.0.0.0/8'] });
  receiver = await startReceiver((request, response) => {
    const seconds = Number(request.url?.slice(1));
    setTimeout(() => response.writeHead(204).end(), seconds * 1000);
  });
});
afterAll(async () => {
  await sender.close();
  await receiver.close();
});

test('HOOK-17 a response has 15 s: 13 s succeeds, 17 s is a timeout', async () => {
  const send = (seconds: number) =>
    sender.send({ url: `http://127.0.0.1:${receiver.port}/${seconds}`, headers: {}, body: '{}' });
  const [early, late] = await Promise.all([send(13), send(17)]);
  expect(early.outcome).toBe('delivered');
  expect(late.outcome).toBe('timeout');
  expect(late.durationMs).toBeGreaterThanOrEqual(14_900);
});
