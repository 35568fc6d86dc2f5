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

export interface CallParties {
  callId: string;
  from: string;
  to: string;
  firstName: string;
  lastName: string;
  duration: number;
}

/** Returns who called whom, by call id; with `userId`, in the user's own calls only. */
export async function findParties(
  tx: Tx,
  accountId: number,
  callIds: string[],
  userId: number | undefined,
): Promise<Map<string, CallParties>> {
  if (callIds.length === 0) return new Map();
  const rows = await executePrepared(
    tx,
    prepared<CallParties>`
      select call_id as "callId", from_number as "from", to_number as "to", first_name as "firstName",
             last_name as "lastName", duration
        from call_parties(${accountId}, ${callIds}::uuid[], ${userId ?? null}::bigint)`,
  );
  return new Map(rows.map((row) => [row.callId, row]));
}
