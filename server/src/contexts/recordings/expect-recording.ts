import type { Tx } from '../../platform/db/database.ts';
import { objectKeyOf } from './recording.rules.ts';
import { findLinkable, insertExpected } from './recording.store.ts';

/**
 * Records, in the transaction that ends the call, that its recording is expected. If a node is given, only that node
 * may send the file.
 */
export async function expectRecording(
  tx: Tx,
  call: { accountId: number; callId: string; at: Date; node?: string | null },
): Promise<void> {
  await insertExpected(tx, { ...call, objectKey: objectKeyOf(call.accountId, call.callId, call.at) });
}

/** Returns which of these calls have or expect a recording. Only their records contain a link. */
export async function recordedCalls(tx: Tx, accountId: number, callIds: string[]): Promise<Set<string>> {
  return new Set(callIds.length === 0 ? [] : await findLinkable(tx, accountId, callIds));
}
