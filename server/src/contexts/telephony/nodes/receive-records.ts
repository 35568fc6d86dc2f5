import type { Database } from '../../../platform/db/database.ts';
import { type Clock, secondsAfter } from '../../../platform/time.ts';
import { type CallObserver, type EngineEnd, endCall, findLiveAmong } from '../../calls/index.ts';
import { findSkewMs, noteRecordsComplete } from './node.store.ts';

export interface RecordDeps {
  db: Database;
  clock: Clock;
  observer: CallObserver;
}

/** A call detail record, which the engine writes to disk when a call ends. */
export interface DetailRecord {
  callId: string;
  end: EngineEnd;
}

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
  for (const { callId, end } of records) {
    const call = open.get(callId);
    if (!call) continue;
    try {
      const isEnded = await endCall(deps, call, end, new Date(end.endedOnNode * 1000 - skewMs));
      if (isEnded) deps.observer.callReconciled('record');
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} calls could not be ended.`);
  if (isComplete) await noteRecordsComplete(deps.db, node, secondsAfter(arrivedAt, -readingSeconds));
}
