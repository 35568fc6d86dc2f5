import { join } from 'node:path';
import pg from 'pg';
import { withClient } from '../../../../tools/dev/database.ts';
import { type RunningPostgres, startPostgres } from '../../../../tools/dev/services/postgres.ts';
import { type RunningRedis, startRedis } from '../../../../tools/dev/services/redis.ts';
import { migrate } from '../../../src/main/migrate.ts';
import { removeBudgets } from '../../harness/budgets.ts';
import type { OwnerQuery } from '../../harness/fixtures/billing-rows.ts';
import { proveEndpoints } from '../../harness/proven-endpoints.ts';
import { databaseUrl, operatorRole, serviceRole } from '../../harness/template.ts';

/** A migrated database and a Redis, for one run. */
export interface Stores {
  redis: RunningRedis;
  ownerUrl: string;
  serviceUrl: string;
  edgeUrl: string;
  operatorUrl: string;
  query: OwnerQuery;
  stop(): Promise<void>;
}

/** Starts a durable PostgreSQL and a Redis. */
export async function startStores(
  dir: string,
  settings: Record<string, string> = {},
  port?: number,
): Promise<Stores & { postgres: RunningPostgres }> {
  const postgres = await startPostgres({
    dir: join(dir, 'postgres'),
    durable: true,
    settings,
    ...(port ? { port } : {}),
  });
  const stores = await openStores(dir, postgres.url, () => postgres.drop());
  return { postgres, ...stores };
}

/** Creates and migrates a database in this PostgreSQL, and starts a Redis. All roles get the password of the URL. */
export async function openStores(
  dir: string,
  adminUrl: string,
  stopPostgres: () => Promise<void>,
): Promise<Stores> {
  const redis = await startRedis({ dir: join(dir, 'redis') });
  const urls = await makeDatabase(adminUrl);
  const pool = new pg.Pool({ connectionString: urls.owner, max: 2 });
  pool.on('error', () => undefined);
  return {
    redis,
    ownerUrl: urls.owner,
    serviceUrl: urls.service,
    edgeUrl: urls.edge,
    operatorUrl: urls.operator,
    query: async (text, values = []) => (await pool.query(text, values)).rows,
    async stop() {
      await pool.end();
      await redis.stop('kill');
      await stopPostgres();
    },
  };
}

async function makeDatabase(
  adminUrl: string,
): Promise<{ owner: string; service: string; edge: string; operator: string }> {
  const name = 'disca';
  const edgeRole = 'disca_edge_chaos';
  const { password } = new URL(adminUrl);
  const login = password === '' ? 'login' : `login password '${password}'`;
  await withClient(adminUrl, async (client) => {
    await client.query(`create database ${name}`);
    await client.query(`create role ${serviceRole} ${login}`);
  });
  const owner = databaseUrl(adminUrl, name);
  const service = databaseUrl(owner, name, serviceRole);
  const operator = databaseUrl(owner, name, operatorRole);
  await migrate(owner, service, { operatorUrl: operator });
  await removeBudgets(owner);
  await proveEndpoints(owner);
  await withClient(owner, async (client) => {
    await client.query(`create role ${edgeRole} ${login} in role disca_edge`);
  });
  return { owner, service, edge: databaseUrl(owner, name, edgeRole), operator };
}
