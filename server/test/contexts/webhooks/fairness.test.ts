import { expect, test } from 'vitest';
import { createWebhookSender } from '../../../src/adapters/webhooks/index.ts';
import { startPlatform } from '../../harness/platform.ts';
import { type Fairness, measureFairness } from '../../harness/webhooks/fairness.ts';

/**
 * A rate that two workers carry on a busy machine: beyond it, queues delay the events and not the bad endpoints.
 * `./dev bench webhooks-fairness` runs the required size: 50,000 events for 1,000 endpoints.
 */
const options = { endpoints: 200, events: 1_200, eventsPerSecond: 80 };

async function run(bad: { hanging: number; refusing: number; slow: number }): Promise<Fairness> {
  const platform = await startPlatform();
  const { base, money, app } = platform.api;
  const sender = createWebhookSender({ allowedNetworks: ['127.0.0.0/8'] });
  try {
    const deps = { ...base, ...money, sender, hostLimit: app.hostLimit, onError: () => undefined };
    const context = { query: platform.database.query, keyRing: base.keyRing, deps };
    return await measureFairness(context, { ...options, ...bad });
  } finally {
    await sender.close();
    await platform.close();
  }
}

test('endpoints that hang, reject or answer slowly do not delay healthy ones', async () => {
  // Run concurrently, so that other load on this machine affects both.
  const [without, withBad] = await Promise.all([
    run({ hanging: 0, refusing: 0, slow: 0 }),
    run({ hanging: 40, refusing: 40, slow: 40 }),
  ]);
  expect([without.received, withBad.received]).toEqual([without.expected, withBad.expected]);
  expect([without.unrecorded, withBad.unrecorded]).toEqual([[], []]);
  // A margin of 250 ms for load that affects only one of them.
  expect(withBad.p95Ms).toBeLessThanOrEqual(without.p95Ms * 1.5 + 250);
});
