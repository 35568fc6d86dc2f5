import { randomBytes } from 'node:crypto';
import autocannon from 'autocannon';
import pg from 'pg';
import { inDev, root } from '../../tools/dev/paths.ts';
import { freePort } from '../../tools/dev/ports.ts';
import { politeThenKill } from '../../tools/dev/process-identity.ts';
import { endAndRemove, type ProcessRecord } from '../../tools/dev/process-records.ts';
import { startService } from '../../tools/dev/services/service.ts';
import { migrate } from '../src/main/migrate.ts';
import { percentile } from './calls-list.ts';

/**
 * Measures GET /users/me of the real API against a bare Fastify handler with the same token query and the same counter
 * in Redis. Rounds alternate and each yields one ratio, so that both sides run under the same conditions. This process
 * generates the load.
 */
const bar = 0.7;
const roundCount = 10;
const roundSeconds = 3;
/** A count instead of a time: the JIT compiler needs the same number of requests on a busy machine. */
const warmUpRequests = 20_000;
const connections = 16;
const path = '/api/v1/users/me';
const serviceRole = 'bench_app';
const password = 'correct horse battery';

interface Server {
  entry: ProcessRecord;
  url: string;
}

async function main(benchUrl: string, redisUrl: string): Promise<void> {
  const ownerUrl = await freshDatabase(benchUrl);
  const env = await prepareDatabase(ownerUrl, redisUrl);
  const ours = await startServer('bench-api', 'server/src/main/api.ts', env);
  const bare = await startServer('bench-bare', 'server/bench/bare-http.ts', env);
  try {
    const token = await logIn(ownerUrl, ours.url);
    await expectSameAnswer(ours, bare, token);
    await measure(ours, bare, token);
  } finally {
    await endAndRemove(bare.entry);
    await endAndRemove(ours.entry);
  }
}

/** Creates a database separate from that of the other benchmarks, which keeps its large tables between runs. */
async function freshDatabase(benchUrl: string): Promise<string> {
  const url = new URL(benchUrl);
  const name = `${url.pathname.slice(1)}_http`;
  await asOwner(benchUrl, `drop database if exists ${name} with (force)`);
  await asOwner(benchUrl, `create database ${name}`);
  url.pathname = `/${name}`;
  return url.href;
}

async function prepareDatabase(ownerUrl: string, redisUrl: string): Promise<Record<string, string>> {
  await asOwner(
    ownerUrl,
    `do $$ begin create role ${serviceRole} login; exception when duplicate_object then null; end $$`,
  );
  const serviceUrl = new URL(ownerUrl);
  serviceUrl.username = serviceRole;
  await migrate(ownerUrl, serviceUrl.href);
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
    LOG_LEVEL: 'info',
  };
}

async function startServer(name: string, file: string, env: Record<string, string>): Promise<Server> {
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
async function logIn(ownerUrl: string, url: string): Promise<string> {
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

async function expectSameAnswer(ours: Server, bare: Server, token: string): Promise<void> {
  const [our, their] = await Promise.all(
    [ours, bare].map(async ({ url }) => {
      const response = await fetch(`${url}${path}`, { headers: { authorization: token } });
      return await response.text();
    }),
  );
  if (our !== their || !our?.includes('"uuid"')) throw new Error(`The responses differ:\n${our}\n${their}`);
}

async function measure(ours: Server, bare: Server, token: string): Promise<void> {
  for (const server of [ours, bare]) await requestsPerSecond(server, token, { amount: warmUpRequests });
  const rounds: { our: number; their: number }[] = [];
  for (let round = 0; round < roundCount; round += 1) {
    // Alternate the order between rounds.
    const order = round % 2 === 0 ? [ours, bare] : [bare, ours];
    const rates = new Map<Server, number>();
    for (const server of order)
      rates.set(server, await requestsPerSecond(server, token, { duration: roundSeconds }));
    rounds.push({ our: rates.get(ours) ?? 0, their: rates.get(bare) ?? 0 });
  }
  const median = (values: number[]) => percentile(values, 0.5);
  const our = median(rounds.map((round) => round.our));
  const their = median(rounds.map((round) => round.their));
  const ratio = median(rounds.map((round) => round.our / round.their));
  console.log(`http.users-me: ${our.toFixed(0)} requests/s, bare ${their.toFixed(0)} requests/s`);
  console.log(`ratio http.users-me ${ratio.toFixed(2)} (bar ${bar.toFixed(2)})`);
  if (!(ratio >= bar)) process.exitCode = 1;
}

async function requestsPerSecond(
  server: Server,
  token: string,
  extent: { amount: number } | { duration: number },
): Promise<number> {
  const result = await autocannon({
    url: `${server.url}${path}`,
    connections,
    ...extent,
    headers: { authorization: token },
  });
  const failed = result.non2xx + result.errors + result.timeouts;
  if (failed > 0) throw new Error(`${failed} requests to ${server.entry.name} failed.`);
  return result['2xx'] / result.duration;
}

const { DATABASE_OWNER_URL: benchUrl, REDIS_URL: redisUrl } = process.env;
if (benchUrl === undefined || redisUrl === undefined)
  throw new Error('DATABASE_OWNER_URL and REDIS_URL are not set. Run ./dev bench http.');
await main(benchUrl, redisUrl);
