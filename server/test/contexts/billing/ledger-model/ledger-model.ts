import { dice } from '../../../../bench/generated-filter.ts';
import { auditLedger } from '../../../../src/contexts/billing/index.ts';
import type { Database } from '../../../../src/platform/db/database.ts';
import { systemClock } from '../../../../src/platform/time.ts';
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
import { createModelState, type ModelAccount, type ModelState } from './model-state.ts';

/**
 * Runs concurrent clients on a few accounts: holds, renewals, settlements, expiries, charges, refunds and adjustments,
 * any of them repeated concurrently or later. At intervals all clients pause, and the ledger is compared with a model
 * that contains only what was confirmed to the clients.
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
  const model = await createModelState(run.db, run.query, run.accounts ?? 40);
  const rolls = Array.from({ length: clients }, (_, client) => dice(run.seed * 1_000 + client));
  for (let done = 0; done < run.operations; done += operationsBetweenComparisons) {
    const each = Math.ceil(Math.min(operationsBetweenComparisons, run.operations - done) / clients);
    await Promise.all(rolls.map((roll) => work(model, roll, each)));
    await compare(model);
    run.onProgress?.(Math.min(done + operationsBetweenComparisons, run.operations));
  }
  await expireAll(model);
  await compareWarnings(model);
  const differences = await auditLedger({ ...run, clock: systemClock });
  if (differences.length > 0) throw new Error(`The audit found ${JSON.stringify(differences.slice(0, 5))}.`);
  return model.tally;
}

async function work(model: ModelState, roll: Roll, operations: number): Promise<void> {
  for (let done = 0; done < operations; ) {
    model.nowMs += Math.floor(roll() * 2 * stepMs);
    const operation = choose(model, roll);
    // Some operations run two or three times concurrently; some are repeated later by any client.
    const times = roll() < 0.85 ? 1 : roll() < 0.7 ? 2 : 3;
    await Promise.all(Array.from({ length: times }, operation));
    done += times;
    if (roll() < 0.05 && model.repeats.length < maxRepeats) model.repeats.push(operation);
  }
}

function choose(model: ModelState, roll: Roll): () => Promise<void> {
  const which = roll();
  // The exponent makes a few accounts busier than the rest.
  const account = model.accounts[Math.floor(roll() ** 2 * model.accounts.length)] as ModelAccount;
  const call = account.calls[Math.floor(roll() * account.calls.length)];
  if (which < 0.01) return () => expire(model);
  if (which < 0.06) return makeCharge(model, roll, account);
  if (which < 0.1) return makeAdjustment(model, roll, account);
  if (which < 0.12) return () => refundOne(model, roll, account);
  if (which < 0.17) return takeRepeat(model, roll) ?? makeAdjustment(model, roll, account);
  if (which < 0.19) return () => settleAbandoned(model, roll, account);
  if (call && which < 0.21) abandon(model, call);
  if (call && which < 0.5) return () => renew(model, call);
  if (call && (which < 0.72 || account.calls.length >= maxCallsPerAccount))
    return () => settle(model, roll, call);
  return startCall(model, roll, account);
}

function takeRepeat(model: ModelState, roll: Roll): (() => Promise<void>) | undefined {
  return model.repeats.splice(Math.floor(roll() * model.repeats.length), 1)[0];
}

async function refundOne(model: ModelState, roll: Roll, account: ModelAccount): Promise<void> {
  const charge = account.charges[Math.floor(roll() * account.charges.length)];
  if (charge) await refund(model, account, charge);
}

async function settleAbandoned(model: ModelState, roll: Roll, account: ModelAccount): Promise<void> {
  const call = account.abandoned[Math.floor(roll() * account.abandoned.length)];
  if (call) await settle(model, roll, call);
}

/** Expires the calls still open at the end. */
async function expireAll(model: ModelState): Promise<void> {
  model.nowMs += 2 * 24 * 3600 * 1000;
  await expire(model);
  await compare(model);
  const open = model.accounts.find(({ calls, abandoned }) => calls.length + abandoned.length > 0);
  if (open) throw new Error(`Account ${open.id} has calls that did not expire.`);
}
