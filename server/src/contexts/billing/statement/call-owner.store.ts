import type { Tx } from '../../../platform/db/database.ts';
import { executePrepared, prepared } from '../../../platform/db/prepared.ts';

/** Returns whether a call is the user's own. */
export async function isCallOf(tx: Tx, accountId: number, callId: string, userId: number): Promise<boolean> {
  const [row] = await executePrepared(
    tx,
    prepared<{ isOwn: boolean }>`select is_call_of(${accountId}, ${callId}::uuid, ${userId}) as "isOwn"`,
  );
  return row?.isOwn ?? false;
}
