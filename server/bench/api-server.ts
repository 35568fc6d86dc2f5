import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inDev, root } from '../../tools/dev/paths.ts';
import { freePort } from '../../tools/dev/ports.ts';
import { politeThenKill } from '../../tools/dev/process-identity.ts';
import type { ProcessRecord } from '../../tools/dev/process-records.ts';
import { startService } from '../../tools/dev/services/service.ts';
import { migrate } from '../src/main/migrate.ts';
import { removeBudgets } from '../test/harness/budgets.ts';

/** HTTP servers for benchmarks, each a separate process, with an account to send requests from. */

const path = '/api/v1/users/me';
const serviceRole = 'bench_app';
const password = 'correct horse battery';

/** Of a request. A machine may stand still for several seconds, which is not the server's fault. */
export const timeoutSeconds = 120;

export interface Server {
  entry: ProcessRecord;
  url: string;
}

/** A separate database from that of the other benchmarks, which keeps its large tables between runs. */
export async function freshDatabase(benchUrl: string, suffix: string): Promise<string> {
  const url = new URL(benchUrl);
  const name = `${url.pathname.slice(1)}_${suffix}`;
  await asOwner(benchUrl, `drop database if exists ${name} with (force)`);
  await asOwner(benchUrl, `create database ${name}`);
  url.pathname = `/${name}`;
  return url.href;
}

export async function prepareDatabase(ownerUrl: string, redisUrl: string): Promise<Record<string, string>> {
  await asOwner(
    ownerUrl,
    `do $$ begin create role ${serviceRole} login; exception when duplicate_object then null; end $$`,
  );
  const serviceUrl = new URL(ownerUrl);
  serviceUrl.username = serviceRole;
  await migrate(ownerUrl, serviceUrl.href);
  await removeBudgets(ownerUrl);
  return {
    DATABASE_URL: serviceUrl.href,
    REDIS_URL: redisUrl,
    HTTP_HOST: '127.0.0.1',
    PUBLIC_URL: 'http://api.disca.test',
    CONSOLE_URL: 'http://console.disca.test',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'Disca <no-reply@disca.test>',
    ACCOUNT_DOMAIN_SUFFIX: '.disca.test',
    KEY_RING: `k1:${randomBytes(32).toString('base64')}`,
    RATE_LIMIT_SCALE: '1000000',
    STATEMENT_TIMEOUT_MS: '60000',
    LOG_LEVEL: 'info',
    SHUTDOWN_DELAY_MS: '0',
  };
}

export async function startServer(name: string, file: string, env: Record<string, string>): Promise<Server> {
  const [port, opsPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const entry = await startService({
    name,
    command: process.execPath,
    args: [file],
    commandIncludes: file,
    logFile: inDev('bench', `${name}.log`),
    cwd: root,
    ending: politeThenKill,
    outlives: false,
    env: { ...env, HTTP_PORT: String(port), OPS_PORT: String(opsPort) },
    isReady: async () => (await requestStatus(url)) > 0,
  });
  return { entry, url };
}

async function requestStatus(url: string): Promise<number> {
  try {
    const response = await fetch(`${url}${path}`);
    await response.body?.cancel();
    return response.status;
  } catch {
    return 0;
  }
}

/** Logs in through the API like a customer; only the e-mailed link is skipped. */
export async function logIn(ownerUrl: string, url: string): Promise<string> {
  const unique = randomBytes(6).toString('hex');
  const [domain, email] = [`b${unique}.disca.test`, `admin@b${unique}.test`];
  await post(`${url}/api/v1/accounts/signup`, {
    organization_name: 'Empresa',
    domain,
    email,
    password,
    phone: '5511987654321',
    crm: 'Outros',
    user_quantity: '1-5',
  });
  await asOwner(ownerUrl, `update accounts set status = 'active' where domain = '${domain}'`);
  const { id } = await post(`${url}/api/v1/users/login`, { email, password });
  return id ?? '';
}

async function post(url: string, body: object): Promise<{ id?: string }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

async function asOwner(ownerUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
