import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { inDev } from '../../../../tools/dev/paths.ts';
import { type RunningPostgres, startPostgres } from '../../../../tools/dev/services/postgres.ts';
import { type RunningRedis, startRedis } from '../../../../tools/dev/services/redis.ts';
import { type FaultDeployment, isReady, startFaultDeployment } from '../../harness/deployments/faults.ts';
import { buildTemplate, databaseUrl, serviceRole } from '../../harness/template.ts';
import { freeze } from './freeze.ts';
import { countStatus, type Load, slowestMs, startLoad } from './load.ts';
import { maxResponseMs, sendRequest } from './send-request.ts';
import { createTenant, freshAddress, signup, type Tenant, unknownToken } from './tenants.ts';

/** Time after the restart of PostgreSQL within which everything must work again. */
const recoveryMs = 60_000;
const database = 'faults';
/** Long enough for every statement on a slow machine. */
const statementTimeoutMs = 4_000;

let postgres: RunningPostgres;
let redis: RunningRedis;
let deployment: FaultDeployment;
let tenants: [Tenant, Tenant];
const dir = inDev('test', `faults-postgres-${process.pid}`);

beforeAll(async () => {
  mkdirSync(dir, { recursive: true });
  // Only processes are killed here, not the machine, so data need not reach the disk: it is enough that the WAL is
  // written before a commit is acknowledged.
  const settings = { synchronous_commit: 'on' };
  postgres = await startPostgres({ dir: join(dir, 'postgres'), durable: false, settings });
  redis = await startRedis({ dir: join(dir, 'redis') });
  const template = await buildTemplate(postgres.url);
  await query('postgres', `create database ${database} template ${template}`);
  deployment = await startFaultDeployment({
    dir,
    databaseUrl: databaseUrl(postgres.url, database, serviceRole),
    redisUrl: redis.url,
    settings: { RATE_LIMIT_SCALE: '1000', STATEMENT_TIMEOUT_MS: String(statementTimeoutMs) },
  });
  const [{ url }] = deployment.apis;
  const ownerQuery = (text: string, values: unknown[]) => query(database, text, values);
  tenants = [await createTenant(url, ownerQuery), await createTenant(url, ownerQuery)];
});

afterAll(async () => {
  await deployment?.stop();
  await redis?.stop();
  await postgres?.drop();
  rmSync(dir, { recursive: true, force: true });
});

async function query<Row extends pg.QueryResultRow>(
  name: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl(postgres.url, name) });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

function startMixedLoad(): Load {
  const [one, other] = tenants;
  const urls = deployment.apis.map((api) => api.url);
  return startLoad(urls, [one.me, other.me, one.users, one.rename, other.users, other.rename, unknownToken]);
}

/** Waits until every node reports ready and returns when that was. */
async function recovered(): Promise<number> {
  const deadline = Date.now() + recoveryMs;
  for (const node of deployment.nodes) {
    while (!(await isReady(node.opsUrl))) {
      if (Date.now() > deadline) throw new Error(`${node.name} did not recover within ${recoveryMs} ms.`);
      await sleep(50);
    }
  }
  return performance.now();
}

/** Stops a load after recovery. After recovery no request may be rejected; before it, none may get a wrong response. */
async function expectRecovery(load: Load): Promise<void> {
  const recoveredAtMs = await recovered();
  await load.waitForResponses(100);
  expect(await load.stop()).toEqual([]);
  const after = load.answers.filter((answer) => answer.askedAtMs > recoveredAtMs);
  expect(after.length).toBeGreaterThan(20);
  expect(countStatus(after, 503)).toBe(0);
  expect(slowestMs(load.answers)).toBeLessThan(maxResponseMs);
  expect(deployment.nodes.filter((node) => !node.isAlive())).toEqual([]);
}

