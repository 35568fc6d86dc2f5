import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, inTransaction } from '../../../platform/db/database.ts';
import { type Clock, secondsAfter } from '../../../platform/time.ts';
import { type Attempt, finishAttempts, finishDelivered } from './delivery-queue.store.ts';
import { type DisableDeps, disableIntegrations } from './disable-integration.ts';
import { disableAfterSeconds } from './retry.rules.ts';

export interface WriteDeps extends DisableDeps {
  db: Database;
  clock: Clock;
  onError(error: unknown): void;
}

export interface Writer {
  write(attempt: Attempt): void;
  /** Returns whether the last transaction failed; nothing should be sent until one succeeds. */
  isFailing(): boolean;
}

/** Attempts that finish within this time are written in one transaction. */
const gatherMs = 10;
const maxBatch = 200;
const maxTransactions = 2;
const afterFailureMs = 200;

/** Writes finished attempts in batches, each retried until it succeeds. */
export function createWriter(deps: WriteDeps, onWritten: (written: Attempt[]) => void): Writer {
  const waiting: Attempt[] = [];
  let isGathering = false;
  let running = 0;
  let failing = 0;

  function start(): void {
    if (running === maxTransactions || waiting.length === 0) return;
    const batch = waiting.splice(0, maxBatch);
    running += 1;
    void writeUntilDone(batch).then(() => {
      running -= 1;
      onWritten(batch);
      start();
    });
  }

  async function writeUntilDone(batch: Attempt[]): Promise<void> {
    for (let failures = 0; ; failures += 1) {
      try {
        await write(deps, batch);
        if (failures > 0) failing -= 1;
        return;
      } catch (error) {
        deps.onError(error);
        if (failures === 0) failing += 1;
        await sleep(afterFailureMs);
      }
    }
  }

  return {
    write(attempt) {
      waiting.push(attempt);
      if (waiting.length >= maxBatch) start();
      if (isGathering) return;
      isGathering = true;
      setTimeout(() => {
        isGathering = false;
        start();
      }, gatherMs);
    },
    isFailing: () => failing > 0,
  };
}

/** Writes attempts and the queue in one transaction; failures may also disable their integrations. */
async function write(deps: WriteDeps, attempts: Attempt[]): Promise<void> {
  const now = deps.clock.now();
  const failingBefore = secondsAfter(now, -disableAfterSeconds);
  if (attempts.every(({ outcome }) => outcome === 'delivered')) {
    await finishDelivered(deps.db, attempts, now, failingBefore);
    return;
  }
  await inTransaction(deps.db, async (tx) => {
    const failing = await finishAttempts(tx, attempts, now, failingBefore);
    await disableIntegrations(tx, deps, attempts, failing, now);
  });
}
