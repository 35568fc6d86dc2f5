import { setTimeout as sleep } from 'node:timers/promises';
import {
  claimLeg,
  endLeg,
  findLegsOfCall,
  findLiveAmong,
  findWantedLegs,
  firstLegId,
  type LegEnd,
  type LegReport,
  type RunningLeg,
  reportLegs,
} from '../../calls/index.ts';
import type { Control } from '../nodes/control.ts';
import { dialLeg } from './dial-leg.ts';
import type { FollowedCall } from './followed-calls.ts';
import { type LegStep, stepsFor } from './leg-steps.rules.ts';
import { isPriced } from './limit-legs.rules.ts';
import { limitLegs } from './limit-legs.ts';

/** A move that the engine has not reported is requested again after this time. */
const repeatMoveMs = 2_000;

/** Carries out the commands of calls whose legs are not as wanted. */
export async function controlCalls(control: Control): Promise<void> {
  const wanted = await findWantedLegs(control.deps.db, control.lease.node);
  for (const callId of new Set(wanted.map((leg) => leg.callId))) {
    const followed = control.calls.get(callId);
    if (followed) controlCall(control, followed);
  }
}

/** Queues the commands of a call, unless they are queued already. */
export function controlCall(control: Control, followed: FollowedCall): void {
  if (followed.isControlQueued) return;
  followed.isControlQueued = true;
  control.calls.enqueue(followed.call.callId, async () => {
    followed.isControlQueued = false;
    await carryOut(control, followed);
  });
}

/**
 * Brings the legs of a call to where they are wanted. What the engine refuses or does not confirm is tried again in the
 * next poll; what it reports leads here again.
 */
export async function carryOut(control: Control, followed: FollowedCall): Promise<void> {
  const { deps, lease } = control;
  const { callId, order } = followed.call;
  await readLegs(control, followed);
  const recording = order.record ? { by: followed.recordedBy } : undefined;
  for (const step of stepsFor(followed.legs, recording)) {
    await take(control, followed, step).catch((err: unknown) => {
      control.noteDoubt();
      deps.log.warn({ err, callId, step: step.what, node: lease.node }, 'call command failed; retrying');
    });
  }
}

/** Reads the legs of a call that has had a command. */
export async function readLegs({ deps }: Control, followed: FollowedCall): Promise<void> {
  followed.legs = await findLegsOfCall(deps.db, followed.call.callId);
}

async function take(control: Control, followed: FollowedCall, step: LegStep): Promise<void> {
  const { node } = control;
  const { callId } = followed.call;
  switch (step.what) {
    case 'lift':
      return await lift(control, followed, step);
    case 'mute':
      return await mute(control, followed, step.leg);
    case 'move':
      return await move(control, followed, step);
    case 'dial':
      return await dial(control, followed, step.leg);
    case 'drop':
      return await drop(control, followed, step.leg);
    case 'record':
      return await record(control, followed, step.leg);
    case 'hang-up':
      return await node.hangUp(step.leg.engineLeg ?? `${callId}.${step.leg.letter}`);
  }
}

async function lift(
  control: Control,
  followed: FollowedCall,
  { second, to }: Extract<LegStep, { what: 'lift' }>,
): Promise<void> {
  const first = firstLegId(followed.call);
  const dialled = await channelOf(control, followed, second);
  if (dialled === null) return;
  await control.node.lift({ callId: followed.call.callId, first, second: dialled, to });
}

async function mute(control: Control, followed: FollowedCall, leg: RunningLeg): Promise<void> {
  const channel = await channelOf(control, followed, leg);
  if (channel === null) return;
  await control.node.mute(channel, leg.wantsMute);
  await report(control, followed, [
    { kind: 'muted', legId: leg.id, isMuted: leg.wantsMute, at: control.deps.clock.now() },
  ]);
}

/** Returns the channel of a leg. That of the destination is known to the engine only, and written before its first use. */
async function channelOf(control: Control, followed: FollowedCall, leg: RunningLeg): Promise<string | null> {
  if (leg.engineLeg !== null) return leg.engineLeg;
  const engineLeg = await control.node.dialledLeg(firstLegId(followed.call));
  if (engineLeg === null || engineLeg === '') return null;
  await report(control, followed, [
    { kind: 'engine-leg', legId: leg.id, engineLeg, at: control.deps.clock.now() },
  ]);
  return engineLeg;
}

