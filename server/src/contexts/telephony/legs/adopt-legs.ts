import { firstLegId, type LegReport, type RunningLeg, reportLegs } from '../../calls/index.ts';
import type { Control } from '../nodes/control.ts';
import type { LegState } from '../ports.ts';
import { controlCall, readLegs } from './control-legs.ts';
import type { FollowedCall } from './followed-calls.ts';

/**
 * Resumes the legs of an adopted call. The previous lease holder may have died between an event and its write, so places
 * and answers are read from the engine.
 */
export async function adoptLegs(control: Control, followed: FollowedCall): Promise<void> {
  const { deps, lease } = control;
  if (!followed.call.hasLegs) return;
  await readLegs(control, followed);
  const reports: LegReport[] = [];
  for (const leg of followed.legs.filter(isInEngine))
    reports.push(...(await reportsOf(control, followed, leg)));
  if (reports.length > 0) {
    await reportLegs(deps.db, lease, reports);
    await readLegs(control, followed);
  }
  controlCall(control, followed);
}

const isInEngine = ({ state }: RunningLeg): boolean => state !== 'ended' && state !== 'pending';

async function reportsOf(
  { node, deps, clock }: Control,
  { call }: FollowedCall,
  leg: RunningLeg,
): Promise<LegReport[]> {
  const engineLeg = leg.engineLeg ?? (await node.dialledLeg(firstLegId(call)));
  if (engineLeg === null || engineLeg === '') return [];
  const found = await node.stateOf(engineLeg);
  if (!found) return [];
  const at = deps.clock.now();
  const { id: legId } = leg;
  const reports: LegReport[] = leg.engineLeg === null ? [{ kind: 'engine-leg', legId, engineLeg, at }] : [];
  if (leg.state !== 'answered') reports.push(...progressOf(leg, found, at, clock.toNode(at), clock.toOurs));
  if (found.place !== null && found.place !== leg.place)
    reports.push({ kind: 'placed', legId, place: found.place, at, onNode: clock.toNode(at) });
  return reports;
}

function progressOf(
  { id: legId, state }: RunningLeg,
  { answeredOnNode: onNode, isRinging }: LegState,
  at: Date,
  atOnNode: number,
  toOurs: (onNode: number) => Date,
): LegReport[] {
  if (onNode !== null) return [{ kind: 'answered', legId, at: toOurs(onNode), onNode }];
  return isRinging && state === 'dialling' ? [{ kind: 'ringing', legId, at, onNode: atOnNode }] : [];
}
