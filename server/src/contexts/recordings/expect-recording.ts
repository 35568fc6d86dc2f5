import type { Tx } from '../../platform/db/database.ts';
import { objectKeyOf } from './recording.rules.ts';
import { findLinkable, insertExpected, markAbsent } from './recording.store.ts';

/**
 * A file of this call will come: told when a recorded call is answered, in the transaction that says so. Told again at
 * its end, it is waited for from then on. Only the node that had the call may send the file, where it is named.
 */
export async function expectRecording(
  tx: Tx,
  call: { accountId: number; callId: string; at: Date; node?: string | null },
): Promise<void> {
  await insertExpected(tx, { ...call, objectKey: objectKeyOf(call.accountId, call.callId, call.at) });
}

/** The media node says that there is no file. Without such word it is given up after a day. */
export async function recordingMissing(tx: Tx, call: { accountId: number; callId: string }): Promise<void> {
  await markAbsent(tx, call.accountId, call.callId);
}

/** Which of these calls have a recording, or will have one: those whose record shows a link. */
export async function recordedCalls(tx: Tx, accountId: number, callIds: string[]): Promise<Set<string>> {
  return new Set(callIds.length === 0 ? [] : await findLinkable(tx, accountId, callIds));
}
