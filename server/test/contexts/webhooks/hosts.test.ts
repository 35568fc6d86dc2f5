import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type DueDelivery,
  takeDeliveries,
} from '../../../src/contexts/webhooks/delivery/delivery-queue.store.ts';
import { createHostLimit } from '../../../src/contexts/webhooks/delivery/host-limit.ts';
import { sequenceEvents } from '../../../src/contexts/webhooks/delivery/sequence-events.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';
import { insertEndpoints, insertHangups } from '../../harness/webhooks/endpoints.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
beforeEach(() => platform.database.query('delete from delivery_queue'));
afterAll(() => platform.close());

interface Planned {
  events: number;
  host: string;
  isProven?: boolean;
}

/** Plans deliveries of endpoints that belong to different accounts. No worker takes them. Returns the accounts. */
async function plan(endpoints: Planned[]): Promise<number[]> {
  const { query } = platform.database;
  const urls = endpoints.map((_, index) => `http://127.0.0.1:9/${index}`);
  const accounts = await insertEndpoints(query, platform.api.base.keyRing, urls);
  for (const [index, { events, host, isProven = true }] of endpoints.entries()) {
    await query(
      'update integrations set webhook_host = $2, proven_at = case when $3 then now() end where account_id = $1',
      [accounts[index], host, isProven],
    );
    await insertHangups(query, [accounts[index] ?? 0], events);
  }
  while ((await sequenceEvents(platform.api.base)) > 0);
  return accounts;
}

const take = (isRetry = false): Promise<DueDelivery[]> =>
  takeDeliveries(platform.api.base.db, {
    isRetry,
    most: 200,
    perEndpoint: 4,
    perAccount: 50,
    slow: [],
    at: platform.clock.now(),
    leaseSeconds: 30,
  });

const countBy = (deliveries: DueDelivery[], key: (each: DueDelivery) => string): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(deliveries, key)].map(([each, { length }]) => [each, length]));
const finish = (deliveries: DueDelivery[]): Promise<unknown> =>
  platform.database.query('delete from delivery_queue where delivery_id = any($1)', [
    deliveries.map(({ id }) => id),
  ]);

test.each([false, true])(
  'HOOK-34 endpoints of several accounts at one host share its slots, and leave those of others (retries: %s)',
  async (isRetry) => {
    const shared = Array.from({ length: 6 }, () => ({ events: 4, host: 'shared.example' }));
    await plan([...shared, { events: 4, host: 'other.example' }]);
    await platform.database.query('update delivery_queue set is_retry = $1', [isRetry]);
    const [one, two] = await Promise.all([take(isRetry), take(isRetry)]);
    const taken = [...one, ...two];
    // A fifth of an account's 50.
    expect(countBy(taken, ({ host }) => host)).toEqual({ 'shared.example': 10, 'other.example': 4 });
    await finish(taken.slice(0, 3));
    const next = await take(isRetry);
    expect(next.length).toBe(taken.slice(0, 3).filter(({ host }) => host === 'shared.example').length);
    await finish([...taken.slice(3), ...next]);
    expect(await take(isRetry)).toHaveLength(Math.min(10, 24 - 10 - next.length));
  },
);

test('HOOK-35 an endpoint that has never accepted a delivery gets one at a time, and takes no slot of its host', async () => {
  const unproven = Array.from({ length: 12 }, () => ({ events: 3, host: 'shared.example', isProven: false }));
  await plan([...unproven, { events: 4, host: 'shared.example' }]);
  const taken = await take();
  expect(countBy(taken, ({ isProven }) => String(isProven))).toEqual({ false: 12, true: 4 });
  expect(new Set(taken.map(({ integrationId }) => integrationId)).size).toBe(13);
  expect(await take()).toEqual([]);
  await finish(taken);
  expect(countBy(await take(), ({ isProven }) => String(isProven))).toEqual({ false: 12 });
});

test('LIMIT-23 an account has at most its budget of webhook requests at once', async () => {
  const [account] = await plan([
    { events: 4, host: 'one.example' },
    { events: 4, host: 'two.example' },
  ]);
  await platform.database.query(
    "insert into account_budgets (account_id, resource, most) values ($1, 'webhook_requests', 2)",
    [account],
  );
  const taken = await take();
  expect(countBy(taken, ({ host }) => host)).toEqual({ 'one.example': 2, 'two.example': 4 });
  await finish(taken);
  expect(countBy(await take(), ({ host }) => host)).toEqual({ 'one.example': 2 });
});

test('HOOK-35 at most 10 requests per minute go to unproven endpoints of a host, of all processes together', async () => {
  const { limiter } = platform.api.app;
  const [one, two] = [createHostLimit(limiter, 1_000), createHostLimit(limiter, 1_000)];
  const unproven = { host: `${randomBytes(6).toString('hex')}.example`, isProven: false };
  const waits: number[] = [];
  for (let turn = 0; turn < 12; turn += 1) waits.push(await (turn % 2 === 0 ? one : two).admit(unproven));
  expect(waits.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 0));
  for (const seconds of waits.slice(10)) {
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(90);
  }
  expect(await one.admit({ ...unproven, isProven: true })).toBe(0);
  expect(await one.admit({ host: `other-${unproven.host}`, isProven: false })).toBe(0);
});

test('HOOK-34 a process sends a host at most its requests per second, after the first second at once', async () => {
  let nowMs = 5_000;
  const clock = {
    now: () => nowMs,
    wait: async (ms: number) => {
      nowMs += ms;
    },
  };
  const limit = createHostLimit(platform.api.app.limiter, 100, clock);
  for (let turn = 0; turn < 100; turn += 1) await limit.admit({ host: 'a.example', isProven: true });
  expect(nowMs).toBe(5_000);
  for (let turn = 0; turn < 50; turn += 1) await limit.admit({ host: 'a.example', isProven: true });
  expect(nowMs).toBeGreaterThanOrEqual(5_480);
  expect(nowMs).toBeLessThanOrEqual(5_500);
  const before = nowMs;
  await limit.admit({ host: 'b.example', isProven: true });
  expect(nowMs).toBe(before);
});
