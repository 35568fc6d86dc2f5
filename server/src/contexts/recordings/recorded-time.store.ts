import type { Tx } from '../../platform/db/database.ts';
import { executePrepared, prepared } from '../../platform/db/prepared.ts';

/** Returns whether a new call may be recorded; false once the account's budget of the day is used. */
export async function mayRecord(tx: Tx, accountId: number, at: Date): Promise<boolean> {
  const query = prepared<{ may: boolean }>`select may_record(${accountId}, ${at}) as may`;
  const [row] = await executePrepared(tx, query);
  return row?.may ?? false;
}

/** Returns the length of the recordings of the day in Sao Paulo. */
export async function findRecordedMs(tx: Tx, accountId: number, at: Date): Promise<number> {
  const query = prepared<{ ms: number }>`select recorded_ms_of_day(${accountId}, ${at}) as ms`;
  const [row] = await executePrepared(tx, query);
  return row?.ms ?? 0;
}
