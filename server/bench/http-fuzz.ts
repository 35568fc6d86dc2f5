import pg from 'pg';
import { createPasswords } from '../src/contexts/access/index.ts';
import { buildApp } from '../src/http/app.ts';
import { readConfig } from '../src/main/config.ts';
import { migrate } from '../src/main/migrate.ts';
import { wireApi } from '../src/main/wire.ts';
import { createLogger } from '../src/platform/telemetry/log.ts';
import { removeBudgets } from '../test/harness/budgets.ts';
import { buildContract } from '../test/harness/contract.ts';
import { startIdentity } from '../test/harness/identity/sso-account.ts';
import { fuzz } from '../test/scenarios/fuzz/fuzz.ts';
import {
  computeShare,
  type FuzzReport,
  findProblems,
  memoryGrowth,
  passesValidation,
  reachesRules,
} from '../test/scenarios/fuzz/report.ts';

/**
 * Sends generated requests to the whole API and checks every response against its description. Arguments: the number of
 * requests, and the seed of an earlier run to repeat it.
 */
const database = 'disca_fuzz';
const role = 'disca_fuzz';
const consoleUrl = 'http://console.disca.test';
const [count = 1_000_000, seed = Date.now() % 2 ** 31] = process.argv.slice(2).map(Number);

async function main(benchUrl: string, redisUrl: string): Promise<void> {
  const ownerUrl = await freshDatabase(benchUrl);
  const owner = new pg.Pool({ connectionString: ownerUrl, max: 4 });
  try {
    const serviceUrl = new URL(ownerUrl);
    serviceUrl.username = role;
    await migrate(ownerUrl, serviceUrl.href);
    await removeBudgets(ownerUrl);
    await fuzzApi(owner, serviceUrl.href, redisUrl);
  } finally {
    await owner.end();
  }
}

/** Creates an empty database, and a role for the service. */
async function freshDatabase(benchUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: benchUrl });
  await client.connect();
  try {
    await client.query(`drop database if exists ${database} with (force)`);
    await client.query(`create database ${database}`);
    await client.query(
      `do $$ begin create role ${role} login; exception when duplicate_object then null; end $$`,
    );
    // Off, because durability is not tested here.
    await client.query(`alter role ${role} set synchronous_commit = off`);
  } finally {
    await client.end();
  }
  const url = new URL(benchUrl);
  url.pathname = `/${database}`;
  return url.href;
}

async function fuzzApi(owner: pg.Pool, serviceUrl: string, redisUrl: string): Promise<void> {
  // Everything is logged, as in production, and discarded.
  const log = createLogger({ level: 'info', process: 'api' }, { write: () => undefined });
  // Real argon2 with the lowest cost, because hashing is not tested here.
  const passwords = createPasswords({ memoryCost: 8, timeCost: 1, parallelism: 1 });
  const identity = await startIdentity(consoleUrl);
  const config = readConfig({ ...settings(serviceUrl, redisUrl), ...identity.settings });
  const api = await wireApi(config, { log, passwords, identity: identity.override });
  const app = await buildApp(api.app);
  await app.ready();
  const query = async (text: string, values: unknown[] = []) =>
    (await owner.query<Record<string, unknown>>(text, values)).rows;
  console.log(`seed ${seed}, ${count} requests`);
  const startedAtMs = performance.now();
  const report = await fuzz(
    { app, api, identity, query, ...buildContract(app) },
    { count, seed, onRound: printProgress },
  );
  printReport(report, (performance.now() - startedAtMs) / 1000);
  await app.close();
  await api.close();
  await identity.close();
}

const settings = (databaseUrl: string, redisUrl: string): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  DATABASE_POOL_SIZE: '10',
  REDIS_URL: redisUrl,
  PUBLIC_URL: 'http://api.disca.test',
  CONSOLE_URL: consoleUrl,
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'Disca <no-reply@disca.test>',
  ACCOUNT_DOMAIN_SUFFIX: '.disca.test',
  KEY_RING: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  RATE_LIMIT_SCALE: '1000000',
});

function printProgress({ requests, heldMegabytes }: FuzzReport): void {
  const held = heldMegabytes.at(-1) ?? 0;
  console.log(`${new Date().toISOString()}  ${requests} requests, ${held.toFixed(1)} MB held`);
}

function printReport(report: FuzzReport, seconds: number): void {
  for (const [operation, statuses] of report.statuses) {
    const counts = [...statuses]
      .toSorted(([a], [b]) => a - b)
      .map(([status, times]) => `${status}: ${times}`);
    console.log(`${operation.padEnd(40)} ${counts.join('  ')}`);
  }
  const problems = findProblems(report);
  for (const problem of problems) console.log(problem);
  console.log(
    `${report.requests} requests to ${report.accounts} accounts in ${seconds.toFixed(0)} s, seed ${seed}`,
  );
  console.log(`reach the rules of their operation: ${computeShare(report, reachesRules).toFixed(2)}`);
  console.log(`ratio fuzz.valid ${computeShare(report, passesValidation).toFixed(2)} (bar 0.50)`);
  console.log(`ratio fuzz.memory ${memoryGrowth(report).toFixed(2)} (bar 1.30)`);
  if (problems.length > 0) process.exitCode = 1;
}

const { DATABASE_OWNER_URL: benchUrl, REDIS_URL: redisUrl } = process.env;
if (!benchUrl || !redisUrl) throw new Error('DATABASE_OWNER_URL and REDIS_URL are not set.');
await main(benchUrl, redisUrl);
