import { dice } from '../../../../bench/generated-filter.ts';
import { auditLedger } from '../../../../src/contexts/billing/index.ts';
import type { Database } from '../../../../src/platform/db/database.ts';
import type { OwnerQuery } from '../../../harness/fixtures/billing-rows.ts';
import { compare, compareWarnings } from './model-comparison.ts';
import {
  abandon,
  expire,
  makeAdjustment,
  makeCharge,
  refund,
  renew,
  settle,
  startCall,
} from './model-operations.ts';
import { createWorld, type ModelAccount, type World } from './model-world.ts';

/**
 * Concurrent clients on a few accounts: holds, renewals, settlements, expiries, charges, refunds and adjustments, any
 * of them repeated concurrently or later. At intervals all clients pause, and the ledger is compared with a model that
 * contains only what was confirmed to the clients.
 */
export interface ModelRun {
  db: Database;
  query: OwnerQuery;
  operations: number;
  seed: number;
  accounts?: number;
  onProgress?: (done: number) => void;
}

const clients = 16;
const operationsBetweenComparisons = 2_500;
/** Clock advance per step, so that calls are renewed and abandoned ones expire within a run. */
const stepMs = 250;
const maxRepeats = 500;
const maxCallsPerAccount = 12;

type Roll = () => number;

/** Throws at the first difference. Returns the number of times each operation ran. */
export async function runLedgerModel(run: ModelRun): Promise<Record<string, number>> {
  const world = await createWorld(run.db, run.query, run.accounts ?? 40);
  const rolls = Array.from({ length: clients }, (_, client) => dice(run.seed * 1_000 + client));
  for (let done = 0; done < run.operations; done += operationsBetweenComparisons) {
    const each = Math.ceil(Math.min(operationsBetweenComparisons, run.operations - done) / clients);
    await Promise.all(rolls.map((roll) => work(world, roll, each)));
    await compare(world);
    run.onProgress?.(Math.min(done + operationsBetweenComparisons, run.operations));
  }
  await expireAll(world);
  await compareWarnings(world);
  const differences = await auditLedger(run);
  if (differences.length > 0) throw new Error(`The audit found ${JSON.stringify(differences.slice(0, 5))}.`);
  return world.tally;
}

async function work(world: World, roll: Roll, operations: number): Promise<void> {
  for (let done = 0; done < operations; ) {
    world.nowMs += Math.floor(roll() * 2 * stepMs);
    const operation = choose(world, roll);
    // Some operations run two or three times concurrently; some are repeated later by any client.
    const times = roll() < 0.85 ? 1 : roll() < 0.7 ? 2 : 3;
    await Promise.all(Array.from({ length: times }, operation));
    done += times;
    if (roll() < 0.05 && world.repeats.length < maxRepeats) world.repeats.push(operation);
  }
}

function choose(world: World, roll: Roll): () => Promise<void> {
  const which = roll();
  // A few accounts are busier than the rest.
  const account = world.accounts[Math.floor(roll() ** 2 * world.accounts.length)] as ModelAccount;
  const call = account.calls[Math.floor(roll() * account.calls.length)];
  if (which < 0.01) return () => expire(world);
  if (which < 0.06) return makeCharge(world, roll, account);
  if (which < 0.1) return makeAdjustment(world, roll, account);
  if (which < 0.12) return () => refundOne(world, roll, account);
  if (which < 0.17) return takeRepeat(world, roll) ?? makeAdjustment(world, roll, account);
  if (which < 0.19) return () => settleAbandoned(world, roll, account);
  if (call && which < 0.21) abandon(world, call);
  if (call && which < 0.5) return () => renew(world, call);
  if (call && (which < 0.72 || account.calls.length >= maxCallsPerAccount))
    return () => settle(world, roll, call);
  return startCall(world, roll, account);
}

function takeRepeat(world: World, roll: Roll): (() => Promise<void>) | undefined {
  return world.repeats.splice(Math.floor(roll() * world.repeats.length), 1)[0];
}

async function refundOne(world: World, roll: Roll, account: ModelAccount): Promise<void> {
  const charge = account.charges[Math.floor(roll() * account.charges.length)];
  if (charge) await refund(world, account, charge);
}

async function settleAbandoned(world: World, roll: Roll, account: ModelAccount): Promise<void> {
  const call = account.abandoned[Math.floor(roll() * account.abandoned.length)];
  if (call) await settle(world, roll, call);
}

/** Expires the calls still open at the end. */
async function expireAll(world: World): Promise<void> {
  world.nowMs += 2 * 24 * 3600 * 1000;
  await expire(world);
  await compare(world);
  const open = world.accounts.find(({ calls, abandoned }) => calls.length + abandoned.length > 0);
  if (open) throw new Error(`Account ${open.id} has calls that did not expire.`);
}
