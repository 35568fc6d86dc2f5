import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../../tools/dev/ports.ts';
import { createAccount } from '../../harness/people.ts';
import { runCall } from '../../harness/webhooks/calls.ts';
import { startReceiver, webhooksAbout } from '../../harness/webhooks/receiver.ts';
import {
  addIntegration,
  startWebhookPlatform,
  type WebhookPlatform,
} from '../../harness/webhooks/webhook-platform.ts';

let platform: WebhookPlatform;
beforeAll(async () => {
  platform = await startWebhookPlatform();
});
afterAll(() => platform.close());

const hour = 3600;

test('HOOK-18 HOOK-19 HOOK-20 a receiver that was down for 72 hours gets every event afterwards', async () => {
  const account = await createAccount(platform);
  const port = await freePort();
  const before = await startReceiver({ port });
  const { id: integrationId } = await addIntegration(account.admin, before.url, [
    'channel-answer',
    'channel-hangup',
  ]);
  await before.stop();
  const calls: string[] = [];
  for (let passed = 0; passed < 72; passed += 6) {
    calls.push((await runCall(platform, account)).id, (await runCall(platform, account, { seconds: 0 })).id);
    await platform.untilIdle();
    platform.advance(6 * hour);
    await platform.untilIdle();
  }
  const after = await startReceiver({ port });
  // Covers the longest delay until the next attempt.
  for (let passed = 0; passed < 30; passed += 6) {
    platform.advance(6 * hour);
    await platform.untilIdle();
  }
  const deliveredCounts = calls.map((id) => webhooksAbout(after, id).length);
  expect(deliveredCounts).toEqual(calls.map((_, index) => (index % 2 === 0 ? 2 : 1)));
  const states = await platform.database.query(
    'select state, count(*)::int from deliveries where integration_id = $1 group by state',
    [integrationId],
  );
  expect(states).toEqual([{ state: 'delivered', count: 12 * 3 }]);
  const { body } = await account.admin.client.get('/integrations');
  expect(body[0].webhookDisabledAt ?? null).toBeNull();
  await after.stop();
});
