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
  /** The id of the call, or of a further leg of one, that an entry of the ledger names. */
  id: string;
  callId: string;
  from: string;
  to: string;
  firstName: string;
  lastName: string;
  duration: number;
}

/** Returns who called whom, by the id of the call or leg; with `userId`, in the user's own calls only. */
export async function findParties(
  tx: Tx,
  accountId: number,
  ids: string[],
  userId: number | undefined,
): Promise<Map<string, CallParties>> {
  if (ids.length === 0) return new Map();
  const rows = await executePrepared(
    tx,
    prepared<CallParties>`
      select id, call_id as "callId", from_number as "from", to_number as "to", first_name as "firstName",
             last_name as "lastName", duration
        from statement_parties(${accountId}, ${ids}::uuid[], ${userId ?? null}::bigint)`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the further legs of calls, in the order in which they were added. */
export const findLegsOfCalls = (
  tx: Tx,
  accountId: number,
  callIds: string[],
): Promise<{ callId: string; legId: string }[]> =>
  executePrepared(
    tx,
    prepared<{ callId: string; legId: string }>`
      select call_id as "callId", leg_id as "legId" from legs_of_calls(${accountId}, ${callIds}::uuid[])`,
  );
