import { secondsAfter } from '../../../platform/time.ts';
import {
  endLostCall,
  findCallsOfNode,
  firstLegId,
  type LiveCall,
  ownLeg,
  type RunningLeg,
} from '../../calls/index.ts';
import { adoptLegs } from '../legs/adopt-legs.ts';
import { endAt, readLegs } from '../legs/control-legs.ts';
import { followEvent } from '../legs/follow-event.ts';
import { channelsOf, type FollowedCall } from '../legs/followed-calls.ts';
import { areLifted } from '../legs/leg-steps.rules.ts';
import { limitCall } from '../legs/renew-calls.ts';
import { isComparisonDue } from './comparison.rules.ts';
import type { Control } from './control.ts';

/** A call claimed within this time may not be in the engine yet. */
const settlingSeconds = 5;
/** Detail records are shipped within this time. */
const shippingSeconds = 2;
/** A missing call is ended after this long if the shipper reports nothing. */
const missingTimeoutSeconds = 20;

/** Adopts the calls of the previous lease holder. */
export async function adoptCalls(control: Control): Promise<void> {
  for (const followed of control.calls.all()) adopt(control, followed);
  await reconcile(control);
}

/**
 * Resumes an adopted call. The previous lease holder may have died between an event and its write, so the answer is
 * read from the engine and the funding from the row.
 */
function adopt(control: Control, followed: FollowedCall): void {
  const { callId } = followed.call;
  control.calls.enqueue(callId, async () => {
    await adoptLegs(control, followed);
    if (followed.call.answeredOnNode !== null) return await limitCall(control, followed);
    const onNode = await control.node.answeredOnNode(firstLegId(followed.call));
    if (onNode !== null) followEvent(control, { kind: 'answered', callId, onNode });
  });
}

/**
 * Compares the engine's calls with the database if they may differ, and in any case once per minute. Listing the
 * channels and reading the rows costs as much as the node has calls, so it is not done every time.
 */
export async function reconcileIfDue(control: Control): Promise<void> {
  const { deps, calls, seenAt } = control;
  const now = deps.clock.now();
  const followed = calls.all();
  // The engine reports ends on the connection on which it has just responded.
  for (const each of followed) if (each.isConfirmed && !each.missingSince) each.aliveAt = seenAt;
  const isUncertain = followed.some(
    (each) =>
      each.missingSince !== undefined ||
      each.missingLegs.size > 0 ||
      (!each.isConfirmed && isSettled(each, now)),
  );
  if (isUncertain || isComparisonDue(control, now)) await reconcile(control);
}

/** Compares the engine's calls with the database. */
async function reconcile(control: Control): Promise<void> {
  const { deps, node, lease, calls } = control;
  const present = await node.legs();
  const now = deps.clock.now();
  for (const call of await findCallsOfNode(deps.db, lease.node)) {
    // Claimed by a lease holder that is being fenced, or by a claim whose response was lost.
    if (calls.get(call.callId)) continue;
    deps.observer.callReconciled('adopted');
    adopt(control, await follow(control, call));
  }
  for (const followed of calls.all()) {
    if (isPresent(followed, present.all)) {
      followed.aliveAt = now;
      followed.isConfirmed = true;
      followed.missingSince = undefined;
      endMissingLegs(control, followed, present.all, now);
    } else if (isSettled(followed, now)) {
      followed.missingSince ??= now;
      if (isGivenUp(control, followed.missingSince, now)) giveUp(control, followed);
    }
  }
  await endUnknownLegs(control, present.own);
  control.comparedAt = now;
}

async function follow(control: Control, call: LiveCall): Promise<FollowedCall> {
  const followed = control.calls.add(call, call.answeredAt ?? call.requestedAt);
  if (call.hasLegs) await readLegs(control, followed);
  return followed;
}

const running = ({ legs }: FollowedCall): RunningLeg[] => legs.filter(({ state }) => state !== 'ended');

/** After a command, a call is present while one of its legs is. */
const isPresent = (followed: FollowedCall, channels: Set<string>): boolean =>
  areLifted(running(followed))
    ? channelsOf(followed).some((leg) => channels.has(leg))
    : channels.has(firstLegId(followed.call));

/** A leg is missing for this long before its end is given up: a request to dial it may still be on its way. */
const missingLegSeconds = 5;

/** Ends legs that the engine no longer has and whose ends it has not reported. */
function endMissingLegs(control: Control, followed: FollowedCall, channels: Set<string>, now: Date): void {
  const legs = running(followed);
  if (!areLifted(legs)) return;
  for (const leg of legs) {
    const { letter, engineLeg, state } = leg;
    if (state === 'pending' || engineLeg === null || channels.has(engineLeg)) {
      followed.missingLegs.delete(letter);
      continue;
    }
    const since = followed.missingLegs.get(letter) ?? now;
    followed.missingLegs.set(letter, since);
    if (secondsAfter(since, missingLegSeconds) > now || !isGivenUp(control, since, now)) continue;
    control.deps.log.warn({ callId: leg.callId, letter, node: control.lease.node }, 'leg lost by its engine');
    control.calls.enqueue(leg.callId, () => endAt(control, followed, leg, undefined, since));
  }
}

const isSettled = ({ call }: FollowedCall, now: Date): boolean =>
  call.claimedAt !== null && call.claimedAt < secondsAfter(now, -settlingSeconds);

/**
 * Returns true when a missing call no longer waits for its detail record: the shipper has confirmed all records written
 * before the call disappeared, or has not done so within missingTimeoutSeconds.
 */
function isGivenUp({ recordsCompleteAt }: Control, missingSince: Date, now: Date): boolean {
  if (secondsAfter(missingSince, missingTimeoutSeconds) < now) return true;
  return recordsCompleteAt !== null && recordsCompleteAt > secondsAfter(missingSince, shippingSeconds);
}

function giveUp({ deps, calls, lease, noteDoubt }: Control, { call, aliveAt }: FollowedCall): void {
  calls.enqueue(call.callId, async () => {
    const isLost = await endLostCall(deps, call, aliveAt);
    if (isLost) {
      deps.log.warn({ callId: call.callId, node: lease.node }, 'call lost with its engine');
      deps.observer.callReconciled('engine_lost');
    }
    calls.remove(call.callId);
    noteDoubt();
  });
}

/** Hangs up channels of calls that have ended or do not exist. */
async function endUnknownLegs(control: Control, legs: Map<string, string>): Promise<void> {
  const { deps, node, calls, lease, trunkTests } = control;
  const knownLegs = new Set([...calls.all().flatMap(channelsOf), ...[...trunkTests].map(ownLeg)]);
  for (const [leg, name] of legs) {
    if (knownLegs.has(leg) || knownLegs.has(name)) continue;
    deps.log.warn({ leg, node: lease.node }, 'hung up a channel whose call has ended');
    control.noteDoubt();
    await node.hangUp(leg);
    deps.observer.callReconciled('stranger');
  }
}
