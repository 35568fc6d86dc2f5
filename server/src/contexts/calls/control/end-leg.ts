import type { EndedBy, EngineEnd, LiveCall } from '../call.ts';
import type { EndDeps } from '../lifecycle/end-deps.ts';
import { findLiveCall } from '../lifecycle/live-call.store.ts';
import { findLegsOfCall } from './leg.store.ts';
import type { LegEnd, RunningLeg } from './leg.ts';
import { endInDial, type LegEnding, lostLegEnd, reportedLegEnd, undialledLegEnd } from './leg-end.rules.ts';
import { writeLegEnds } from './leg-end.store.ts';

/** `unknown` if the leg has ended before or its call has no legs, `last` if the call ended with it. */
export type LegOutcome = 'unknown' | 'leg' | 'last';

export interface ReportedLegEnd {
  callId: string;
  /** The letter of the leg, or its channel id. */
  leg: { letter: string } | { engineLeg: string };
  end: LegEnd;
  endedAt: Date;
}

/**
 * Ends one leg of a call that has had a command, from a report of its node. Idempotent: events, detail records and the
 * reconciler may all report the same end.
 */
export async function endLeg(
  deps: EndDeps,
  node: string,
  { callId, leg, end, endedAt }: ReportedLegEnd,
): Promise<LegOutcome> {
  const isReported = (each: RunningLeg): boolean =>
    each.node === node && ('letter' in leg ? each.letter === leg.letter : each.engineLeg === leg.engineLeg);
  return await endLegs(deps, { callId }, (call, legs) =>
    legs.filter(isReported).map((each) => reportedLegEnd(call, each, end, endedAt)),
  );
}

/**
 * Ends the legs that are in the `Dial` of their call, and those that were to be dialled after it, from the engine's report
 * of the call's end. Once the call was lifted out of it, only its first leg was meant.
 */
export async function endLegsInDial(
  deps: EndDeps,
  call: LiveCall,
  end: EngineEnd,
  endedAt: Date,
): Promise<LegOutcome> {
  return await endLegs(deps, call, (current, legs) => {
    const isInDial = legs.some(({ place }) => place === 'dial');
    return legs.flatMap((leg) => {
      if (leg.place === 'dial' || leg.letter === 'a') return [endInDial(current, leg, end, endedAt)];
      return isInDial && leg.state === 'pending' ? [undialledLegEnd(leg, endedAt)] : [];
    });
  });
}

/** Ends all legs of a call whose engine can no longer report their ends. */
export const endLostLegs = (deps: EndDeps, call: LiveCall, lastAliveAt: Date): Promise<LegOutcome> =>
  endLegs(deps, call, (current, legs) => legs.map((leg) => lostLegEnd(current, leg, lastAliveAt)));

/** Each repetition means that a leg has answered, was extended or was asked to end in between. */
const maxAttempts = 10;

async function endLegs(
  { db, observer }: EndDeps,
  { callId }: Pick<LiveCall, 'callId'>,
  endingsOf: (call: LiveCall, legs: RunningLeg[]) => LegEnding[],
): Promise<LegOutcome> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const legs = await findLegsOfCall(db, callId);
    const running = legs.filter(({ state }) => state !== 'ended');
    const call = legs[0] && (await findLiveCall(db, legs[0]));
    if (!call) return 'unknown';
    const endings = endingsOf(call, running);
    if (endings.length === 0) return 'unknown';
    const written = await writeLegEnds(db, call, endings);
    if (written.outcome === 'changed') continue;
    if (written.outcome === 'last') observer.callEnded(endedCall(call, written));
    return written.outcome;
  }
  throw new Error(`Call ${callId} changed ${maxAttempts} times while a leg was being ended.`);
}

function endedCall(
  { callId, kind, node, requestedAt, claimedAt, answeredAt }: LiveCall,
  end: { hangupCause: string; endedBy: EndedBy; seconds: number; endedAt: Date },
) {
  const { hangupCause, endedBy, seconds: talkedSeconds, endedAt } = end;
  return {
    callId,
    kind,
    node,
    requestedAt,
    claimedAt,
    answeredAt,
    hangupCause,
    endedBy,
    talkedSeconds,
    endedAt,
  };
}
