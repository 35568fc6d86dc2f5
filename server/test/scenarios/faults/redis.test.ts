import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { inDev } from '../../../../tools/dev/paths.ts';
import { type RunningRedis, startRedis } from '../../../../tools/dev/services/redis.ts';
import { cloneDatabase, type TestDatabase } from '../../harness/database.ts';
import { type FaultDeployment, type Node, startFaultDeployment } from '../../harness/deployments/faults.ts';
import { freeze } from './freeze.ts';
import { countStatus, type Load, slowestMs, startLoad } from './load.ts';
import { type Answer, maxResponseMs, sendRequest } from './send-request.ts';
import { createTenant, freshAddress, type Tenant, unknownToken } from './tenants.ts';

/** Only ends a test that hangs: on a busy machine the nodes connect again later. */
const recoveryMs = 120_000;
const limit = 60;

let redis: RunningRedis;
let database: TestDatabase;
let deployment: FaultDeployment;
let tenants: [Tenant, Tenant];
let load: Load;
const dir = inDev('test', `faults-redis-${process.pid}`);

beforeAll(async () => {
  mkdirSync(dir, { recursive: true });
  database = await cloneDatabase();
  redis = await startRedis({ dir: join(dir, 'redis') });
  deployment = await startFaultDeployment({ dir, databaseUrl: database.serviceUrl, redisUrl: redis.url });
  const [{ url }] = deployment.apis;
  tenants = [await createTenant(url, database.query), await createTenant(url, database.query)];
});

afterAll(async () => {
  await deployment?.stop();
  await redis?.stop();
  await database?.drop();
  rmSync(dir, { recursive: true, force: true });
});

beforeEach(async () => {
  const [one, other] = tenants;
  const urls = deployment.apis.map((api) => api.url);
  load = startLoad(urls, [one.me, other.me, one.users, one.rename, other.users, other.rename, unknownToken]);
  await load.waitForResponses(50);
});

// Redis holds no durable state, so its absence never causes a rejection or a wrong response.
afterEach(async () => {
  await load.waitForResponses(20);
  expect(await load.stop()).toEqual([]);
  expect(countStatus(load.answers, 503)).toBe(0);
  expect(slowestMs(load.answers)).toBeLessThan(maxResponseMs);
  expect(deployment.nodes.filter((node) => !node.isAlive())).toEqual([]);
});

test('LIMIT-13 Redis is killed: requests are served, and each node limits on its own', async () => {
  await redis.stop('kill');
  for (const api of deployment.apis) await expectLimited(api);
  await expectHeldOff(deployment.apis[0]);
  await redis.restart();
  await expectSharedCount();
});

test('LIMIT-13 Redis is frozen: requests are served, and each node limits on its own', async () => {
  const wake = freeze(redis.pid);
  for (const api of deployment.apis) await expectLimited(api);
  // Long enough for the nodes to drop the connection and to fail to reconnect.
  await sleep(2_000);
  wake();
  await expectSharedCount();
});

test('LIMIT-11 Redis is restarted: the nodes share their counters again', async () => {
  await expectSharedCount();
  await redis.restart();
  await expectSharedCount();
});

/** Sends more requests than the limit of an address, in small batches. */
async function expectLimited(api: Node): Promise<void> {
  const [tenant] = tenants;
  const address = freshAddress();
  const answers: Answer[] = [];
  while (answers.length < limit + 10) {
    const batch = Array.from({ length: 10 }, () => sendRequest(api.url, { ...tenant.me(), address }));
    answers.push(...(await Promise.all(batch)));
  }
  expect(answers.map((answer) => answer.fault).filter(Boolean)).toEqual([]);
  expect(countStatus(answers, 200)).toBe(limit);
  const refused = answers.filter((answer) => answer.status === 429);
  expect(refused).toHaveLength(10);
  for (const { headers, body } of refused) {
    expect(body?.error?.errorCode).toBe('RATE_LIMITED');
    expect(headers.get('ratelimit-limit')).toBe(String(limit));
    expect(headers.get('ratelimit-remaining')).toBe('0');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
}

/** Expects that guessing a password from many addresses is still held off after five attempts. */
async function expectHeldOff(api: Node): Promise<void> {
  const body = { email: tenants[1].email, password: 'not the password' };
  const statuses: number[] = [];
  while (!statuses.includes(429) && statuses.length < 10) {
    const guess = { method: 'POST', path: '/users/login', body, address: freshAddress() };
    statuses.push((await sendRequest(api.url, guess)).status);
  }
  expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
  expect(statuses.at(-1)).toBe(429);
}

/** Expects that requests counted by one node reduce the remaining requests at the other. */
async function expectSharedCount(): Promise<void> {
  const [first, second] = deployment.apis;
  const [tenant] = tenants;
  const deadline = Date.now() + recoveryMs;
  for (;;) {
    const address = freshAddress();
    const one = await sendRequest(first.url, { ...tenant.me(), address });
    const other = await sendRequest(second.url, { ...tenant.me(), address });
    const remaining = [one, other].map((answer) => Number(answer.headers.get('ratelimit-remaining')));
    if (remaining[0] === limit - 1 && remaining[1] === limit - 2) return;
    if (Date.now() > deadline) throw new Error(`The nodes still count separately: ${remaining}.`);
    await sleep(50);
  }
}
