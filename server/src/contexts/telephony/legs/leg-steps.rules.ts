import type { RunningLeg } from '../../calls/index.ts';
import type { Place } from '../ports.ts';

/** One thing to do for a leg. */
export type LegStep =
  | { what: 'mute'; leg: RunningLeg }
  | { what: 'lift'; first: RunningLeg; second: RunningLeg; to: { first: Place; second: Place } }
  | { what: 'move'; leg: RunningLeg; to: Place }
  | { what: 'dial'; leg: RunningLeg }
  /** Ends a leg that is not dialled yet. */
  | { what: 'drop'; leg: RunningLeg }
  | { what: 'hang-up'; leg: RunningLeg }
  /** Lets a leg continue the recording. */
  | { what: 'record'; leg: RunningLeg };

/**
 * Returns what to do so that the legs of a call are as wanted. Until the engine has reported both legs out of their Dial,
 * nothing else is moved or dialled.
 */
export function stepsFor(legs: readonly RunningLeg[], recording?: { by: string }): LegStep[] {
  const running = legs.filter(({ state }) => state !== 'ended');
  const steps: LegStep[] = running.filter(isMuteDue).map((leg) => ({ what: 'mute', leg }));
  if (!areLifted(running)) return [...steps, ...lift(running)];
  if (isOver(running)) return [...steps, ...running.map(end)];
  return [...steps, ...(recording ? record(running, recording.by) : []), ...running.flatMap(stepOf)];
}

/** Whether the legs of the call have been moved out of its Dial. */
export const areLifted = (running: readonly RunningLeg[]): boolean =>
  running.length > 0 && running.every(({ place }) => place !== 'dial');

const isMuteDue = ({ state, isMuted, wantsMute }: RunningLeg): boolean =>
  state === 'answered' && isMuted !== wantsMute;

function lift(running: readonly RunningLeg[]): LegStep[] {
  const [first, second] = running.filter(({ place }) => place === 'dial');
  if (!first || !second || (first.wanted === 'dial' && second.wanted === 'dial')) return [];
  return [{ what: 'lift', first, second, to: { first: placeFor(first), second: placeFor(second) } }];
}

const placeFor = ({ wanted }: RunningLeg): Place =>
  wanted === 'music' || wanted === 'leave' ? wanted : 'room';

/** A leg does not stay alone, and legs that ring are not connected to anyone. */
const isOver = (running: readonly RunningLeg[]): boolean =>
  running.length === 1 || running.every(({ state }) => state !== 'answered');

const end = (leg: RunningLeg): LegStep => ({ what: leg.state === 'pending' ? 'drop' : 'hang-up', leg });

function stepOf(leg: RunningLeg): LegStep[] {
  const { state, wanted, place } = leg;
  if (state !== 'answered') {
    if (wanted === 'leave') return [end(leg)];
    return state === 'pending' ? [{ what: 'dial', leg }] : [];
  }
  if (wanted === place || (wanted !== 'room' && wanted !== 'music' && wanted !== 'leave')) return [];
  return [{ what: 'move', leg, to: wanted }];
}

/** The recorder is on the first leg and stops with it; the next of the legs continues. */
function record(running: readonly RunningLeg[], by: string): LegStep[] {
  if (running.some(({ letter }) => letter === by)) return [];
  const heir = running.find(({ state, wanted }) => state === 'answered' && wanted !== 'leave');
  return heir ? [{ what: 'record', leg: heir }] : [];
}
