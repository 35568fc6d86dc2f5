import { expect, test } from 'vitest';
import { createWebhookSender } from '../../../src/adapters/webhooks/index.ts';
import { startPlatform } from '../../harness/platform.ts';
import { slowMs } from '../../harness/webhooks/crowd.ts';
import { type Fairness, type FairnessOptions, measureFairness } from '../../harness/webhooks/fairness.ts';

/**
 * A rate that two workers carry on a busy machine: beyond it, queues delay the events and not the bad endpoints.
 * `./dev bench webhooks-fairness` runs the required size: 50,000 events for 1,000 endpoints.
 */
const options = { endpoints: 200, events: 1_200, eventsPerSecond: 80 };
const none = { hanging: 0, refusing: 0, slow: 0 };

async function run(whole: FairnessOptions): Promise<Fairness> {
  const platform = await startPlatform();
  const { base, money, app } = platform.api;
  const sender = createWebhookSender({ allowedNetworks: ['127.0.0.0/8'] });
  try {
    const deps = { ...base, ...money, sender, hostLimit: app.hostLimit, onError: () => undefined };
    const context = { query: platform.database.query, keyRing: base.keyRing, deps };
    return await measureFairness(context, whole);
  } finally {
    await sender.close();
    await platform.close();
  }
}

test('endpoints that hang, reject or answer slowly do not delay healthy ones', async () => {
  // Run concurrently, so that other load on this machine affects both.
  const [without, withBad] = await Promise.all([
    run({ ...options, ...none }),
    run({ ...options, hanging: 40, refusing: 40, slow: 40 }),
  ]);
  expect([without.received, withBad.received]).toEqual([without.expected, withBad.expected]);
  expect([without.unrecorded, withBad.unrecorded]).toEqual([[], []]);
  // A margin of 250 ms for load that affects only one of them.
  expect(withBad.p95Ms).toBeLessThanOrEqual(without.p95Ms * 1.5 + 250);
});

/** A tenth of a worker's slots. The burst needs more than all of them, for as long as the slow endpoints take. */
const slots = { first: 100, retry: 50 };
const burst = { endpoints: 40, eventsEach: 4 };
const few = { endpoints: 100, events: 400, eventsPerSecond: 40, ...none, slots };

async function expectNoDelay(kind: { isOneHost: boolean; isKnown: boolean }): Promise<void> {
  const { p95Ms, received, expected, unrecorded } = await run({ ...few, burst: { ...burst, ...kind } });
  expect([received, unrecorded]).toEqual([expected, []]);
  // Without the limit, the first attempts of half of these events wait until the slow endpoints have responded.
  expect(p95Ms).toBeLessThan(slowMs / 2);
}

test('HOOK-34 a burst for endpoints of one host that accept after seconds delays no others', () =>
  expectNoDelay({ isOneHost: true, isKnown: false }));

test('HOOK-37 a burst for endpoints of many hosts that are known to accept after seconds delays no others', () =>
  expectNoDelay({ isOneHost: false, isKnown: true }));
