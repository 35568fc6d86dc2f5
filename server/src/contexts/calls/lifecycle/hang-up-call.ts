import type { Caller } from '../../../platform/caller.ts';
import { type Database, inAccount, type Tx } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { Clock } from '../../../platform/time.ts';
import type { WakeVoice } from '../call.ts';
import { findControllable } from '../control/find-controllable.ts';
import type { CallObserver, EndedCall } from '../observer.ts';
import { endQuietly } from './end-call.ts';
import { lockLiveCall, lockLiveCallIds, saveHangupAsked } from './live-call.store.ts';

export interface HangUpDeps {
  db: Database;
  clock: Clock;
  wakeVoice: WakeVoice;
  observer: CallObserver;
}

export interface HangUpOutcome {
  callId: string;
  /** False while the engine still has to end the call. */
  isEnded: boolean;
  /** Set if this request ended the call. */
  ended?: EndedCall;
  /** The node that has to end the call. */
  node?: string;
}

/** Ends a call, by its id or by the id that `POST /dialer` returned. */
export async function hangUpCall(deps: HangUpDeps, caller: Caller, id: string): Promise<HangUpOutcome> {
  if (!isUuid(id)) throw notFound();
  const outcome: HangUpOutcome = await inAccount(deps.db, caller.accountId, async (tx) => {
    const call = await findControllable(tx, caller, id);
    const { callId } = call;
    if (call.isEnded) return { callId, isEnded: true };
    return { callId, ...(await requestEnd(tx, caller.accountId, callId, deps.clock.now())) };
  });
  if (outcome.ended) deps.observer.callEnded(outcome.ended);
  if (!outcome.isEnded) deps.wakeVoice('hangup', outcome.node);
  return outcome;
}

/** Ends every live call of an account, in the transaction that blocks it. */
export async function endCallsOfAccount(tx: Tx, accountId: number, at: Date): Promise<void> {
  await endCalls(tx, accountId, await lockLiveCallIds(tx, accountId), at);
}

/** Ends those of the calls that are still live. */
export async function endCalls(tx: Tx, accountId: number, ids: string[], at: Date): Promise<void> {
  for (const callId of ids.toSorted()) await requestEnd(tx, accountId, callId, at);
}

/** Ends an unclaimed call, or asks the node of a claimed one to end it. */
async function requestEnd(
  tx: Tx,
  accountId: number,
  callId: string,
  at: Date,
): Promise<Omit<HangUpOutcome, 'callId'>> {
  const call = await lockLiveCall(tx, accountId, callId);
  if (!call) return { isEnded: true };
  if (call.node !== null) {
    await saveHangupAsked(tx, call, at);
    return { isEnded: false, node: call.node };
  }
  return { isEnded: true, ended: await endQuietly(tx, call, 'ORIGINATOR_CANCEL', at) };
}
