import { awaitPipelined, type Pipelined } from '../../../platform/db/await-pipelined.ts';
import { type Database, inAccount, type Tx } from '../../../platform/db/database.ts';
import type { Clock } from '../../../platform/time.ts';
import { post } from '../ledger/ledger.store.ts';
import { type Settlement, settle } from '../rates/rating.rules.ts';
import { findExpiredHolds, type Hold, lockHold, saveEnd } from './hold.store.ts';

export interface SettledCall extends Settlement {
  pricePerMinuteMicros: number;
}

/**
 * Charges a call for its use and releases the rest of its locked hold. Idempotent: a repeated call returns the amount
 * already charged. An expired hold has been released, and its call is not charged.
 */
export function settleHold(
  tx: Tx,
  hold: Hold,
  { usedSeconds, at }: { usedSeconds: number; at: Date },
): Pipelined<SettledCall> {
  const { pricePerMinuteMicros } = hold.rate;
  if (hold.settlement)
    return { result: { ...hold.settlement, pricePerMinuteMicros }, written: Promise.resolve() };
  const settlement = settle(hold.rate, hold.fundedSeconds, usedSeconds);
  const written = end(tx, hold, 'settled', settlement, at);
  return { result: { ...settlement, pricePerMinuteMicros }, written };
}

async function end(
  tx: Tx,
  hold: Hold,
  state: 'settled' | 'expired',
  settlement: Settlement,
  at: Date,
): Promise<void> {
  const { priceMicros, billedSeconds } = settlement;
  const posted =
    hold.heldMicros > 0
      ? post(tx, {
          book: hold.book,
          kind: priceMicros > 0 ? 'call' : 'release',
          subjectId: hold.callId,
          key: `call:${hold.callId}:end`,
          legs: { held: -hold.heldMicros, revenue: priceMicros, available: hold.heldMicros - priceMicros },
          description: priceMicros > 0 ? `Call of ${billedSeconds} s` : 'Released',
          at,
        })
      : Promise.resolve();
  await awaitPipelined(posted, saveEnd(tx, hold, state, settlement, at));
}

const batch = 100;
/** More than an hour of work; the next run continues. */
const maxBatches = 1_000;

/**
 * Releases, without charge, holds that were not renewed or settled in time. A failure does not delay other holds and is
 * reported at the end; a batch in which every hold fails ends the run.
 */
export async function expireHolds(deps: { db: Database; clock: Clock }, signal: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  for (let round = 0; round < maxBatches; round += 1) {
    const expired = await findExpiredHolds(deps.db, deps.clock.now(), batch);
    const failuresBefore = failures.length;
    for (const { accountId, callId } of expired) {
      if (signal.aborted) return;
      try {
        await inAccount(deps.db, accountId, (tx) => expireHold(tx, accountId, callId, deps.clock.now()));
      } catch (error) {
        failures.push(error);
      }
    }
    if (expired.length < batch || failures.length - failuresBefore === batch) break;
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} holds could not be expired.`);
}

async function expireHold(tx: Tx, accountId: number, callId: string, at: Date): Promise<void> {
  const hold = await lockHold(tx, accountId, callId);
  if (hold?.state !== 'open' || hold.expiresAt > at) return;
  await end(tx, hold, 'expired', { usedSeconds: 0, billedSeconds: 0, priceMicros: 0 }, at);
}
