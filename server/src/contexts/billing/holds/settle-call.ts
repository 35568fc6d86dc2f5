import { type Database, inAccount, type Tx } from '../../../platform/db/database.ts';
import type { Clock } from '../../../platform/time.ts';
import { closeHold, findExpiredHolds, lockHold, type SettledCall } from './hold.store.ts';

/**
 * Charges a call for its use and releases the rest of its hold. Idempotent: a repeated call returns the amount already
 * charged. An expired hold has been released, and its call is not charged.
 */
export const settleHold = (
  tx: Tx,
  { callId, usedSeconds, at }: { callId: string; usedSeconds: number; at: Date },
): Promise<SettledCall> => closeHold(tx, callId, 'settled', usedSeconds, at);

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
  await closeHold(tx, callId, 'expired', 0, at);
}
