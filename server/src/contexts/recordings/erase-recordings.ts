import type { Tx } from '../../platform/db/database.ts';
import { markErased } from './recording.store.ts';
import { removeFiles, type SweepDeps } from './sweep-recordings.ts';

/**
 * Marks the recordings of these calls as erased: links stop working at commit. `removeErasedFiles` deletes the files
 * afterwards; if that fails, the sweep deletes them.
 */
export async function eraseRecordings(
  tx: Tx,
  accountId: number,
  callIds: string[],
  at: Date,
): Promise<number> {
  return callIds.length === 0 ? 0 : await markErased(tx, accountId, callIds, at);
}

export async function removeErasedFiles(
  deps: SweepDeps,
  accountId: number,
  callIds: string[],
): Promise<void> {
  if (callIds.length > 0) await removeFiles(deps, accountId, callIds);
}
