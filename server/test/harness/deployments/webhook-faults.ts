import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { withClient } from '../../../../tools/dev/database.ts';
import { inDev } from '../../../../tools/dev/paths.ts';
import { freePort } from '../../../../tools/dev/ports.ts';
import { startPostgres } from '../../../../tools/dev/services/postgres.ts';
import { startRedis } from '../../../../tools/dev/services/redis.ts';
import { migrate } from '../../../src/main/migrate.ts';
import { type Database, openDatabase } from '../../../src/platform/db/database.ts';
import { type ProgramName, type Supervised, supervise } from '../../scenarios/chaos/supervised.ts';
import {
  type KillableReceiver,
  startKillableReceiver,
} from '../../scenarios/webhook-faults/killable-receiver.ts';
import { removeBudgets } from '../budgets.ts';
import type { OwnerQuery } from '../fixtures/billing-rows.ts';
import { testSettings } from '../platform.ts';
import { proveEndpoints } from '../proven-endpoints.ts';
import { databaseUrl, serviceRole } from '../template.ts';
import { until } from '../until.ts';

export const killTargets = ['worker', 'api', 'postgres', 'receiver'] as const;
export type KillTarget = (typeof killTargets)[number];

/** The processes that webhooks need, each of which may be killed. */
export interface WebhookDeployment {
  apiUrl: string;
  receiver: KillableReceiver;
  query: OwnerQuery;
  /** Connects as the service does. */
  db: Database;
  programs: Supervised[];
  kill(target: KillTarget): Promise<void>;
  stop(): Promise<void>;
}

export async function startWebhookDeployment(): Promise<WebhookDeployment> {
  const dir = inDev('webhook-faults', randomBytes(4).toString('hex'));
  mkdirSync(dir, { recursive: true });
  const postgres = await startPostgres({ dir: join(dir, 'postgres'), durable: true });
  const redis = await startRedis({ dir: join(dir, 'redis') });
  const receiver = await startKillableReceiver(dir);
  const [ownerUrl, serviceUrl] = await makeDatabase(postgres.url);
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 2 });
  pool.on('error', () => undefined);
  const httpPort = await freePort();
  const env = {
    ...testSettings(serviceUrl, redis.url),
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: String(httpPort),
    TRUSTED_PROXIES: '127.0.0.1',
    RATE_LIMIT_SCALE: '10000',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  };
  const program = async (name: ProgramName): Promise<Supervised> => {
    const opsPort = await freePort();
    const started = supervise(name, { dir, env: { ...env, OPS_PORT: String(opsPort) } });
    const ready = `http://127.0.0.1:${opsPort}/health/ready`;
    await until(async () => (await fetch(ready).catch(() => undefined))?.ok, `${name} is ready`);
    return started;
  };
  const [api, worker] = await Promise.all([program('api'), program('worker')]);
  const db = openDatabase(
    { url: serviceUrl, poolSize: 8, applicationName: 'script', statementTimeoutMs: 5_000 },
    () => undefined,
  );
  return {
    apiUrl: `http://127.0.0.1:${httpPort}/api/v1`,
    receiver,
    query: async (text, values = []) => (await pool.query(text, values)).rows,
    db,
    programs: [api, worker],
    kill: (target) =>
      ({
        api: () => api.kill(),
        worker: () => worker.kill(),
        postgres: () => postgres.restart('immediate'),
        receiver: () => receiver.kill(),
      })[target](),
    async stop() {
      await Promise.all([api.stop(), worker.stop(), receiver.stop()]);
      await db.close();
      await pool.end();
      await redis.stop('kill');
      await postgres.drop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function makeDatabase(adminUrl: string): Promise<[string, string]> {
  const name = 'disca';
  await withClient(adminUrl, async (client) => {
    await client.query(`create database ${name}`);
    await client.query(`create role ${serviceRole} login`);
  });
  const owner = databaseUrl(adminUrl, name);
  const service = databaseUrl(adminUrl, name, serviceRole);
  await migrate(owner, service);
  await removeBudgets(owner);
  await proveEndpoints(owner);
  return [owner, service];
}
