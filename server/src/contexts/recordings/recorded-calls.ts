import type { Tx } from '../../platform/db/database.ts';
import { findLinkable } from './recording.store.ts';

/** Returns which of these calls have or expect a recording. Only their records contain a link. */
export async function recordedCalls(tx: Tx, accountId: number, callIds: string[]): Promise<Set<string>> {
  return new Set(callIds.length === 0 ? [] : await findLinkable(tx, accountId, callIds));
}
