import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createWebhookSender } from '../../../src/adapters/webhooks/index.ts';
import { deliverWebhooks } from '../../../src/contexts/webhooks/delivery/deliver-webhooks.ts';
import {
  adoptJobs,
  type DueDelivery,
  takeDeliveries,
} from '../../../src/contexts/webhooks/delivery/delivery-queue.store.ts';
import { sequenceEvents } from '../../../src/contexts/webhooks/delivery/sequence-events.ts';
import { createSlowEndpoints } from '../../../src/contexts/webhooks/delivery/slow-endpoints.ts';
import { firstQueue, retryQueue } from '../../../src/contexts/webhooks/delivery/webhook.queues.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';
import { insertEndpoints, insertHangups } from '../../harness/webhooks/endpoints.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
beforeEach(async () => {
  await platform.database.query(
    `delete from delivery_queue; delete from pgboss.job where name like 'webhooks.%'`,
  );
});
afterAll(() => platform.close());

/** Plans deliveries: as many as given for each of as many new endpoints. No worker takes them. */
async function plan(counts: number[], origin = 'http://127.0.0.1:9'): Promise<void> {
  const { query } = platform.database;
  const urls = counts.map((_, index) => `${origin}/${index}`);
  const accounts = await insertEndpoints(query, platform.api.base.keyRing, urls);
  for (const [index, account] of accounts.entries())
    await insertHangups(query, [account], counts[index] ?? 0);
  while ((await sequenceEvents(platform.api.base)) > 0);
}

const take = (changes: Partial<Parameters<typeof takeDeliveries>[1]> = {}): Promise<DueDelivery[]> =>
  takeDeliveries(platform.api.base.db, {
    isRetry: false,
    most: 200,
    perEndpoint: 4,
    perAccount: 500,
    slow: [],
    at: platform.clock.now(),
    leaseSeconds: 30,
    ...changes,
  });

const countsOf = (deliveries: DueDelivery[]): number[] =>
  [...Map.groupBy(deliveries, ({ integrationId }) => integrationId).values()]
    .map(({ length }) => length)
    .sort();

test('concurrent workers take each delivery once, and at most 4 of each endpoint', async () => {
  await plan([3, 50, 2]);
  const batches = await Promise.all([take(), take(), take()]);
  expect(countsOf(batches.flat())).toEqual([2, 3, 4]);
  expect(new Set(batches.flat().map(({ id }) => id)).size).toBe(9);
});

test('a backlog behind one endpoint does not hide the deliveries behind it', async () => {
  await plan([700, 1]);
  expect(countsOf(await take())).toEqual([1, 4]);
  expect(await take()).toEqual([]);
});

/** Plans deliveries of one lane, of which the first four endpoints belong to one account and the fifth to another. */
async function planOneBusyAccount(
  isRetry: boolean,
  origin?: string,
): Promise<{ owner: number; other: number }> {
  await plan([2, 2, 2, 2, 1], origin);
  const { query } = platform.database;
  await query('update delivery_queue set is_retry = $1', [isRetry]);
  const rows = await query<{ id: number; account_id: number }>(
    `select i.id, i.account_id from integrations i join delivery_queue q on q.integration_id = i.id
      group by i.id order by i.id`,
  );
  const [owner = 0, other = 0] = [rows[0]?.account_id, rows[4]?.account_id];
  await query('update integrations set account_id = $1 where id = any($2)', [
    owner,
    rows.slice(0, 4).map(({ id }) => id),
  ]);
  return { owner, other };
}

/** Returns the account of every delivery that is taken. */
const accountsOfTaken = async (): Promise<number[]> =>
  (
    await platform.database.query<{ account_id: number }>(
      `select i.account_id from delivery_queue q join integrations i on i.id = q.integration_id
        where q.taken_until is not null order by 1`,
    )
  ).map(({ account_id }) => account_id);

const lanes = [firstQueue, retryQueue].map((queue) => [queue.name, queue] as const);

test.each(lanes)(
  'HOOK-33 %s: one account gets its share of the slots of all workers, others the rest',
  async (_, queue) => {
    const isRetry = queue === retryQueue;
    const { owner, other } = await planOneBusyAccount(isRetry);
    await Promise.all([take({ isRetry, perAccount: 3 }), take({ isRetry, perAccount: 3 })]);
    expect(await accountsOfTaken()).toEqual([owner, owner, owner, other].sort((a, b) => a - b));
    // Of three attempts that are recorded, as many follow.
    for (const expected of [3, 2, 0]) {
      await platform.database.query('delete from delivery_queue where taken_until is not null');
      expect(await take({ isRetry, perAccount: 3 })).toHaveLength(expected);
    }
  },
);

