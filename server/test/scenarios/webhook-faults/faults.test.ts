import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FaultWorld, startFaultWorld, victims } from '../../harness/deployments/webhook-faults.ts';
import { createRandom, type Random } from '../chaos/random.ts';
import { type Caller, eightAtATime, makeCallers, placeCall, playCalls } from './calls.ts';
import { judgeAccount } from './judge.ts';

const calls = 2_000;
const accounts = 8;
const kills = 12;
const seed = 5;
const killEveryMs = 2_500;
const mostWaitMs = 120_000;

let world: FaultWorld;
beforeAll(async () => {
  world = await startFaultWorld();
});
afterAll(() => world.stop());

test('HOOK-16 HOOK-20 HOOK-21 delivers every event under one id, signed and numbered, whatever is killed', async () => {
  const since = new Date(Date.now() - 1_000);
  const random = createRandom(seed);
  const callers = await makeCallers(world, accounts);
  let isPlacing = true;
  const placed = new Set<string>();
  const placing = eightAtATime([...Array(calls).keys()], async (index) => {
    placed.add(await placeCall(world, callers[index % accounts] as Caller));
  }).finally(() => {
    isPlacing = false;
  });
  await Promise.all([placing, playCalls(world, random, () => isPlacing), killAll(random)]);
  await everythingDelivered();

  expect(placed.size).toBe(calls);
  const [ended] = await world.query(`select count(*)::int from calls where status = 'ended'`);
  expect(ended?.count).toBe(calls);
  for (const caller of callers) expect(await judgeAccount(world, caller, since)).toEqual([]);
  for (const { name, crashes } of world.programs) expect([name, crashes]).toEqual([name, 0]);
}, 400_000);

/** Kills all targets equally often, in an order and at times given by the seed. */
async function killAll(random: Random): Promise<void> {
  const order = Array.from({ length: Math.ceil(kills / victims.length) }, () =>
    random.shuffle(victims),
  ).flat();
  for (const victim of order.slice(0, kills)) {
    await sleep(random.between(0.5, 1.5) * killEveryMs);
    await world.kill(victim);
  }
}

/** Makes pending retries due at once: the test is about the attempts, not about the back-off. */
async function everythingDelivered(): Promise<void> {
  const deadline = Date.now() + mostWaitMs;
  for (;;) {
    await world.query(
      `update pgboss.job set start_after = now()
        where name = 'webhooks.retry' and state < 'active' and start_after > now()`,
    );
    const [left] = await world.query(
      `select (select count(*) from events where account_sequence is null)::int as unnumbered,
              (select count(*) from deliveries where state <> 'delivered')::int as undelivered`,
    );
    if (left?.unnumbered === 0 && left.undelivered === 0) return;
    if (Date.now() > deadline) throw new Error(`Not everything was delivered: ${JSON.stringify(left)}`);
    await sleep(500);
  }
}
