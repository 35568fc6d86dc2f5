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

/** Ends a call from an engine report. Idempotent: events, detail records and the reconciler may all report the same end. */
export async function endCall(
  deps: EndDeps,
  { accountId, callId }: Pick<LiveCall, 'accountId' | 'callId'>,
  end: EngineEnd,
  endedAt: Date,
): Promise<boolean> {
  return await ending(deps, accountId, async (tx) => {
    const { call, hold } = await lockCall(tx, accountId, callId);
    if (!call) return undefined;
    const report = { ...end, answeredOnNode: end.answeredOnNode ?? call.answeredOnNode };
    return await settle(tx, call, hold, interpretEnd(call, report), timesOf(call, report, endedAt));
  });
}

/** Ends a call whose engine can no longer report its end. */
export async function endLostCall(
  deps: EndDeps,
  { accountId, callId }: Pick<LiveCall, 'accountId' | 'callId'>,
  lastAliveAt: Date,
): Promise<boolean> {
  return await ending(deps, accountId, async (tx) => {
    const { call, hold } = await lockCall(tx, accountId, callId);
    if (!call) return undefined;
    const endedAt = later(call.engineLostAt ?? lastAliveAt, call.answeredAt ?? call.requestedAt);
    return await settle(tx, call, hold, lostEnding(call, endedAt), { answeredAt: call.answeredAt, endedAt });
  });
}

/** Ends a call that was not dialled. */
export async function endUndialledCall(
  deps: EndDeps,
  { accountId, callId }: Pick<LiveCall, 'accountId' | 'callId'>,
  hangupCause: string,
): Promise<boolean> {
  return await ending(deps, accountId, async (tx) => {
    const call = await lockLiveCall(tx, accountId, callId);
    return call && (await endQuietly(tx, call, hangupCause, deps.clock.now()));
  });
}

/** Ends a call that no node claimed in time. Leaves it alone if a node has claimed it meanwhile. */
export async function endUnclaimedCall(
  deps: EndDeps,
  { accountId, callId }: Pick<LiveCall, 'accountId' | 'callId'>,
): Promise<boolean> {
  return await ending(deps, accountId, async (tx) => {
    const call = await lockLiveCall(tx, accountId, callId);
    if (call?.node !== null) return undefined;
    return await endQuietly(tx, call, 'NORMAL_TEMPORARY_FAILURE', deps.clock.now());
  });
}

/** Runs `end` in a transaction and notifies the observer after commit. Returns true if a call was ended. */
async function ending(
  { db, observer }: EndDeps,
  accountId: number,
  end: (tx: Tx) => Promise<EndedCall | undefined>,
): Promise<boolean> {
  const ended = await inAccount(db, accountId, end);
  if (ended) observer.callEnded(ended);
  return ended !== undefined;
}

/** Ends a call that was not dialled and that the caller has locked. */
export async function endQuietly(tx: Tx, call: LiveCall, hangupCause: string, at: Date): Promise<EndedCall> {
  const endedAt = later(at, call.requestedAt);
  const hold = await lockHold(tx, call.accountId, call.callId);
  const ending: Ending = { hangupCause, endedBy: 'system', seconds: 0 };
  return await settle(tx, call, hold, ending, { answeredAt: null, endedAt });
}

type Times = Pick<Finish, 'answeredAt' | 'endedAt'>;

/** The end time is the answer time plus the talk time measured on the node's clock. */
function timesOf(call: LiveCall, end: EngineEnd, endedAt: Date): Times {
  if (end.answeredOnNode === null) return { answeredAt: null, endedAt: later(endedAt, call.requestedAt) };
  const talked = talkedMs(end.answeredOnNode, end.endedOnNode);
  const answeredAt = call.answeredAt ?? later(new Date(endedAt.getTime() - talked), call.requestedAt);
  return { answeredAt, endedAt: new Date(answeredAt.getTime() + talked) };
}

const later = (one: Date, other: Date): Date => (one > other ? one : other);

/** Locks the call, then its hold: the lock order of every transaction. */
async function lockCall(
  tx: Tx,
  accountId: number,
  callId: string,
): Promise<{ call: LiveCall | undefined; hold: Hold | undefined }> {
  const [call, hold] = await awaitPipelined(
    lockLiveCall(tx, accountId, callId),
    lockHold(tx, accountId, callId),
  );
  return { call, hold };
}

async function settle(
  tx: Tx,
  call: LiveCall,
  hold: Hold | undefined,
  ending: Ending,
  times: Times,
): Promise<EndedCall> {
  const { accountId, callId } = call;
  if (!hold) throw new Error(`No hold for call ${callId}.`);
  const settled = settleHold(tx, hold, { usedSeconds: ending.seconds, at: times.endedAt });
  const finished = finishCall(tx, call, {
    ...ending,
    ...times,
    billedSeconds: settled.billedSeconds,
    minutePriceMicros: settled.pricePerMinuteMicros,
    callPriceMicros: settled.priceMicros,
  });
  await awaitPipelined(settled.written, finished);
  if (call.order.record && ending.seconds > 0) {
    await expectRecording(tx, { accountId, callId, at: times.endedAt, node: call.node });
  }
  const { kind, node, requestedAt, claimedAt } = call;
  const { hangupCause, endedBy, seconds: talkedSeconds } = ending;
  return { callId, kind, node, requestedAt, claimedAt, hangupCause, endedBy, talkedSeconds, ...times };
}