async function move(
  { node }: Control,
  followed: FollowedCall,
  { leg, to }: Extract<LegStep, { what: 'move' }>,
): Promise<void> {
  if (leg.engineLeg === null) return;
  const last = followed.moves.get(leg.letter);
  const now = performance.now();
  if (last?.to === to && now - last.atMs < repeatMoveMs) return;
  followed.moves.set(leg.letter, { to, atMs: now });
  await node.move(followed.call.callId, leg.engineLeg, to);
}

/** Dials a leg. Claimed before, so that it is dialled once; if the engine refuses, the leg has ended. */
async function dial(control: Control, followed: FollowedCall, leg: RunningLeg): Promise<void> {
  const { deps, lease } = control;
  if (!(await claimLeg(deps.db, lease, leg.id, deps.clock.now()))) {
    // It was not dialled in time, or its call is being ended.
    const [current] = (await findLegsOfCall(deps.db, leg.callId)).filter(({ id }) => id === leg.id);
    if (current?.state === 'pending') await endAt(control, followed, current);
    return;
  }
  leg.engineLeg = `${leg.callId}.${leg.letter}`;
  // An extension whose owner does not take calls is not rung.
  const isTaken = leg.order?.unavailability === undefined && (await dialLeg(control, followed, leg));
  if (!isTaken) await endAt(control, followed, leg);
}

const cancelled = { cause: 16, sipStatus: 487 };
const temporaryFailure = { cause: 41, sipStatus: null };

const drop = (control: Control, followed: FollowedCall, leg: RunningLeg): Promise<void> =>
  endAt(control, followed, leg, cancelled);

/** Ends a leg that the engine does not have, as of now or of the time given. */
export async function endAt(
  control: Control,
  followed: FollowedCall,
  { letter, answeredOnNode }: RunningLeg,
  how: Pick<LegEnd, 'cause' | 'sipStatus'> = temporaryFailure,
  at: Date = control.deps.clock.now(),
): Promise<void> {
  const end = { endedOnNode: control.clock.toNode(at), answeredOnNode, endedBy: null, ...how };
  await writeLegEnd(control, followed.call.callId, letter, end, at);
}

/** Writes the end of a leg, after which others may have to be moved or to end as well. */
export async function writeLegEnd(
  control: Control,
  callId: string,
  letter: string,
  end: LegEnd,
  endedAt: Date,
): Promise<void> {
  const { deps, lease, calls } = control;
  const outcome = await endLeg(deps, lease.node, { callId, leg: { letter }, end, endedAt });
  const followed = calls.get(callId);
  if (!followed) return;
  followed.missingLegs.delete(letter);
  const ended = followed.legs.find((leg) => leg.letter === letter);
  const isOver =
    outcome === 'last' ||
    (outcome === 'unknown' && (await findLiveAmong(deps.db, lease.node, [callId])).length === 0);
  if (isOver) return calls.remove(callId);
  controlCall(control, followed);
  // Legs that are free had the limit of the longest of the others.
  if (ended && isPriced(ended))
    calls.enqueue(callId, async () => {
      await readLegs(control, followed);
      await limitLegs(control, followed);
    });
}

const closingMs = 100;

/**
 * Lets a leg continue the file, after the recorder that has ended has closed it. A leg that is in the room already enters
 * it again.
 */
async function record({ node }: Control, followed: FollowedCall, leg: RunningLeg): Promise<void> {
  const { engineLeg, letter, callId } = leg;
  if (engineLeg === null) return;
  const before = await node.stateOf(engineLeg);
  if (before && !before.records) {
    await sleep(closingMs);
    await node.recordWith(engineLeg);
    const after = await node.stateOf(engineLeg);
    if (after?.place === 'room' && !after.records) await node.move(callId, engineLeg, 'room');
  }
  followed.recordedBy = letter;
}

/** Writes reports of the engine, and notes them. */
export async function report(control: Control, followed: FollowedCall, reports: LegReport[]): Promise<void> {
  if (reports.length === 0) return;
  await reportLegs(control.deps.db, control.lease, reports);
  // What was reported may lead to further commands.
  controlCall(control, followed);
}
