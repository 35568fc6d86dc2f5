import autocannon from 'autocannon';
import { endAndRemove } from '../../tools/dev/process-records.ts';
import { freshDatabase, logIn, prepareDatabase, type Server, startServer } from './api-server.ts';
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

async function main(benchUrl: string, redisUrl: string): Promise<void> {
  const ownerUrl = await freshDatabase(benchUrl, 'http');
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
