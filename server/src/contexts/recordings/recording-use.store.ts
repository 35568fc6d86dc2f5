import type { Tx } from '../../platform/db/database.ts';
import { executePrepared, prepared } from '../../platform/db/prepared.ts';

/** Returns whether a new call may be recorded; false once a budget of the account is used. */
export async function mayRecord(tx: Tx, accountId: number, at: Date): Promise<boolean> {
  const query = prepared<{ may: boolean }>`select may_record(${accountId}, ${at}) as may`;
  const [row] = await executePrepared(tx, query);
  return row?.may ?? false;
}

export interface RecordingUse {
  /** Length of the recordings whose files arrived on the day in Sao Paulo. */
  recordedMs: number;
  storedBytes: number;
}

export async function findRecordingUse(tx: Tx, accountId: number, at: Date): Promise<RecordingUse> {
  const query = prepared<RecordingUse>`
    select case when day = (${at}::timestamptz at time zone 'America/Sao_Paulo')::date then recorded_ms else 0 end as "recordedMs",
           stored_bytes as "storedBytes"
      from recording_use where account_id = ${accountId}`;
  const [row] = await executePrepared(tx, query);
  return row ?? { recordedMs: 0, storedBytes: 0 };
}
