import type { Database } from '../../../platform/db/database.ts';
import { type Clock, secondsAfter } from '../../../platform/time.ts';
import {
  type CallObserver,
  type EngineEnd,
  endCall,
  endLeg,
  findLiveAmong,
  type LegEnd,
  type LiveCall,
} from '../../calls/index.ts';
import { findSkewMs, noteRecordsComplete } from './node.store.ts';

export interface RecordDeps {
  db: Database;
  clock: Clock;
  observer: CallObserver;
}

/** A detail record, which the engine writes to disk when a call ends, or one leg of a call that has had a command. */
export type DetailRecord = { callId: string } & (
  | { letter?: never; end: EngineEnd }
  | { letter: string; end: LegEnd }
);

/** Covers the time from reading the end of the file to receiving the batch, with a margin. */
const readingSeconds = 2;

/**
 * Processes a node's detail records. Idempotent. Most calls have already been ended by their events; the rest are ended
 * here. A failure does not delay other records, but the node must send the whole batch again. `isComplete` means that
 * the node's file was read to its end.
 */
export async function receiveRecords(
  deps: RecordDeps,
  node: string,
  records: DetailRecord[],
  isComplete: boolean,
): Promise<void> {
  const arrivedAt = deps.clock.now();
  const open = new Map(
    (
      await findLiveAmong(
        deps.db,
        node,
        records.map(({ callId }) => callId),
      )
    ).map((call) => [call.callId, call]),
  );
  const skewMs = open.size > 0 ? await findSkewMs(deps.db, node) : 0;
  const failures: unknown[] = [];
  for (const record of records) {
    const call = open.get(record.callId);
    if (!call) continue;
    try {
      const isEnded = await endAsRecorded(
        deps,
        node,
        call,
        record,
        new Date(record.end.endedOnNode * 1000 - skewMs),
      );
      if (isEnded) deps.observer.callReconciled('record');
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} calls could not be ended.`);
  if (isComplete) await noteRecordsComplete(deps.db, node, secondsAfter(arrivedAt, -readingSeconds));
}

async function endAsRecorded(
  deps: RecordDeps,
  node: string,
  call: LiveCall,
  record: DetailRecord,
  endedAt: Date,
): Promise<boolean> {
  if (record.letter === undefined) return await endCall(deps, call, record.end, endedAt);
  const { callId, letter, end } = record;
  return (await endLeg(deps, node, { callId, leg: { letter }, end, endedAt })) !== 'unknown';
}
