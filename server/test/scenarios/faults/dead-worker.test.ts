import { afterAll, beforeAll, expect, test } from 'vitest';
import { queues } from '../../../src/main/jobs.ts';
import { startWorking } from '../../../src/platform/jobs.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.close());

test('every queue detects within seconds that the worker of a job is dead', async () => {
  const rows = await platform.database.query<{
    name: string;
    heartbeat_seconds: number | null;
    expire_seconds: number;
  }>('select name, heartbeat_seconds, expire_seconds from pgboss.queue');
  // A handler that fetches its own jobs sends no heartbeat; its jobs expire soon instead.
  const noticedAfter = new Map(rows.map((row) => [row.name, row.heartbeat_seconds ?? row.expire_seconds]));
  const takers = ['webhooks.first', 'webhooks.retry'];
  expect(queues.map(({ name }) => [name, noticedAfter.get(name)])).toEqual(
    queues.map(({ name }) => [name, takers.includes(name) ? 30 : 10]),
  );
});

test('another worker picks up a killed worker’s jobs', async () => {
  const { db } = platform.api.base;
  const held = ['sandbox.notify', 'charges.read-payment', 'mail.send'];
  for (const queue of held)
    await db.kysely.transaction().execute((tx) => platform.api.money.jobs.enqueue(tx, queue, {}));
  await platform.database.query(
    `update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now() where name = any($1)`,
    [held],
  );
  const done: string[] = [];
  const handlers = Object.fromEntries(held.map((queue) => [queue, async () => void done.push(queue)]));
  const working = await startWorking(db, handlers, {}, () => undefined);
  try {
    await expect.poll(() => done.toSorted(), { interval: 200 }).toEqual(held.toSorted());
  } finally {
    await working.stop(2_000);
  }
});
