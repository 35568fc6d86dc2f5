import type { Tx } from '../../platform/db/database.ts';
import { objectKeyOf } from './recording.rules.ts';
import { findLinkable, insertExpected } from './recording.store.ts';

/**
 * A file of this call will come: told when a recorded call has ended, in the transaction that says so. Only the node
 * that had the call may send the file, where it is named.
 */
export async function expectRecording(
  tx: Tx,
  call: { accountId: number; callId: string; at: Date; node?: string | null },
): Promise<void> {
  await insertExpected(tx, { ...call, objectKey: objectKeyOf(call.accountId, call.callId, call.at) });
}

/** Which of these calls have a recording, or will have one: those whose record shows a link. */
export async function recordedCalls(tx: Tx, accountId: number, callIds: string[]): Promise<Set<string>> {
  return new Set(callIds.length === 0 ? [] : await findLinkable(tx, accountId, callIds));
}
