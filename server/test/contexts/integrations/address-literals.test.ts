import { afterAll, beforeAll, expect, test } from 'vitest';
import { forbiddenAddresses, literalHosts } from '../../adapters/webhooks/spellings.ts';
import { integrationBody } from '../../harness/fixtures/integrations.ts';
import { createAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({
    RATE_LIMIT_SCALE: '1000',
    WEBHOOK_ALLOWED_NETWORKS: '10.20.0.0/16, 127.0.0.7',
  });
});
afterAll(() => platform.close());

test('HOOK-23 HOOK-24 rejects non-public addresses in every notation unless allowed', async () => {
  const { admin } = await createAccount(platform);
  const save = async (webhookUrl: string) =>
    await admin.client.patch('/integrations', integrationBody({}, { webhookUrl }));
  for (const host of literalHosts) {
    const answer = await save(`https://${host}/hook`);
    expect([host, answer.status]).toEqual([host, 422]);
    expect(answer.body.error.details[0].path).toBe('metadata.webhookUrl');
  }
  expect(forbiddenAddresses.length).toBeGreaterThan(50);
  expect((await admin.client.get('/integrations')).body).toEqual([]);
  for (const host of ['10.20.3.4', '127.0.0.7', '0x7f000007', '8.8.8.8', '[2606:4700::1]', 'localhost']) {
    const answer = await save(`https://${host}/hook`);
    expect([host, answer.status]).toEqual([host, 200]);
  }
});
