import { setTimeout as sleep } from 'node:timers/promises';
import { runWebhooks } from '../../../src/contexts/webhooks/index.ts';
import type { KeyRing } from '../../../src/platform/keyring.ts';
import type { OwnerQuery } from '../fixtures/billing-rows.ts';
import { until } from '../until.ts';
import { type Crowd, startCrowd } from './crowd.ts';
import { type Endpoint, insertEndpoints, insertHangups } from './endpoints.ts';

export interface FairnessOptions {
  endpoints: number;
  hanging: number;
  refusing: number;
  /** Endpoints that answer with success after seconds, all at one host. */
  slow: number;
  events: number;
  eventsPerSecond: number;
  burst?: Burst;
  /** Concurrent requests of the worker, if fewer than usual. */
  slots?: Slots;
}

/** Events of further endpoints that answer with success after seconds, all at once, before the others. */
export interface Burst {
  endpoints: number;
  eventsEach: number;
  /** Whether the endpoints share one host, or each has its own. */
  isOneHost: boolean;
  /** Whether there is an earlier burst, to which every endpoint has responded. */
  isKnown: boolean;
}

export interface Fairness {
  /** p95 of the delay at healthy endpoints, in milliseconds from the end of the call. */
  p95Ms: number;
  received: number;
  expected: number;
  /** Ids of events that arrived more often than attempts were recorded. */
  unrecorded: string[];
}

type Deps = Parameters<typeof runWebhooks>[0];
type Slots = Parameters<typeof runWebhooks>[2];

const tickMs = 100;
const slowHost = 'slow.test';

/** Measures delays at healthy endpoints while others hang or fail, with events for all in round-robin order. */
export async function measureFairness(
  { query, keyRing, deps }: { query: OwnerQuery; keyRing: KeyRing; deps: Deps },
  options: FairnessOptions,
): Promise<Fairness> {
  const crowd = await startCrowd();
  const endpoints = chooseEndpoints(crowd, options);
  const accounts = await insertEndpoints(query, keyRing, endpoints);
  const slowAccounts = await insertEndpoints(query, keyRing, burstEndpoints(crowd, options.burst));
  const well = endpoints.filter(
    (endpoint) => typeof endpoint === 'string' && endpoint.includes('/ok/'),
  ).length;
  const ages = await deliverAll({ query, deps, crowd, accounts, slowAccounts }, options, well);
  const sorted = ages.toSorted((one, other) => one - other);
  return {
    p95Ms: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
    received: sorted.length,
    expected: expectedOf(options, well),
    unrecorded: await findUnrecorded(query, crowd),
  };
}

/** Spreads the bad endpoints evenly among the healthy ones. */
function chooseEndpoints(
  { origin, deadOrigin, slowOrigin }: Crowd,
  { endpoints, hanging, refusing, slow }: FairnessOptions,
): (string | Endpoint)[] {
  const isNth = (index: number, count: number, offset: number): boolean =>
    count > 0 && index % Math.floor(endpoints / count) === offset;
  return Array.from({ length: endpoints }, (_, index) => {
    if (isNth(index, hanging, 0)) return `${origin}/hang/${index}`;
    if (isNth(index, refusing, 1)) return `${deadOrigin}/${index}`;
    return isNth(index, slow, 2)
      ? { url: `${slowOrigin}/${index}`, host: slowHost }
      : `${origin}/ok/${index}`;
  });
}

const burstEndpoints = (
  { slowOrigin }: Crowd,
  { endpoints, isOneHost }: Pick<Burst, 'endpoints' | 'isOneHost'> = { endpoints: 0, isOneHost: true },
): Endpoint[] =>
  Array.from({ length: endpoints }, (_, index) => ({
    url: `${slowOrigin}/burst/${index}`,
    host: isOneHost ? slowHost : `burst${index}.test`,
  }));

const expectedOf = ({ events, endpoints }: FairnessOptions, well: number): number =>
  Math.round((events / endpoints) * well);

interface Delivering {
  query: OwnerQuery;
  deps: Deps;
  crowd: Crowd;
  accounts: number[];
  slowAccounts: number[];
}

/** Runs the worker until every healthy endpoint has its events. Returns their delays. */
async function deliverAll(
  { query, deps, crowd, accounts, slowAccounts }: Delivering,
  options: FairnessOptions,
  well: number,
): Promise<number[]> {
  const stopping = new AbortController();
  const running = runWebhooks(deps, stopping.signal, options.slots);
  try {
    if (options.burst) await sendBurst(query, crowd, slowAccounts, options.burst);
    await endCalls(query, accounts, options);
    const expected = expectedOf(options, well);
    for (let waitedMs = 0; crowd.ages.length < expected && waitedMs < 300_000; waitedMs += tickMs)
      await sleep(tickMs);
    return [...crowd.ages];
  } finally {
    stopping.abort();
    // Aborts the hanging requests, so that the shutdown does not wait for them.
    await crowd.stop();
    await running;
  }
}

async function sendBurst(
  query: OwnerQuery,
  { slowAnswers }: Crowd,
  accounts: number[],
  { eventsEach, isKnown }: Burst,
): Promise<void> {
  await insertHangups(query, accounts, eventsEach);
  if (!isKnown) return;
  await until(() => slowAnswers.size === accounts.length, 'every slow endpoint has responded');
  await insertHangups(query, accounts, eventsEach);
}

/** A request whose response was lost is sent again, but never without a recorded attempt. */
async function findUnrecorded(query: OwnerQuery, { requests }: Crowd): Promise<string[]> {
  const rows = await query(
    `select 'msg_' || d.event_id as id, count(*)::int as count
       from deliveries d join delivery_attempts a on a.delivery_id = d.id group by d.event_id`,
  );
  const recorded = new Map(rows.map((row) => [String(row.id), Number(row.count)]));
  return [...requests].filter(([id, count]) => count > (recorded.get(id) ?? 0)).map(([id]) => id);
}

/** Ends calls at a steady rate, so that the delay of an event can be measured. */
async function endCalls(query: OwnerQuery, accounts: number[], options: FairnessOptions): Promise<void> {
  const perTick = Math.round((options.eventsPerSecond * tickMs) / 1000);
  const startedAtMs = performance.now();
  for (let inserted = 0; inserted < options.events; inserted += perTick) {
    const count = Math.min(perTick, options.events - inserted);
    const batch = Array.from(
      { length: count },
      (_, index) => accounts[(inserted + index) % accounts.length] ?? 0,
    );
    await insertHangups(query, batch, 1);
    await sleep(
      Math.max(startedAtMs + ((inserted + perTick) / options.eventsPerSecond) * 1000 - performance.now(), 0),
    );
  }
}
