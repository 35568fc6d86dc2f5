import { setTimeout as sleep } from 'node:timers/promises';
import { sequenceEvents } from '../src/contexts/webhooks/delivery/sequence-events.ts';
import { runWebhooks } from '../src/contexts/webhooks/index.ts';
import { insertEndpoints, insertHangups } from '../test/harness/webhooks/endpoints.ts';
import { percentile } from './calls-list.ts';
import { openBareLoop } from './webhooks-bare.ts';
import {
  type BenchReceiver,
  benchKeyRing,
  deliverAll,
  openWebhookService,
  startBenchReceiver,
  type WebhookService,
} from './webhooks-service.ts';

/**
 * Measures first attempts by the service against a hand-written loop with the same durable work and the same receiver;
 * then the age of events on arrival, at a third of that rate. Rounds alternate and each yields one ratio.
 */
const bar = 0.6;
const latestMs = 1_000;
const endpoints = 1_000;
const perEndpoint = 4;
const roundCount = 6;
const sideBySide = 600;
const poolSize = 10;
const steadySeconds = 30;
const ticksPerSecond = 10;

async function main(ownerUrl: string): Promise<void> {
  const receiver = await startBenchReceiver();
  const service = await openWebhookService(ownerUrl, poolSize);
  const urls = Array.from({ length: endpoints }, (_, index) => `${receiver.origin}/ok/${index}`);
  const accounts = await insertEndpoints(service.query, benchKeyRing, urls);
  try {
    const rate = await compare(service, receiver, accounts);
    await measureAges(service, receiver, accounts, rate / 3);
  } finally {
    await service.close();
    receiver.stop();
  }
}

async function compare(
  service: WebhookService,
  receiver: BenchReceiver,
  accounts: number[],
): Promise<number> {
  const count = endpoints * perEndpoint;
  const bare = await openBareLoop(service.ownerUrl, receiver.origin);
  const planned: number[] = [];
  const ours = async (): Promise<number> => {
    planned.push(await plan(service, accounts, perEndpoint));
    return count / (await deliverAll(service, count, sideBySide));
  };
  const theirs = async (): Promise<number> => {
    await bare.prepare(count);
    return count / (await bare.deliverAll());
  };
  const rounds: { our: number; their: number }[] = [];
  for (let round = 0; round <= roundCount; round += 1) {
    const order = round % 2 === 0 ? [ours, theirs] : [theirs, ours];
    const rates = new Map<typeof ours, number>();
    for (const each of order) rates.set(each, await each());
    const rate = { our: rates.get(ours) ?? 0, their: rates.get(theirs) ?? 0 };
    // The first round is a warm-up.
    if (round > 0) rounds.push(rate);
  }
  await bare.close();
  await receiver.takeAges();
  return report(rounds, planned);
}

/** Numbers and plans the events of the accounts; returns the rate per second. */
async function plan(service: WebhookService, accounts: number[], each: number): Promise<number> {
  await insertHangups(service.query, accounts, each);
  const startedAtMs = performance.now();
  while ((await sequenceEvents(service.deps)) > 0);
  return (accounts.length * each * 1000) / (performance.now() - startedAtMs);
}

function report(rounds: { our: number; their: number }[], planned: number[]): number {
  const median = (values: number[]) => percentile(values, 0.5);
  const our = median(rounds.map((round) => round.our));
  const their = median(rounds.map((round) => round.their));
  const ratio = median(rounds.map((round) => round.our / round.their));
  console.log(`numbered and planned: ${median(planned).toFixed(0)} events/s`);
  console.log(`webhooks.first: ${our.toFixed(0)} attempts/s, bare ${their.toFixed(0)} attempts/s`);
  console.log(`ratio webhooks.first ${ratio.toFixed(2)} (bar ${bar.toFixed(2)})`);
  if (!(ratio >= bar)) process.exitCode = 1;
  return our;
}

/** Measures from the event to the receiver, at a steady rate. */
async function measureAges(
  service: WebhookService,
  receiver: BenchReceiver,
  accounts: number[],
  rate: number,
): Promise<void> {
  service.onSent(() => undefined);
  const stopping = new AbortController();
  const running = runWebhooks(service.deps, stopping.signal);
  const perTick = Math.round(rate / ticksPerSecond);
  const startedAtMs = performance.now();
  for (let tick = 0; tick < steadySeconds * ticksPerSecond; tick += 1) {
    const from = (tick * perTick) % accounts.length;
    await insertHangups(service.query, accounts.slice(from, from + perTick), 1);
    const nextMs = startedAtMs + ((tick + 1) * 1000) / ticksPerSecond;
    await sleep(Math.max(nextMs - performance.now(), 0));
  }
  const seconds = (performance.now() - startedAtMs) / 1000;
  await sleep(2_000);
  stopping.abort();
  await running;
  const ages = await receiver.takeAges();
  const [p50, p99] = [percentile(ages, 0.5), percentile(ages, 0.99)];
  console.log(`at ${(ages.length / seconds).toFixed(0)} events/s: p50 ${p50} ms, ${ages.length} received`);
  console.log(`webhooks.age p99 ${p99} ms (bar ${latestMs} ms)`);
  if (!(p99 < latestMs)) process.exitCode = 1;
}

const ownerUrl = process.env.DATABASE_OWNER_URL;
if (ownerUrl === undefined) throw new Error('DATABASE_OWNER_URL is not set. Run ./dev bench webhooks.');
await main(ownerUrl);
