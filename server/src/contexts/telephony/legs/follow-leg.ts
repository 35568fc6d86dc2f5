import { type LegReport, type RunningLeg, reportLegs } from '../../calls/index.ts';
import type { Control } from '../nodes/control.ts';
import { readAgain } from '../nodes/read-clock.ts';
import type { EngineEvent } from '../ports.ts';
import { carryOut, readLegs, writeLegEnd } from './control-legs.ts';
import { limitLegs } from './limit-legs.ts';

type Of<Kind extends EngineEvent['kind']> = Extract<EngineEvent, { kind: Kind }>;

/** Records that a leg rings or has arrived at a place, and continues with what is wanted next. */
export function followLeg(control: Control, event: Of<'leg-ringing'> | Of<'leg-placed'>): void {
  const { calls, deps, lease } = control;
  const followed = calls.get(event.callId);
  if (!followed) return;
  followed.isConfirmed = true;
  calls.enqueue(event.callId, async () => {
    await readLegs(control, followed);
    const leg = followed.legs.find(({ letter }) => letter === event.letter);
    if (!leg || leg.state === 'ended') return;
    if (event.kind === 'leg-placed') followed.moves.delete(leg.letter);
    await reportLegs(deps.db, lease, reportsOf(control, leg, event));
    await carryOut(control, followed);
    // An added leg may last longer than the others, and funding may have been extended during the first command.
    const isFirstPlace = leg.place === 'dial' || leg.place === 'none';
    if (event.kind === 'leg-placed' && isFirstPlace) await limitLegs(control, followed);
  });
}

function reportsOf(
  { clock }: Control,
  { id: legId, state }: RunningLeg,
  event: Of<'leg-ringing'> | Of<'leg-placed'>,
): LegReport[] {
  const { onNode } = event;
  const at = clock.toOurs(onNode);
  if (event.kind === 'leg-ringing') return [{ kind: 'ringing', legId, at, onNode }];
  const placed: LegReport = { kind: 'placed', legId, place: event.place, at, onNode };
  if (state === 'answered' || event.answeredOnNode === null) return [placed];
  const answered = event.answeredOnNode;
  return [{ kind: 'answered', legId, at: clock.toOurs(answered), onNode: answered }, placed];
}

/** Ends a leg. Others of its call may continue. */
export function followLegEnd(control: Control, { callId, letter, end }: Of<'leg-ended'>): void {
  const { calls, clock } = control;
  const isDoubtful = clock.isDoubtful(end.endedOnNode);
  calls.enqueue(callId, async () => {
    if (isDoubtful) await readAgain(control);
    await writeLegEnd(control, callId, letter, end, clock.toOurs(end.endedOnNode));
  });
}