describe('PostgreSQL', () => {
  test('ERR-15 restarts under load: requests wait for it and succeed, and none gets a wrong response', async () => {
    const load = startMixedLoad();
    await load.waitForResponses(100);
    const beganAtMs = performance.now();
    await postgres.restart('immediate');
    const endedAtMs = performance.now();
    await expectRecovery(load);
    const waited = load.answers.filter(({ askedAtMs }) => beganAtMs < askedAtMs && askedAtMs < endedAtMs);
    expect(countStatus(waited, 200)).toBeGreaterThan(0);
  });

  test('ERR-08 ERR-09 ERR-15 is down for longer than requests wait: they get 503, and no node is ready', async () => {
    const load = startMixedLoad();
    await load.waitForResponses(50);
    await postgres.stop('immediate');
    await load.waitForCurrent();
    for (const node of deployment.nodes) {
      expect(await isReady(node.opsUrl)).toBe(false);
      expect((await fetch(`${node.opsUrl}/health/live`)).status).toBe(200);
    }
    await postgres.restart();
    await expectRecovery(load);
    expect(countStatus(load.answers, 503)).toBeGreaterThan(0);
  });

  test('is frozen for longer than the statement timeout, and no request waits forever', async () => {
    const load = startMixedLoad();
    await load.waitForResponses(50);
    const wake = freeze(postgres.pid);
    onTestFinished(wake);
    await sleep(statementTimeoutMs / 2);
    // These requests are answered although the server does not resume.
    await load.waitForCurrent();
    wake();
    await expectRecovery(load);
    expect(countStatus(load.answers, 503)).toBeGreaterThan(0);
  });

  test('ERR-08 a change waits for a locked row no longer than the statement timeout', async () => {
    const holder = new pg.Client({ connectionString: databaseUrl(postgres.url, database) });
    await holder.connect();
    const [tenant] = tenants;
    await holder.query('begin');
    await holder.query('select from users where uuid = $1 for update', [tenant.uuid]);
    const [{ url }] = deployment.apis;
    const refused = await sendRequest(url, tenant.rename());
    await holder.query('rollback');
    await holder.end();
    expect(refused).toMatchObject({ status: 503, fault: undefined });
    expect(refused.tookMs).toBeGreaterThan(statementTimeoutMs / 2);
  });

  test('keeps every acknowledged change and its audit entry', async () => {
    for (const { uuid, acknowledged } of tenants) {
      const rows = await query<{ name: string; last_audited: string }>(
        database,
        `select name, (select after ->> 'name' from audit_entries where target_id = users.uuid::text
                        order by at desc, id desc limit 1) as last_audited
           from users where uuid = $1`,
        [uuid],
      );
      expect(acknowledged).toBeGreaterThan(0);
      expect(Number(rows[0]?.name.replace('Nome ', ''))).toBeGreaterThanOrEqual(acknowledged);
      expect(rows[0]?.last_audited).toBe(rows[0]?.name);
    }
  });

  test('restarts before the worker sent a mail, which is still delivered', async () => {
    process.kill(deployment.worker.pid, 'SIGSTOP');
    const body = signup();
    const [{ url }] = deployment.apis;
    const answer = await sendRequest(url, {
      method: 'POST',
      path: '/accounts/signup',
      body,
      address: freshAddress(),
    });
    expect(answer.status).toBe(201);
    await postgres.restart('immediate');
    process.kill(deployment.worker.pid, 'SIGCONT');
    const mail = await deployment.sink.waitFor(({ to }) => to.includes(String(body.email)));
    expect(mail.subject).not.toBe('');
  });

  test('restarts without an uncaught error', async () => {
    for (const node of deployment.nodes) {
      const lines = node.logLines();
      expect(lines.filter((line) => !line.startsWith('{'))).toEqual([]);
      expect(lines.filter((line) => line.includes('"level":"fatal"'))).toEqual([]);
      expect(node.isAlive()).toBe(true);
    }
    // Each queue logs an outage of ten seconds a few times per second, not on every poll of a busy loop.
    expect(deployment.worker.logLines().length).toBeLessThan(500);
  });
});