test.each(lanes)('HOOK-33 %s: a worker gives one account half of its slots', async (_, queue) => {
  const endpoint = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  const { port } = endpoint.address() as AddressInfo;
  const { owner, other } = await planOneBusyAccount(queue === retryQueue, `http://127.0.0.1:${port}`);
  const { base, money, app } = platform.api;
  const sender = createWebhookSender({ allowedNetworks: ['127.0.0.0/8'], timeoutMs: 60_000 });
  const stopping = new AbortController();
  const deps = { ...base, ...money, sender, hostLimit: app.hostLimit, onError: () => undefined };
  const running = deliverWebhooks(
    deps,
    { queue, concurrency: 4, slow: createSlowEndpoints() },
    stopping.signal,
  );
  try {
    await expect.poll(accountsOfTaken).toEqual([owner, owner, other].sort((a, b) => a - b));
  } finally {
    stopping.abort();
    endpoint.closeAllConnections();
    endpoint.close();
    await running;
    await sender.close();
  }
});

test('held deliveries are taken, oldest first, when their endpoint has a free slot', async () => {
  await plan([6]);
  const first = await take();
  expect(await take()).toEqual([]);
  await platform.database.query('delete from delivery_queue where delivery_id = any($1)', [
    first.map(({ id }) => id),
  ]);
  const second = await take();
  expect(second).toHaveLength(2);
  const numbers = [...first, ...second].map(({ accountSequence }) => accountSequence);
  expect(Math.max(...numbers.slice(0, 4))).toBeLessThan(Math.min(...numbers.slice(4)));
});

test('the delivery of a worker that died is taken again after its lease', async () => {
  await plan([1]);
  const [taken] = await take();
  expect(await take()).toEqual([]);
  await platform.database.query(`update delivery_queue set taken_until = now() - interval '1 s'`);
  expect((await take()).map(({ id }) => id)).toEqual([taken?.id]);
});

test('HOOK-37 first attempts of slow endpoints move to the retry lane', async () => {
  await plan([1, 1]);
  const rows = await platform.database.query<{ integration_id: number }>(
    'select integration_id from delivery_queue order by integration_id',
  );
  const slow = Number(rows[0]?.integration_id);
  expect((await take({ slow: [slow] })).map(({ integrationId }) => integrationId)).not.toContain(slow);
  expect((await take({ isRetry: true })).map(({ integrationId }) => integrationId)).toEqual([slow]);
});

test('HOOK-37 first attempts that were held before their endpoint was slow move too', async () => {
  await plan([10]);
  const [taken] = await take();
  const slow = [taken?.integrationId ?? 0];
  await platform.database.query('delete from delivery_queue where taken_until is not null');
  expect(await take({ slow })).toEqual([]);
  expect(countsOf(await take({ isRetry: true }))).toEqual([4]);
  expect(await take()).toEqual([]);
});

test('a row whose delivery is no longer pending is removed', async () => {
  await plan([1]);
  await platform.database.query(`update deliveries set state = 'failed' where state = 'pending'`);
  expect(await take()).toEqual([]);
  expect(await platform.database.query('select from delivery_queue')).toEqual([]);
});

test('HOOK-20 jobs of the previous release are moved once; those its workers hold stay', async () => {
  await plan([5]);
  const { query } = platform.database;
  const rows = await query<{ id: string }>('delete from delivery_queue returning delivery_id as id');
  const [first, later, held, obsolete, replayed] = rows.map(({ id }) => id);
  const enqueue = (queue: string, deliveryId: unknown, attempt: number, seconds: number, state = 'created') =>
    query(
      `insert into pgboss.job (name, data, start_after, state)
       values ($1, $2, now() + make_interval(secs => $3), $4::pgboss.job_state)`,
      [queue, JSON.stringify({ deliveryId, attempt }), seconds, state],
    );
  await enqueue(firstQueue.name, first, 1, 0);
  await enqueue(retryQueue.name, later, 1, 3600);
  await enqueue(firstQueue.name, held, 1, 0, 'active');
  await enqueue(retryQueue.name, obsolete, 7, 0);
  await enqueue(retryQueue.name, replayed, 1, 3600);
  await query(
    `insert into delivery_queue (delivery_id, integration_id, is_retry, due_at)
     select id, integration_id, true, now() from deliveries where id = $1`,
    [replayed],
  );
  const { db } = platform.api.base;
  const moved = await Promise.all([adoptJobs(db, 100), adoptJobs(db, 100)]);
  expect(moved[0] + moved[1]).toBe(4);
  const queued = await query(
    'select delivery_id as id, is_retry, due_at > now() as is_later from delivery_queue order by 1',
  );
  expect(queued).toEqual(
    [
      { id: first, is_retry: false, is_later: false },
      { id: later, is_retry: true, is_later: true },
      { id: replayed, is_retry: true, is_later: false },
    ].sort((one, other) => ((one.id ?? '') < (other.id ?? '') ? -1 : 1)),
  );
  const left = await query(`select data->>'deliveryId' as id from pgboss.job where name like 'webhooks.%'`);
  expect(left).toEqual([{ id: held }]);
});
