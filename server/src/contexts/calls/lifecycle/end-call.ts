import { awaitPipelined } from '../../../platform/db/await-pipelined.ts';
import { type Database, inAccount, type Tx } from '../../../platform/db/database.ts';
import type { Clock } from '../../../platform/time.ts';
import { type Hold, lockHold, settleHold } from '../../billing/index.ts';
import { expectRecording } from '../../recordings/index.ts';
import { type Finish, finishCall } from '../call.store.ts';
import type { EngineEnd, LiveCall } from '../call.ts';
import type { CallObserver, EndedCall } from '../observer.ts';
import { type Ending, interpretEnd, lostEnding, talkedMs } from './end.rules.ts';
import { lockLiveCall } from './live-call.store.ts';

export interface EndDeps {
  db: Database;
  clock: Clock;
  observer: CallObserver;
}

type CallKey = Pick<LiveCall, 'accountId' | 'callId'>;

type CallEnd = Ending & Pick<Finish, 'answeredAt' | 'endedAt'>;

/** Ends a call from an engine report. Idempotent: events, detail records and the reconciler may all report the same end. */
export const endCall = (deps: EndDeps, key: CallKey, end: EngineEnd, endedAt: Date): Promise<boolean> =>
  endLiveCall(deps, key, (call) => reportedEnd(call, end, endedAt));

/** Ends a call whose engine can no longer report its end. */
export const endLostCall = (deps: EndDeps, key: CallKey, lastAliveAt: Date): Promise<boolean> =>
  endLiveCall(deps, key, (call) => lostEnd(call, lastAliveAt));

/** Ends a call that was not dialled. */
export const endUndialledCall = (deps: EndDeps, key: CallKey, hangupCause: string): Promise<boolean> =>
  endLiveCall(deps, key, (call) => undialledEnd(call, hangupCause, deps.clock.now()));

/** Ends a call that no node claimed in time. Does nothing if a node has claimed it by now. */
export const endUnclaimedCall = (deps: EndDeps, key: CallKey): Promise<boolean> =>
  endLiveCall(deps, key, (call) =>
    call.node === null ? undialledEnd(call, 'NORMAL_TEMPORARY_FAILURE', deps.clock.now()) : undefined,
  );

/**
 * Locks the call and then its hold, as every transaction does; ends the call unless `endOf` returns undefined; notifies
 * the observer after commit. Returns true if the call was ended.
 */
async function endLiveCall(
  { db, observer }: EndDeps,
  { accountId, callId }: CallKey,
  endOf: (call: LiveCall) => CallEnd | undefined,
): Promise<boolean> {
  const ended = await inAccount(db, accountId, async (tx) => {
    const [call, hold] = await awaitPipelined(
      lockLiveCall(tx, accountId, callId),
      lockHold(tx, accountId, callId),
    );
    const end = call && endOf(call);
    return end && (await settle(tx, call, hold, end));
  });
  if (ended) observer.callEnded(ended);
  return ended !== undefined;
}

/** Ends a call that was not dialled, without notifying the observer. The caller must have locked it. */
export async function endQuietly(tx: Tx, call: LiveCall, hangupCause: string, at: Date): Promise<EndedCall> {
  const hold = await lockHold(tx, call.accountId, call.callId);
  return await settle(tx, call, hold, undialledEnd(call, hangupCause, at));
}

/** Returns the end from an engine report: the answer time plus the talk time measured on the node's clock. */
function reportedEnd(call: LiveCall, report: EngineEnd, reportedAt: Date): CallEnd {
  const end = { ...report, answeredOnNode: report.answeredOnNode ?? call.answeredOnNode };
  const ending = interpretEnd(call, end);
  if (end.answeredOnNode === null) {
    return { ...ending, answeredAt: null, endedAt: later(reportedAt, call.requestedAt) };
  }
  const talked = talkedMs(end.answeredOnNode, end.endedOnNode);
  const answeredAt = call.answeredAt ?? later(new Date(reportedAt.getTime() - talked), call.requestedAt);
  return { ...ending, answeredAt, endedAt: new Date(answeredAt.getTime() + talked) };
}

function lostEnd(call: LiveCall, lastAliveAt: Date): CallEnd {
  const endedAt = later(call.engineLostAt ?? lastAliveAt, call.answeredAt ?? call.requestedAt);
  return { ...lostEnding(call, endedAt), answeredAt: call.answeredAt, endedAt };
}

const undialledEnd = (call: LiveCall, hangupCause: string, at: Date): CallEnd => ({
  hangupCause,
  endedBy: 'system',
  seconds: 0,
  answeredAt: null,
  endedAt: later(at, call.requestedAt),
});

const later = (one: Date, other: Date): Date => (one > other ? one : other);

async function settle(tx: Tx, call: LiveCall, hold: Hold | undefined, end: CallEnd): Promise<EndedCall> {
  const { accountId, callId } = call;
  if (!hold) throw new Error(`No hold for call ${callId}.`);
  const settled = settleHold(tx, hold, { usedSeconds: end.seconds, at: end.endedAt });
  const {
    billedSeconds,
    pricePerMinuteMicros: minutePriceMicros,
    priceMicros: callPriceMicros,
  } = settled.result;
  await awaitPipelined(
    settled.written,
    finishCall(tx, call, { ...end, billedSeconds, minutePriceMicros, callPriceMicros }),
  );
  if (call.order.record && end.seconds > 0) {
    await expectRecording(tx, { accountId, callId, at: end.endedAt, node: call.node });
  }
  const { kind, node, requestedAt, claimedAt } = call;
  const { seconds: talkedSeconds, ...ended } = end;
  return { callId, kind, node, requestedAt, claimedAt, talkedSeconds, ...ended };
}
