import autocannon from 'autocannon';
import { endAndRemove } from '../../tools/dev/process-records.ts';
import { freshDatabase, logIn, prepareDatabase, type Server, startServer } from './api-server.ts';
import { processorSeconds } from './processor-time.ts';

/**
 * CPU time of the api process per request with the request log, compared with the same process without it. Blocks of a
 * fixed number of requests alternate, and each pair of processes is started anew: two processes with the same code
 * differ by a few percent, because the compiler optimises them differently. Arguments select kinds of requests.
 */
const bar = 1.03;
const pairCount = 6;
const blocksPerPair = 4;
/** By count, not by time: the JIT compiler needs the same number of requests on a busy machine. */
const warmUpBlocks = 2;
const connections = 8;
/** Of Student's t for 5 degrees of freedom: the pairs are the independent samples. */
const t95 = 2.571;

const kinds = {
  /** Not recorded. */
  read: { method: 'GET', path: '/users/me', body: undefined, blockRequests: 3_000 },
  refused: { method: 'PATCH', path: '/users', body: '{"nome":"Ana","phone":1}', blockRequests: 3_000 },
  /** Fewer, because the requests of one user wait for each other and for the disk. */
  write: { method: 'PATCH', path: '/users', body: '{"name":"Ana"}', blockRequests: 1_000 },
} as const;
type Kind = keyof typeof kinds;

async function main(benchUrl: string, redisUrl: string, chosen: Kind[]): Promise<void> {
  const ownerUrl = await freshDatabase(benchUrl, 'request_log');
  const env = await prepareDatabase(ownerUrl, redisUrl);
  const ratios: Record<Kind, number[]> = { read: [], refused: [], write: [] };
  for (let pair = 0; pair < pairCount; pair += 1) {
    // The process that starts first and serves the login differs between pairs, so that neither side profits from it.
    const order = pair % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const);
    const first = await startSide(order[0], env);
    const second = await startSide(order[1], env);
    const [on, off] = order[0] === 'on' ? [first, second] : [second, first];
    try {
      const token = await logIn(ownerUrl, first.url);
      for (const kind of chosen) {
        ratios[kind].push(await comparePair(on, off, kind, token));
        console.log(`request-log.${kind}: pair ${pair + 1}, ratio ${ratios[kind].at(-1)?.toFixed(4)}`);
      }
    } finally {
      await endAndRemove(on.entry);
      await endAndRemove(off.entry);
    }
  }
  for (const kind of chosen) report(`request-log.${kind}`, ratios[kind]);
}

const startSide = (side: 'on' | 'off', env: Record<string, string>): Promise<Server> =>
  startServer(`bench-api-${side}`, 'server/src/main/api.ts', { ...env, REQUEST_LOG: side });

/** Returns CPU time with the log divided by CPU time without it, over all blocks of a pair of processes. */
async function comparePair(on: Server, off: Server, kind: Kind, token: string): Promise<number> {
  const { blockRequests } = kinds[kind];
  for (const server of [on, off]) await send(server, kind, token, warmUpBlocks * blockRequests);
  const seconds = { on: 0, off: 0 };
  for (let block = 0; block < blocksPerPair; block += 1) {
    // On, off, off, on: a drift of the machine affects both sides equally.
    const order = block % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const);
    for (const side of order) {
      const server = side === 'on' ? on : off;
      const before = processorSeconds(server.entry.process.pid);
      await send(server, kind, token, blockRequests);
      seconds[side] += processorSeconds(server.entry.process.pid) - before;
    }
  }
  return seconds.on / seconds.off;
}

async function send({ url, entry }: Server, kind: Kind, token: string, amount: number): Promise<void> {
  const { method, path, body } = kinds[kind];
  const result = await autocannon({
    url: `${url}/api/v1${path}`,
    method,
    connections,
    amount,
    headers: { authorization: token, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body }),
  });
  const expected = kind === 'refused' ? result['4xx'] : result['2xx'];
  if (expected !== amount) throw new Error(`${amount - expected} requests to ${entry.name} failed.`);
}

function report(name: string, values: number[]): void {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  const margin = t95 * Math.sqrt(variance / values.length);
  console.log(`${name}: 95 % interval ${(mean - margin).toFixed(4)} to ${(mean + margin).toFixed(4)}`);
  console.log(`ratio ${name} ${mean.toFixed(4)} (bar ${bar.toFixed(2)})`);
  if (!(mean <= bar)) process.exitCode = 1;
}

const { DATABASE_OWNER_URL: benchUrl, REDIS_URL: redisUrl } = process.env;
if (benchUrl === undefined || redisUrl === undefined)
  throw new Error('DATABASE_OWNER_URL and REDIS_URL are not set. Run ./dev bench request-log.');
const all = Object.keys(kinds) as Kind[];
const named = all.filter((kind) => process.argv.includes(kind));
await main(benchUrl, redisUrl, named.length > 0 ? named : all);
