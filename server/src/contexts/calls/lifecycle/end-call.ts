import type { Tx } from '../../../platform/db/database.ts';
import type { EngineEnd, LiveCall } from '../call.ts';
import { endLegsInDial, endLostLegs, type LegOutcome } from '../control/end-leg.ts';
import type { EndedCall } from '../observer.ts';
import { correctEnd, interpretEnd, lostEnding, talkedMs } from './end.rules.ts';
import { type CallEnd, writeEnd, writeEndIn } from './end-call.store.ts';
import type { EndDeps } from './end-deps.ts';
import { findLiveCall } from './live-call.store.ts';
import { qualityOf } from './quality.rules.ts';

/** The call, or its key if only that is known. */
type CallKey = LiveCall | (Pick<LiveCall, 'accountId' | 'callId'> & { state?: never });

/** Ends a call from an engine report. Idempotent: events, detail records and the reconciler may all report the same end. */
export const endCall = (deps: EndDeps, key: CallKey, end: EngineEnd, endedAt: Date): Promise<boolean> =>
  endLiveCall(
    deps,
    key,
    (call) => reportedEnd(call, end, endedAt),
    (call) => endLegsInDial(deps, call, end, endedAt),
  );

/** Ends a call whose engine can no longer report its end. */
export const endLostCall = (deps: EndDeps, key: CallKey, lastAliveAt: Date): Promise<boolean> =>
  endLiveCall(
    deps,
    key,
    (call) => lostEnd(call, lastAliveAt),
    (call) => endLostLegs(deps, call, lastAliveAt),
  );

/** Ends a call that was not dialled. */
export const endUndialledCall = (deps: EndDeps, key: CallKey, hangupCause: string): Promise<boolean> =>
  endLiveCall(deps, key, (call) => undialledEnd(call, hangupCause, deps.clock.now()), answeredBefore);

/** Ends a call that no node claimed in time. Does nothing if a node has claimed it by now. */
export const endUnclaimedCall = (deps: EndDeps, key: CallKey): Promise<boolean> =>
  endLiveCall(
    deps,
    key,
    (call) =>
      call.node === null ? undialledEnd(call, 'NORMAL_TEMPORARY_FAILURE', deps.clock.now()) : undefined,
    answeredBefore,
  );

/** A call with legs was answered, so it was dialled. */
const answeredBefore = async (): Promise<LegOutcome> => 'unknown';

/** Each repetition means that the call has advanced, was extended or was asked to end in between. */
const maxAttempts = 10;

/**
 * Ends the call unless `endOf` returns undefined, or its legs if it has had a command, and notifies the observer after commit. The end is computed from the
 * live call as the caller knows it; if that has changed, it is read and the end computed again. Returns true if the call
 * was ended.
 */
async function endLiveCall(
  { db, observer }: EndDeps,
  key: CallKey,
  endOf: (call: LiveCall) => CallEnd | undefined,
  endLegsOf: (call: LiveCall) => Promise<LegOutcome>,
): Promise<boolean> {
  let call = key.state === undefined ? await findLiveCall(db, key) : key;
  for (let attempt = 0; call && attempt < maxAttempts; attempt += 1) {
    if (call.hasLegs) return (await endLegsOf(call)) === 'last';
    const end = endOf(call);
    if (!end) return false;
    if (await writeEnd(db, call, end)) {
      observer.callEnded(endedCall(call, end));
      return true;
    }
    call = await findLiveCall(db, key);
  }
  if (call) throw new Error(`Call ${call.callId} changed ${maxAttempts} times while it was being ended.`);
  return false;
}

/** Ends a call that was not dialled, without notifying the observer. The caller must have locked it. */
export async function endQuietly(tx: Tx, call: LiveCall, hangupCause: string, at: Date): Promise<EndedCall> {
  const end = undialledEnd(call, hangupCause, at);
  if (!(await writeEndIn(tx, call, end))) throw new Error(`Call ${call.callId} is not locked.`);
  return endedCall(call, end);
}

/** Returns the end from an engine report: the answer time plus the talk time measured on the node's clock. */
function reportedEnd(call: LiveCall, report: EngineEnd, reportedAt: Date): CallEnd {
  const answeredOnNode = report.answeredOnNode ?? call.answeredOnNode;
  const end = correctEnd(call, { ...report, answeredOnNode }, reportedAt);
  const ending = interpretEnd(call, end);
  if (end.answeredOnNode === null) {
    return { ...ending, answeredAt: null, endedAt: later(reportedAt, call.requestedAt) };
  }
  const talked = talkedMs(end.answeredOnNode, end.endedOnNode);
  const answeredAt = call.answeredAt ?? later(new Date(reportedAt.getTime() - talked), call.requestedAt);
  const quality = qualityOf(call, end, talked / 1_000);
  return { ...ending, answeredAt, endedAt: new Date(answeredAt.getTime() + talked), quality };
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

function endedCall({ callId, kind, node, requestedAt, claimedAt }: LiveCall, end: CallEnd): EndedCall {
  const { seconds: talkedSeconds, quality: _, ...ended } = end;
  return { callId, kind, node, requestedAt, claimedAt, talkedSeconds, ...ended };
}
