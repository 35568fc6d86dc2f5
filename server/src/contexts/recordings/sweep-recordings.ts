import { eachBatch } from '../../platform/batch.ts';
import { type Database, inAccount } from '../../platform/db/database.ts';
import { type Clock, secondsAfter } from '../../platform/time.ts';
import { removeOldAccesses } from './access.store.ts';
import type { RecordingStorage } from './ports.ts';
import { encryptedKeyOf, plainKeyOf } from './recording.rules.ts';
import { type Due, findExpired, findKeys, findOverdue, markAbsent, markRemoved } from './recording.store.ts';

export interface SweepDeps {
  db: Database;
  clock: Clock;
  storage: RecordingStorage;
}

const day = 24 * 3600;
/** Seconds. A media node that was down for longer has probably lost its files. */
const awaitedSeconds = day;
const accessesKeptSeconds = 365 * day;
const batch = 100;
/** Limit of a run: 100,000 files. The next run continues. */
const maxBatches = 1_000;

/** Marks files that never arrived as absent, deletes files past retention, and removes old accesses. */
export async function sweepRecordings(deps: SweepDeps, signal: AbortSignal): Promise<void> {
  const now = deps.clock.now();
  const failures = [
    ...(await sweepEach(() => findOverdue(deps.db, secondsAfter(now, -awaitedSeconds), batch), giveUp)),
    ...(await sweepEach(() => findExpired(deps.db, now, batch), remove)),
  ];
  const accessedBefore = secondsAfter(now, -accessesKeptSeconds);
  await eachBatch(batch, () => removeOldAccesses(deps.db, accessedBefore, batch), signal);
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} recordings could not be swept.`);

  async function giveUp({ accountId, callId }: Due): Promise<void> {
    await inAccount(deps.db, accountId, (tx) => markAbsent(tx, accountId, callId));
  }

  async function remove({ accountId, callId }: Due): Promise<void> {
    await removeFiles(deps, accountId, [callId]);
  }

  /** Sweeps a batch. A failure does not delay other items; a batch in which every item fails ends the run. */
  async function sweepEach(find: () => Promise<Due[]>, sweep: (due: Due) => Promise<void>) {
    const failed: unknown[] = [];
    for (let round = 0; round < maxBatches; round += 1) {
      const dueBatch = await find();
      const failedBefore = failed.length;
      for (const due of dueBatch) {
        if (signal.aborted) return failed;
        await sweep(due).catch((error: unknown) => failed.push(error));
      }
      if (dueBatch.length < batch || failed.length - failedBefore === batch) break;
    }
    return failed;
  }
}

/** Deletes the files before marking the recordings as removed. */
export async function removeFiles(deps: SweepDeps, accountId: number, callIds: string[]): Promise<void> {
  const keys = await inAccount(deps.db, accountId, (tx) => findKeys(tx, accountId, callIds));
  for (const key of keys) await removeFile(deps, key);
  await inAccount(deps.db, accountId, (tx) => markRemoved(tx, accountId, callIds, deps.clock.now()));
}

/** Deletes a file in both forms: a crash may have left one that the database does not know. */
export async function removeFile({ storage }: Pick<SweepDeps, 'storage'>, objectKey: string): Promise<void> {
  await storage.remove(encryptedKeyOf(objectKey));
  await storage.remove(plainKeyOf(objectKey));
}
