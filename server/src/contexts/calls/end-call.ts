import { type Database, inAccount, type Tx } from '../../platform/db/database.ts';
import { together } from '../../platform/db/together.ts';
import type { Clock } from '../../platform/time.ts';
import { type Hold, lockHold, settleHold } from '../billing/index.ts';
import { expectRecording } from '../recordings/index.ts';
import { type Finish, finishCall } from './call.store.ts';
import type { EngineEnd, LiveCall } from './call.ts';
import { type Ending, judgeEnd, lostEnding, talkedMs } from './end.rules.ts';
import { lockLiveCall } from './live-call.store.ts';

export interface EndDeps {
  db: Database;
  clock: Clock;
}

/** Ends a call as its engine told. Told again, by an event, a record or a reconciler, nothing happens. */
export async function endCall(
  deps: EndDeps,
  { accountId, callId }: Pick<LiveCall, 'accountId' | 'callId'>,
  end: EngineEnd,
  endedAt: Date,
): Promise<boolean> {
  return await inAccount(deps.db, accountId, async (tx) => {
    const { call, hold } = await lockCall(tx, accountId, callId);
    if (!call) return false;
    const known = { ...end, answeredOnNode: end.answeredOnNode ?? call.answeredOnNode };
    await settle(tx, call, hold, judgeEnd(call, known), timesOf(call, known, endedAt));
    return true;
  });
}

/** Ends a call of which no engine will tell any more. */
export async function endLostCall(
  deps: EndDeps,
  { accountId, callId }: Pick<LiveCall, 'accountId' | 'callId'>,
  lastAliveAt: Date,
): Promise<boolean> {
  return await inAccount(deps.db, accountId, async (tx) => {
    const { call, hold } = await lockCall(tx, accountId, callId);
    if (!call) return false;
    const endedAt = later(call.engineLostAt ?? lastAliveAt, call.answeredAt ?? call.requestedAt);
    await settle(tx, call, hold, lostEnding(call, endedAt), { answeredAt: call.answeredAt, endedAt });
    return true;
  });
}

/** Ends a call for which nothing was dialled, and nothing will be. */
export async function endUndialledCall(
  deps: EndDeps,
  { accountId, callId }: Pick<LiveCall, 'accountId' | 'callId'>,
  hangupCause: string,
): Promise<boolean> {
  return await inAccount(deps.db, accountId, async (tx) => {
    const call = await lockLiveCall(tx, accountId, callId);
    if (call) await endQuietly(tx, call, hangupCause, deps.clock.now());
    return call !== undefined;
  });
}

/** Ends a call that no node took in time; one that was taken meanwhile is its node's. */
export async function endUnclaimedCall(
  deps: EndDeps,
  { accountId, callId }: Pick<LiveCall, 'accountId' | 'callId'>,
): Promise<void> {
  await inAccount(deps.db, accountId, async (tx) => {
    const call = await lockLiveCall(tx, accountId, callId);
    if (call?.node === null) await endQuietly(tx, call, 'NORMAL_TEMPORARY_FAILURE', deps.clock.now());
  });
}

/** Ends a call that nobody dialled, for whoever has locked it already. */
export async function endQuietly(tx: Tx, call: LiveCall, hangupCause: string, at: Date): Promise<void> {
  const endedAt = later(at, call.requestedAt);
  const hold = await lockHold(tx, call.accountId, call.callId);
  await settle(tx, call, hold, { hangupCause, endedBy: 'system', seconds: 0 }, { answeredAt: null, endedAt });
}

type Times = Pick<Finish, 'answeredAt' | 'endedAt'>;

/** The answer is the anchor; the end follows it by what the node's clock counted. */
function timesOf(call: LiveCall, end: EngineEnd, endedAt: Date): Times {
  if (end.answeredOnNode === null) return { answeredAt: null, endedAt: later(endedAt, call.requestedAt) };
  const talked = talkedMs(end.answeredOnNode, end.endedOnNode);
  const answeredAt = call.answeredAt ?? later(new Date(endedAt.getTime() - talked), call.requestedAt);
  return { answeredAt, endedAt: new Date(answeredAt.getTime() + talked) };
}

const later = (one: Date, other: Date): Date => (one > other ? one : other);

/** The call first, then its hold, as everybody does. */
async function lockCall(
  tx: Tx,
  accountId: number,
  callId: string,
): Promise<{ call: LiveCall | undefined; hold: Hold | undefined }> {
  const [call, hold] = await together(lockLiveCall(tx, accountId, callId), lockHold(tx, accountId, callId));
  return { call, hold };
}

async function settle(
  tx: Tx,
  call: LiveCall,
  hold: Hold | undefined,
  ending: Ending,
  times: Times,
): Promise<void> {
  const { accountId, callId } = call;
  if (!hold) throw new Error(`There is no hold for the call ${callId}.`);
  const settled = settleHold(tx, hold, { usedSeconds: ending.seconds, at: times.endedAt });
  const finished = finishCall(tx, call, {
    ...ending,
    ...times,
    billedSeconds: settled.billedSeconds,
    minutePriceMicros: settled.pricePerMinuteMicros,
    callPriceMicros: settled.priceMicros,
  });
  await together(settled.written, finished);
  if (call.order.record && ending.seconds > 0) {
    await expectRecording(tx, { accountId, callId, at: times.endedAt, node: call.node });
  }
}
