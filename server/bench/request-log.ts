import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { freePort } from '../../tools/dev/ports.ts';
import { endAndRemove } from '../../tools/dev/process-records.ts';
import { freshDatabase, logIn, prepareDatabase, startServer, timeoutSeconds } from './api-server.ts';
import { cpuSince } from './measure/cpu-time.ts';
import { judgeEstimate } from './measure/report.ts';
import { estimate } from './measure/statistics.ts';

/**
 * CPU time of the api process per request with the request log, divided by that without it. Blocks with and without
 * alternate in one process. Arguments select kinds of requests.
 */
const bar = 1.03;
const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean', default: false } },
});
const isShort = given.short;
const pairCount = isShort ? 1 : 12;
const warmUpBlocks = isShort ? 0 : 3;
/** The requests of one user wait for each other; on a machine that stands still for seconds, some would be refused. */
const connections = isShort ? 1 : 8;
/** Until the last batch of a block is written. */
const flushMs = 1_200;

const kinds = {
  /** Not recorded. */
  read: { method: 'GET', path: '/users/me', body: undefined, blockRequests: isShort ? 50 : 2_000 },
  refused: {
    method: 'PATCH',
    path: '/users',
    body: '{"nome":"Ana","phone":1}',
    blockRequests: isShort ? 50 : 2_000,
  },
  /** Fewer, because the requests of one user wait for each other and for the disk. */
  write: { method: 'PATCH', path: '/users', body: '{"name":"Ana"}', blockRequests: isShort ? 50 : 1_000 },
} as const;
type Kind = keyof typeof kinds;

async function main(benchUrl: string, redisUrl: string, chosen: Kind[]): Promise<void> {
  const ownerUrl = await freshDatabase(benchUrl, 'request_log');
  const unloggedPort = await freePort();
  const env = { ...(await prepareDatabase(ownerUrl, redisUrl)), UNLOGGED_PORT: String(unloggedPort) };
  const { entry, url } = await startServer('bench-api', 'server/bench/request-log-api.ts', env);
  try {
    const token = await logIn(ownerUrl, url);
    const urls = { on: url, off: `http://127.0.0.1:${unloggedPort}` };
    const measure = async (side: 'on' | 'off', kind: Kind): Promise<number> => {
      const spentMs = cpuSince([entry.process.pid]);
      await send(urls[side], kind, token);
      await sleep(flushMs);
      return spentMs();
    };
    for (const kind of chosen) {
      const ratio = estimate(await compare(measure, kind));
      judgeEstimate(`request-log.${kind}`, ratio, { bar, kind: 'most', isShort });
    }
  } finally {
    await endAndRemove(entry);
  }
}

type Measure = (side: 'on' | 'off', kind: Kind) => Promise<number>;

/** Returns one ratio per pair of blocks. The order alternates, so that a drift of the machine affects both sides. */
async function compare(measure: Measure, kind: Kind): Promise<number[]> {
  for (let block = 0; block < warmUpBlocks; block += 1)
    for (const side of ['on', 'off'] as const) await measure(side, kind);
  const ratios: number[] = [];
  for (let pair = 0; pair < pairCount; pair += 1) {
    const [first, second] = pair % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const);
    const used = { on: 0, off: 0 };
    used[first] = await measure(first, kind);
    used[second] = await measure(second, kind);
    ratios.push(used.on / used.off);
  }
  return ratios;
}

async function send(url: string, kind: Kind, token: string): Promise<void> {
  const { method, path, body, blockRequests: amount } = kinds[kind];
  const result = await autocannon({
    url: `${url}/api/v1${path}`,
    method,
    connections,
    amount,
    timeout: timeoutSeconds,
    headers: { authorization: token, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body }),
  });
  const expected = kind === 'refused' ? result['4xx'] : result['2xx'];
  if (expected === amount) return;
  const { errors, timeouts, statusCodeStats } = result;
  throw new Error(
    `${amount - expected} requests to ${url} failed: ${JSON.stringify({ errors, timeouts, statusCodeStats })}`,
  );
}

const { DATABASE_OWNER_URL: benchUrl, REDIS_URL: redisUrl } = process.env;
if (benchUrl === undefined || redisUrl === undefined)
  throw new Error('DATABASE_OWNER_URL and REDIS_URL are not set. Run ./dev bench request-log.');
const all = Object.keys(kinds) as Kind[];
const named = all.filter((kind) => positionals.includes(kind));
await main(benchUrl, redisUrl, named.length > 0 ? named : all);
