import { setTimeout as sleep } from 'node:timers/promises';
import { type EngineEnd, endCall, findLiveAmong } from '../../calls/index.ts';
import type { Control } from '../nodes/control.ts';
import { readAgain } from '../nodes/read-clock.ts';
import type { EngineEvent } from '../ports.ts';
import { followTest } from '../trunks/test-trunks.ts';
import { missingAtEnd } from './audio.rules.ts';
import { controlCall } from './control-legs.ts';
import { followLeg, followLegEnd } from './follow-leg.ts';
import type { FollowedCall } from './followed-calls.ts';
import { routeIncomingLeg } from './route-incoming-leg.ts';
import { writeSteps } from './write-steps.ts';

/** Records engine events in order. */
export function followEvent(control: Control, event: EngineEvent): void {
  if (followTest(control, event)) return;
  switch (event.kind) {
    case 'incoming':
      routeIncomingLeg(control, event.incoming);
      break;
    case 'rings-for':
      followRinging(control, event);
      break;
    case 'alerting':
      followAlerting(control, event);
      break;
    case 'gone':
      followGone(control, event);
      break;
    case 'ended':
      followEnd(control, event);
      break;
    case 'leg-ringing':
    case 'leg-placed':
      followLeg(control, event);
      break;
    case 'leg-ended':
      followLegEnd(control, event);
      break;
    case 'second-leg-counts':
      followCounts(control, event);
      break;
    case 'ringing':
    case 'dialing':
    case 'answered':
      followStep(control, event);
      break;
  }
}

type Of<Kind extends EngineEvent['kind']> = Extract<EngineEvent, { kind: Kind }>;

/**
 * Handles ringing of calls started by a phone or a carrier. Only internal and inbound calls, which ring an extension,
 * become `ringing`.
 */
function followRinging(control: Control, { leg, onNode }: Of<'rings-for'>): void {
  const call = control.calls.ofLeg(leg)?.call;
  if (!call) return;
  const { callId, kind } = call;
  if (kind === 'dialled') followAlerting(control, { kind: 'alerting', callId, onNode });
  if (kind === 'internal' || kind === 'inbound') followStep(control, { kind: 'ringing', callId, onNode });
}

/** Publishes that the destination rings, after the steps that were reported earlier. */
function followAlerting({ deps, calls, clock }: Control, { callId, onNode }: Of<'alerting'>): void {
  const followed = calls.get(callId);
  if (!followed) return;
  const progress = { callId, state: 'alerting', at: clock.toOurs(onNode) } as const;
  calls.enqueue(callId, async () => deps.publishProgress(followed.call.accountId, progress));
}

/** Handles legs that ended before the routing decision arrived: the caller hung up, or the decision was too late. */
function followGone(control: Control, { leg, end }: Of<'gone'>): void {
  const waiting = control.pendingLegs.get(leg);
  if (waiting) waiting.end = end;
  const call = control.calls.ofLeg(leg)?.call;
  if (call) followEnd(control, { kind: 'ended', callId: call.callId, end });
}

/** Queues a step. Steps that arrive while an earlier one is being written are written together. */
function followStep(control: Control, event: Of<'ringing' | 'dialing' | 'answered'>): void {
  const { calls, clock } = control;
  const { callId, kind: to, onNode } = event;
  const followed = calls.get(callId);
  if (!followed) return;
  followed.isConfirmed = true;
  followed.pendingSteps.push({
    to,
    at: clock.toOurs(onNode),
    onNode,
    isDoubtful: clock.isDoubtful(onNode),
  });
  calls.enqueue(callId, () => writeSteps(control, followed));
}

/**
 * Ends a call. A call that this process does not follow may still be open, so it is looked up before its end is
 * discarded.
 */
function followEnd(control: Control, { callId, end }: Of<'ended'>): void {
  const { deps, lease, calls, clock } = control;
  const isDoubtful = clock.isDoubtful(end.endedOnNode);
  calls.enqueue(callId, async () => {
    if (isDoubtful) await readAgain(control);
    const followed = calls.get(callId);
    const [call] = followed ? [followed.call] : await findLiveAmong(deps.db, lease.node, [callId]);
    if (!call) return;
    const endedAt = clock.toOurs(end.endedOnNode);
    const isEnded = await endCall(deps, call, followed ? await withLegs(followed, end) : end, endedAt);
    // Only a leg has ended if the call has had a command.
    const isLive = !isEnded && (await findLiveAmong(deps.db, lease.node, [callId])).length > 0;
    if (isLive && followed) controlCall(control, followed);
    else calls.remove(callId);
  });
}

function followCounts({ calls }: Control, { callId, counts }: Of<'second-leg-counts'>): void {
  const followed = calls.get(callId);
  if (followed) followed.secondLeg = counts;
}

/** Both legs of a call end within milliseconds of each other. Without this report, the call has no counts of that leg. */
const legWaitMs = 200;
const legPollMs = 5;

/** Adds what is known of the legs to the end of an answered call, after a short wait for the end of the dialled leg. */
async function withLegs(followed: FollowedCall, end: EngineEnd): Promise<EngineEnd> {
  if (!end.legs?.first || followed.call.kind === 'code') return end;
  for (let waitedMs = 0; waitedMs < legWaitMs && !followed.secondLeg; waitedMs += legPollMs)
    await sleep(legPollMs);
  const missing = followed.audio ? missingAtEnd(followed.audio) : [];
  return { ...end, legs: { ...end.legs, second: followed.secondLeg }, missing };
}
