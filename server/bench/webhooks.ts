import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { insertHangups } from '../test/harness/webhooks/endpoints.ts';
import { percentile } from './calls-list.ts';
import { type Block, measureBlock, type Side, type Watched, watch } from './measure/blocks.ts';
import { openCalibration } from './measure/calibration.ts';
import { pinGenerator } from './measure/machine.ts';
import { comparePairs, estimateRatio } from './measure/pairs.ts';
import { judgeEstimate, printBlock, reportCosts } from './measure/report.ts';
import { median } from './measure/statistics.ts';
import { schedule } from './webhooks/bare-statements.ts';
import { startWebhookPlatform, type WebhookPlatform } from './webhooks/platform.ts';
import { type BenchReceiver, startBenchReceiver } from './webhooks/receiver.ts';

/**
 * CPU time per webhook of the worker process and PostgreSQL, at a fixed rate, compared with a minimal sender with the
 * same durable work, body and signature (`webhooks/bare-process.ts`). Numbering, which only the service does, is measured
 * with events without endpoints and subtracted. Then the age of events on arrival at a third of the derived capacity, and
 * one run at 85 % of it. `--rate N` per second, `--seconds N` per block, `--pairs N`, `--short`.
 */
const bar = 0.85;
const latestMs = 1_000;
const ticksPerSecond = 10;
/** Until the last attempts are recorded. */
const settleMs = 1_000;
const maxWaitMs = 60_000;

const { values: given } = parseArgs({
  options: {
    rate: { type: 'string' },
    seconds: { type: 'string' },
    pairs: { type: 'string' },
    short: { type: 'boolean', default: false },
  },
});
const isShort = given.short;
const endpoints = isShort ? 100 : 1_000;
const rate = Number(given.rate ?? (isShort ? 100 : 500));
const seconds = Number(given.seconds ?? (isShort ? 1 : 20));
const pairs = Number(given.pairs ?? (isShort ? 1 : 8));
const idleMs = isShort ? 500 : 20_000;
const warmUpSeconds = isShort ? 1 : 30;
const steadySeconds = isShort ? 1 : 30;

async function main(adminUrl: string, redisUrl: string): Promise<void> {
  pinGenerator();
  const calibration = await openCalibration(adminUrl);
  const receiver = await startBenchReceiver();
  const platform = await startWebhookPlatform(adminUrl, redisUrl, receiver.origin, endpoints);
  try {
    const postgres = watch('PostgreSQL', { pid: calibration.postgres });
    const sides = makeSides(platform, receiver, postgres);
    for (const send of [sides.insert, sides.insertBare]) await sendAt(rate, warmUpSeconds, platform, send);
    await untilReceived(receiver, 2 * rate * warmUpSeconds);
    const options = { pairs, idleMs, calibration, isShort, onBlock: printBlock };
    const comparison = await comparePairs(sides.disca, sides.bare, options);
    const numbering: Block[] = [];
    for (let block = 0; block < pairs; block += 1)
      numbering.push(await measureBlock(sides.numbering, comparison.idle.a, calibration));
    const capacity = reportCosts('webhooks', comparison, { isShort });
    const numberingMs = median(numbering.map(({ costMs }) => costMs));
    console.log(`webhooks.numbering: ${numberingMs.toFixed(3)} ms per event, included above`);
    const ratio = estimateRatio(
      comparison.pairs.map(({ a, b }) => ({ a: b, b: { ...a, costMs: a.costMs - numberingMs } })),
      ({ costMs }) => costMs,
    );
    judgeEstimate('webhooks.first', ratio, { bar, kind: 'least', isShort });
    await measureAges(platform, receiver, sides.insert, isShort ? rate : capacity / 3);
    await confirmCapacity(platform, receiver, sides.insert, isShort ? rate : capacity * 0.85);
  } finally {
    await platform.stop();
    await receiver.stop();
    await calibration.close();
  }
}

type Insert = (accounts: number[]) => Promise<unknown>;

