import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { inDev } from '../../../../tools/dev/paths.ts';
import { type Budgeted, budgetedResources, budgetTable } from '../../../src/contexts/limits/index.ts';
import { type OneOfEach, startOneOfEach } from '../../harness/deployments/one-of-each.ts';
import type { OwnerQuery } from '../../harness/fixtures/billing-rows.ts';
import { startReceiver } from '../../harness/webhooks/receiver.ts';
import { readRecords } from '../chaos/records.ts';
import { startStores } from '../chaos/stores.ts';
import { webhookTypes } from '../many-nodes/make-lines.ts';
import { faultsOfCalls } from '../many-nodes/rolling-faults.ts';
import { addAttacker, addNeighbour } from './accounts.ts';
import type { AttackOptions, AttackResult } from './attack-process.ts';
import { type Attacker, refusals } from './attacks.ts';
import { type SlowReceiver, startSlowReceiver } from './slow-receiver.ts';
import { type Neighbour, type Times, type Work, work } from './work.ts';

export interface NeighbourOptions {
  /** How long the neighbour works without, and then with the attack. */
  seconds: number;
  /** Attempts per second on each budget. */
  rate: number;
  /** Attacks smaller budgets at once, so that seconds are enough to use them up, without measuring a quiet phase. */
  isShort?: boolean;
}

export interface NeighbourReport {
  /** Undefined in a short run. */
  quiet: Times | undefined;
  attacked: Times;
  /** Responses to the attacker by budget. */
  responses: AttackResult;
  /** Budgets that were attacked by requests, of which none was refused. */
  notRefused: string[];
  /** The most webhook requests of the attacker at once. */
  slowWebhooks: number;
  faults: string[];
}

export type Deployment = OneOfEach & { query: OwnerQuery; serviceUrl: string };

const warmUpSeconds = 5;
const leadMs = 3_000;
/** Budgets that a short attack would not use up, and one that would refuse most attempts on the others. */
const shortBudgets: Partial<Record<Budgeted, number>> = {
  code_calls: 0,
  contacts: 10,
  tokens: 5,
  replayed_events: 1,
  requests: 1_000,
};
/** Each lane has its own slots. */
const mostSlowWebhooks = 2 * budgetTable.webhook_requests.test;

/** Measures an account while it is alone, and while a test account tries to use more than each of its budgets. */
export async function runNeighbour(
  options: NeighbourOptions,
  onStep: (what: string) => void = () => undefined,
): Promise<NeighbourReport> {
  const dir = inDev('neighbour', randomBytes(4).toString('hex'));
  mkdirSync(dir, { recursive: true });
  onStep('starting one of each process');
  const stores = await startStores(dir);
  const { query, serviceUrl, edgeUrl, redis } = stores;
  const settings = { RATE_LIMIT_SCALE: '1', DATABASE_POOL_SIZE: '20' };
  const started = await startOneOfEach(dir, { query, serviceUrl, edgeUrl, redisUrl: redis.url }, settings);
  const [receiver, slow] = [await startReceiver(), await startSlowReceiver()];
  try {
    for (const resource of budgetedResources)
      await query('update budgets set test_most = $2 where resource = $1', [
        resource,
        budgetTable[resource].test,
      ]);
    const deployment = { ...started, query, serviceUrl };
    const neighbour = await addNeighbour(deployment, receiver);
    const attacker = await addAttacker(deployment, slow.url, options.isShort ? shortBudgets : {});
    return await measure(deployment, { neighbour, attacker, slow }, options, onStep);
  } finally {
    await Promise.all([receiver.stop(), slow.stop()]);
    await started.stop();
    await stores.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function measure(
  deployment: Deployment,
  { neighbour, attacker, slow }: { neighbour: Neighbour; attacker: Attacker; slow: SlowReceiver },
  { seconds, rate, isShort = false }: NeighbourOptions,
  onStep: (what: string) => void,
): Promise<NeighbourReport> {
  const { query } = deployment;
  const alone: Work[] = [];
  for (const aloneSeconds of isShort ? [] : [warmUpSeconds, seconds]) {
    onStep(`working alone for ${aloneSeconds} s`);
    alone.push(await work(neighbour, query, aloneSeconds));
  }
  onStep(`working beside the attack for ${seconds} s`);
  const attack = startAttack({ attacker, rate });
  await sleep(leadMs);
  const attacked = await work(neighbour, query, seconds);
  const responses = await attack.stop();
  const phases = [...alone, attacked];
  const slowWebhooks = slow.mostWaiting();
  const placed = phases.flatMap((phase) => phase.placed);
  const records = (await readRecords(deployment)).filter(({ accountId }) => accountId === neighbour.id);
  return {
    quiet: alone.at(-1)?.times,
    attacked: attacked.times,
    responses,
    notRefused: Object.entries(refusals).flatMap(([resource, code]) =>
      Object.keys(responses[resource] ?? {}).some((response) => response.endsWith(` ${code}`))
        ? []
        : resource,
    ),
    slowWebhooks,
    faults: [
      ...phases.flatMap((phase) => phase.faults),
      ...(slowWebhooks > mostSlowWebhooks
        ? [`The attacker had ${slowWebhooks} webhook requests at once.`]
        : []),
      ...faultsOfCalls(placed, records, neighbour.receiver, webhookTypes),
    ],
  };
}

/** Starts the attack in another process. */
function startAttack(options: AttackOptions): { stop(): Promise<AttackResult> } {
  const child = fork(new URL('attack-process.ts', import.meta.url));
  child.send(options);
  return {
    async stop() {
      child.send('stop');
      const [result] = await once(child, 'message');
      await once(child, 'exit');
      return result as AttackResult;
    },
  };
}
