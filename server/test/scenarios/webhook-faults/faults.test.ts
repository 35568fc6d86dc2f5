import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  killTargets,
  startWebhookDeployment,
  type WebhookDeployment,
} from '../../harness/deployments/webhook-faults.ts';
import { createRandom, type Random } from '../chaos/random.ts';
import { type Caller, eightAtATime, makeCallers, placeCall, playCalls } from './calls.ts';
import { checkAccount } from './check-account.ts';

const calls = 1_000;
const accounts = 8;
const kills = 12;
const seed = 5;
const killEveryMs = 2_000;
const maxWaitMs = 300_000;

let deployment: WebhookDeployment;
beforeAll(async () => {
  deployment = await startWebhookDeployment();
});
afterAll(() => deployment.stop());

test('HOOK-16 HOOK-20 HOOK-21 delivers every event under one id, signed and numbered, whatever is killed', async () => {
  const since = new Date(Date.now() - 1_000);
  const random = createRandom(seed);
  const callers = await makeCallers(deployment, accounts);
  let isPlacing = true;
  const placed = new Set<string>();
  const placing = eightAtATime([...Array(calls).keys()], async (index) => {
    placed.add(await placeCall(deployment, callers[index % accounts] as Caller));
  }).finally(() => {
    isPlacing = false;
  });
  await Promise.all([placing, playCalls(deployment, random, () => isPlacing), killAll(random)]);
  await everythingDelivered();

  expect(placed.size).toBe(calls);
  const [ended] = await deployment.query(`select count(*)::int from calls where status = 'ended'`);
  expect(ended?.count).toBe(calls);
  for (const caller of callers) expect(await checkAccount(deployment, caller, since)).toEqual([]);
  for (const { name, crashes } of deployment.programs) expect([name, crashes]).toEqual([name, []]);
});

/** Kills all targets equally often, in an order and at times given by the seed. */
async function killAll(random: Random): Promise<void> {
  const order = Array.from({ length: Math.ceil(kills / killTargets.length) }, () =>
    random.shuffle(killTargets),
  ).flat();
  for (const target of order.slice(0, kills)) {
    await sleep(random.between(0.5, 1.5) * killEveryMs);
    await deployment.kill(target);
  }
}

/** Makes pending retries due immediately: the test covers the attempts, not the back-off. */
async function everythingDelivered(): Promise<void> {
  const deadline = Date.now() + maxWaitMs;
  for (;;) {
    await deployment.query(
      `update delivery_queue set due_at = now() where is_retry and taken_until is null and due_at > now()`,
    );
    const [left] = await deployment.query(
      `select (select count(*) from event_outbox)::int as unnumbered,
              (select count(*) from deliveries where state <> 'delivered')::int as undelivered`,
    );
    if (left?.unnumbered === 0 && left.undelivered === 0) return;
    if (Date.now() > deadline) throw new Error(`Not everything was delivered: ${JSON.stringify(left)}`);
    await sleep(500);
  }
}
