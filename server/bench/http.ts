import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { Redis } from 'ioredis';
import { endAndRemove } from '../../tools/dev/process-records.ts';
import {
  freshDatabase,
  logIn,
  prepareDatabase,
  type Server,
  startServer,
  timeoutSeconds,
} from './api-server.ts';
import { type Side, type Watched, watch } from './measure/blocks.ts';
import { openCalibration } from './measure/calibration.ts';
import { pinGenerator, pinService } from './measure/machine.ts';
import { comparePairs, estimateRatio } from './measure/pairs.ts';
import { judgeEstimate, printBlock, reportCosts } from './measure/report.ts';

/**
 * CPU time per GET /users/me of the real API at a fixed rate, compared with a bare Fastify handler with the same token
 * query and the same counter in Redis; then one run at 85 % of the derived capacity. This process generates the load.
 * `--rate N` requests per second, `--seconds N` per block, `--pairs N`, `--short`.
 */
const bar = 0.85;
const connections = 16;
const path = '/api/v1/users/me';

const { values: given } = parseArgs({
  options: {
    rate: { type: 'string' },
    seconds: { type: 'string' },
    pairs: { type: 'string' },
    short: { type: 'boolean', default: false },
  },
});
const isShort = given.short;
const rate = Number(given.rate ?? (isShort ? 100 : 400));
const seconds = Number(given.seconds ?? (isShort ? 1 : 20));
const pairs = Number(given.pairs ?? (isShort ? 1 : 8));
const idleMs = isShort ? 500 : 10_000;
/** A count instead of a time: the JIT compiler needs the same number of requests on a busy machine. */
const warmUpRequests = isShort ? 200 : 20_000;

async function main(benchUrl: string, redisUrl: string): Promise<void> {
  pinGenerator();
  const calibration = await openCalibration(benchUrl);
  const ownerUrl = await freshDatabase(benchUrl, 'http');
  const env = await prepareDatabase(ownerUrl, redisUrl);
  const ours = await startServer('bench-api', 'server/src/main/api.ts', env);
  const bare = await startServer('bench-bare', 'server/bench/bare-http.ts', env);
  try {
    const redis = { pid: await redisPid(redisUrl) };
    pinService(ours.entry.process.pid, bare.entry.process.pid, redis.pid);
    const token = await logIn(ownerUrl, ours.url);
    await expectSameAnswer(ours, bare, token);
    for (const server of [ours, bare]) await send(server, token, { amount: warmUpRequests });
    const shared = [watch('Redis', redis), watch('PostgreSQL', { pid: calibration.postgres })];
    const a = makeSide('disca', ours, token, [watch('api', ours.entry.process), ...shared]);
    const b = makeSide('bare', bare, token, [watch('bare', bare.entry.process), ...shared]);
    const comparison = await comparePairs(a, b, { pairs, idleMs, calibration, isShort, onBlock: printBlock });
    const capacity = reportCosts('http.users-me', comparison, { isShort });
    const swapped = comparison.pairs.map((pair) => ({ a: pair.b, b: pair.a }));
    const ratio = estimateRatio(swapped, ({ costMs }) => costMs);
    judgeEstimate('http.users-me', ratio, { bar, kind: 'least', isShort });
    await confirmCapacity(ours, token, isShort ? rate : capacity * 0.85);
  } finally {
    await endAndRemove(bare.entry);
    await endAndRemove(ours.entry);
    await calibration.close();
  }
}

async function redisPid(url: string): Promise<number> {
  const redis = new Redis(url);
  const info = await redis.info('server');
  redis.disconnect();
  return Number(/^process_id:(\d+)/m.exec(info)?.[1]);
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

const makeSide = (name: string, server: Server, token: string, watched: Watched[]): Side => ({
  name,
  watched,
  load: async () => ({ units: await send(server, token, { overallRate: rate, amount: rate * seconds }) }),
});

/** Sends requests at 85 % of the derived capacity. */
async function confirmCapacity(server: Server, token: string, perSecond: number): Promise<void> {
  const overallRate = Math.floor(perSecond);
  const startedAtMs = performance.now();
  const count = await send(server, token, { overallRate, amount: overallRate * seconds });
  const reached = (count * 1000) / (performance.now() - startedAtMs);
  const isClean = reached >= overallRate * 0.95;
  console.log(
    `http.confirmed: capacity ${isClean ? 'confirmed' : 'not confirmed'} at 85 %, ${overallRate} requests/s, ` +
      `${reached.toFixed(0)} answered/s`,
  );
  if (!isClean && !isShort) process.exitCode = 1;
}

async function send(
  server: Server,
  token: string,
  extent: { amount: number; overallRate?: number },
): Promise<number> {
  const result = await autocannon({
    url: `${server.url}${path}`,
    connections,
    ...extent,
    timeout: timeoutSeconds,
    headers: { authorization: token },
  });
  const failed = result.non2xx + result.errors + result.timeouts;
  if (failed > 0)
    throw new Error(
      `${failed} requests to ${server.entry.name} failed: ${JSON.stringify(result.statusCodeStats)}`,
    );
  return result['2xx'];
}

const { DATABASE_OWNER_URL: benchUrl, REDIS_URL: redisUrl } = process.env;
if (benchUrl === undefined || redisUrl === undefined)
  throw new Error('DATABASE_OWNER_URL and REDIS_URL are not set. Run ./dev bench http.');
await main(benchUrl, redisUrl);
