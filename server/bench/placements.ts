import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { type Checkout, openCommit, thisCheckout } from './calls/checkout.ts';
import { type BenchLine, lineAt } from './calls/lines.ts';
import { startCallPlatform } from './calls/platform.ts';
import { prepareParties } from './calls/preparation.ts';
import { percentile } from './calls-list.ts';
import { pinGenerator } from './measure/machine.ts';
import { judgeEstimate } from './measure/report.ts';
import { estimate, median } from './measure/statistics.ts';

/**
 * Placements of one account at full speed: 64 clients of one account send `POST /calls` to one api process, without
 * the programs that dial. Measures the median time of another account's placements meanwhile and without them and,
 * with `--against COMMIT`, the placements per second compared with that commit, in alternating blocks. Each pair of
 * blocks uses a new account. `--seconds N` per block, `--pairs N`, `--short`.
 */
const bars = { rate: 3, neighbour: 1.5 };
const clients = 64;

const { values: given } = parseArgs({
  options: {
    against: { type: 'string' },
    seconds: { type: 'string' },
    pairs: { type: 'string' },
    short: { type: 'boolean', default: false },
  },
});
const isShort = given.short;
const blockMs = Number(given.seconds ?? (isShort ? 1 : 10)) * 1000;
const pairs = Number(given.pairs ?? (isShort ? 1 : 8));
const linesPerAccount = isShort ? 2 : 20;
const neighbourIntervalMs = 100;
const warmUpMs = isShort ? 500 : 20_000;

type Keep = <T extends { stop(): Promise<void> }>(each: T) => T;

/** A version of the service with accounts that have not placed calls yet. */
interface Placing {
  name: string;
  place(line: BenchLine): Promise<void>;
  neighbour: BenchLine;
  warmUp: BenchLine[];
  /** The lines of the account of each pair. */
  accounts: BenchLine[][];
}

async function main(adminUrl: string): Promise<void> {
  pinGenerator();
  const running: { stop(): Promise<void> }[] = [];
  const keep: Keep = (each) => {
    running.unshift(each);
    return each;
  };
  try {
    const ours = await startPlacing(adminUrl, 'placements', await thisCheckout(), keep);
    await placeFor(ours, ours.warmUp, warmUpMs);
    await compareNeighbour(ours);
    if (given.against === undefined) return;
    const checkout = keep(await openCommit(given.against));
    const old = await startPlacing(adminUrl, 'placements_against', checkout, keep);
    await placeFor(old, old.warmUp, warmUpMs);
    await compareRates(ours, old);
  } finally {
    for (const each of running) await each.stop();
  }
}

async function startPlacing(
  adminUrl: string,
  name: string,
  checkout: Checkout,
  keep: Keep,
): Promise<Placing> {
  const platform = keep(await startCallPlatform({ adminUrl, name, checkout }));
  // For warming up, the neighbour, and each pair of both comparisons.
  const accounts = 2 + 2 * pairs;
  const lines = await prepareParties(platform, keep, { accounts, each: linesPerAccount });
  keep(await platform.start('api'));
  const pool = new Pool(platform.apiOrigin, { connections: clients + 8, pipelining: 1 });
  keep({ stop: () => pool.destroy() });
  const [warmUp = [], [neighbour] = [], ...rest] = Map.groupBy(lines, ({ domain }) => domain).values();
  if (!neighbour) throw new Error('There are no lines.');
  return { name: checkout.name, place: (line) => place(pool, line), neighbour, warmUp, accounts: rest };
}

async function place(pool: Pool, { token, ramal }: BenchLine): Promise<void> {
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: '/api/v1/calls',
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify({ caller: ramal, called: '5511987654321', extension: ramal }),
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`POST /calls returned ${statusCode}: ${text}`);
}

/** Places calls of these lines with all clients; returns the placements per second. */
async function placeFor(placing: Placing, lines: BenchLine[], ms: number): Promise<number> {
  const startedAtMs = performance.now();
  const isOver = (): boolean => performance.now() - startedAtMs > ms;
  let placed = 0;
  const work = async (): Promise<void> => {
    while (!isOver()) {
      await placing.place(lineAt(lines, placed));
      placed += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, work));
  return (placed * 1000) / (performance.now() - startedAtMs);
}

/** Places calls of the neighbour at a steady rate; returns the median of their times in ms. */
async function timeNeighbour(placing: Placing, ms: number): Promise<number> {
  const timed = async (): Promise<number> => {
    const startedAtMs = performance.now();
    await placing.place(placing.neighbour);
    return performance.now() - startedAtMs;
  };
  const times: Promise<number>[] = [];
  for (let elapsedMs = 0; elapsedMs < ms; elapsedMs += neighbourIntervalMs) {
    times.push(timed());
    await sleep(neighbourIntervalMs);
  }
  return percentile(await Promise.all(times), 0.5);
}

async function compareNeighbour(ours: Placing): Promise<void> {
  const ratios: number[] = [];
  for (const lines of ours.accounts.slice(0, pairs)) {
    const quietMs = await timeNeighbour(ours, blockMs);
    const [loadedMs, rate] = await Promise.all([
      timeNeighbour(ours, blockMs),
      placeFor(ours, lines, blockMs),
    ]);
    console.log(
      `neighbour: p50 ${quietMs.toFixed(1)} ms alone, ${loadedMs.toFixed(1)} ms beside ${rate.toFixed(0)} placements/s`,
    );
    ratios.push(loadedMs / quietMs);
  }
  judgeEstimate('placements.neighbour', estimate(ratios), { bar: bars.neighbour, kind: 'most', isShort });
}

async function compareRates(ours: Placing, old: Placing): Promise<void> {
  const rates: { ours: number; old: number }[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    const rateOf = (side: Placing) => placeFor(side, side.accounts[pairs + pair] ?? [], blockMs);
    const first = pair % 2 === 0 ? await rateOf(ours) : await rateOf(old);
    const second = pair % 2 === 0 ? await rateOf(old) : await rateOf(ours);
    const rate = pair % 2 === 0 ? { ours: first, old: second } : { ours: second, old: first };
    console.log(`${ours.name}: ${rate.ours.toFixed(0)}/s, ${old.name}: ${rate.old.toFixed(0)}/s`);
    rates.push(rate);
  }
  const medianOf = (side: 'ours' | 'old'): string => median(rates.map((each) => each[side])).toFixed(0);
  console.log(`placements of one account: ${medianOf('ours')}/s, before ${medianOf('old')}/s`);
  const ratio = estimate(rates.map((each) => each.ours / each.old));
  judgeEstimate('placements.rate', ratio, { bar: bars.rate, kind: 'least', isShort });
}

const { DATABASE_OWNER_URL: adminUrl } = process.env;
if (adminUrl === undefined) throw new Error('DATABASE_OWNER_URL is not set. Run ./dev bench placements.');
await main(adminUrl);