function makeSides(
  { query, worker, bare, accounts, silent }: WebhookPlatform,
  receiver: BenchReceiver,
  postgres: Watched,
) {
  const insert: Insert = (some) => insertHangups(query, some, 1);
  const insertBare: Insert = (some) => query(schedule, [some]);
  const side = (name: string, watched: Watched[], send: Insert): Side => ({
    name,
    watched,
    async load() {
      const sent = await sendAt(rate, seconds, { accounts }, send);
      const ages = await untilReceived(receiver, sent);
      await sleep(settleMs);
      return { units: sent, values: { p50Ms: percentile(ages, 0.5), p99Ms: percentile(ages, 0.99) } };
    },
  });
  const ours = [watch('worker', worker), postgres];
  return {
    insert,
    insertBare,
    disca: side('disca', ours, insert),
    bare: side('bare', [watch('bare', bare), postgres], insertBare),
    numbering: {
      name: 'numbering',
      watched: ours,
      async load() {
        const units = await sendAt(rate, seconds, { accounts: silent }, insert);
        await sleep(settleMs);
        return { units };
      },
    },
  };
}

/** Ends calls of the accounts in turn at a constant rate; returns how many. */
async function sendAt(
  perSecond: number,
  lengthSeconds: number,
  { accounts }: { accounts: number[] },
  insert: Insert,
): Promise<number> {
  // Each statement inserts one event for each of its accounts.
  const perTick = Math.min(Math.max(Math.round(perSecond / ticksPerSecond), 1), accounts.length);
  const tickMs = (perTick * 1000) / perSecond;
  const ticks = Math.round((lengthSeconds * 1000) / tickMs);
  const startedAtMs = performance.now();
  for (let tick = 0; tick < ticks; tick += 1) {
    const from = (tick * perTick) % accounts.length;
    await insert([...accounts.slice(from), ...accounts].slice(0, perTick));
    await sleep(Math.max(startedAtMs + (tick + 1) * tickMs - performance.now(), 0));
  }
  return ticks * perTick;
}

async function untilReceived(receiver: BenchReceiver, count: number): Promise<number[]> {
  const ages: number[] = [];
  for (const deadline = Date.now() + maxWaitMs; ages.length < count; await sleep(50)) {
    ages.push(...(await receiver.takeAges()));
    if (Date.now() > deadline) throw new Error(`Only ${ages.length} of ${count} webhooks were received.`);
  }
  return ages;
}

/** Measures from the event to the receiver, at a steady rate. */
async function measureAges(
  platform: WebhookPlatform,
  receiver: BenchReceiver,
  insert: Insert,
  perSecond: number,
): Promise<void> {
  const ages = await untilReceived(receiver, await sendAt(perSecond, steadySeconds, platform, insert));
  const [p50, p99] = [percentile(ages, 0.5), percentile(ages, 0.99)];
  console.log(`at ${perSecond.toFixed(0)} events/s: p50 ${p50} ms, ${ages.length} received`);
  console.log(`webhooks.age p99 ${p99} ms (bar ${latestMs} ms)`);
  if (!(p99 < latestMs) && !isShort) process.exitCode = 1;
}

/** Sends at 85 % of the derived capacity; the queue must not grow. */
async function confirmCapacity(
  platform: WebhookPlatform,
  receiver: BenchReceiver,
  insert: Insert,
  perSecond: number,
): Promise<void> {
  const startedAtMs = performance.now();
  const ages = await untilReceived(receiver, await sendAt(perSecond, steadySeconds, platform, insert));
  const reached = (ages.length * 1000) / (performance.now() - startedAtMs);
  const lastAges = ages.slice(-Math.ceil(perSecond));
  const isSteady = median(lastAges) < latestMs;
  console.log(
    `webhooks.confirmed: capacity ${isSteady ? 'confirmed' : 'not confirmed'} at 85 %, ${perSecond.toFixed(0)} events/s, ` +
      `${reached.toFixed(0)} delivered/s, median age in the last second ${median(lastAges).toFixed(0)} ms`,
  );
  if (!isSteady && !isShort) process.exitCode = 1;
}

const { DATABASE_OWNER_URL: adminUrl, REDIS_URL: redisUrl } = process.env;
if (adminUrl === undefined || redisUrl === undefined)
  throw new Error('DATABASE_OWNER_URL and REDIS_URL are not set. Run ./dev bench webhooks.');
await main(adminUrl, redisUrl);
