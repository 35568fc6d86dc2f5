import type { Answer } from '../../api/client.ts';

export type HeldCall = Pick<
  Answer<'/calls/{id}'>,
  'call_type' | 'from' | 'to' | 'on_hold' | 'status' | 'timeline'
>;

export interface HoldState {
  /** Whether the other party is on hold. */
  isHolding: boolean;
  /** Whether this user's own party is on hold. */
  isHeld: boolean;
}

/** Returns who is on hold, from the point of view of a user with these extensions. */
export function holdState(call: HeldCall | undefined, ramais: readonly string[]): HoldState {
  if (!call?.on_hold || call.status === 'ended') return { isHolding: false, isHeld: false };
  const held = heldLegs(call.timeline);
  const isHeld = held.has(ownLeg(call, ramais));
  return { isHolding: held.size > (isHeld ? 1 : 0), isHeld };
}

/** How often a party was put on hold or resumed. */
export const countHolds = ({ timeline }: HeldCall, holds: boolean): number =>
  timeline.filter(({ what }) => what === (holds ? 'held' : 'resumed')).length;

/** Returns the letters of the legs on hold. */
function heldLegs(timeline: HeldCall['timeline']): Set<unknown> {
  const held = new Set<unknown>();
  for (const { what, leg } of timeline) {
    if (what === 'held') held.add(leg);
    if (what === 'resumed' || what === 'party_left') held.delete(leg);
  }
  return held;
}

/** The leg for which commands of the user act: that of the user's extension, of the calling one if both are the user's. */
function ownLeg({ call_type, from, to }: HeldCall, ramais: readonly string[]): 'a' | 'b' {
  if (call_type === 'inbound') return 'b';
  return call_type === 'internal' && !ramais.includes(from) && ramais.includes(to) ? 'b' : 'a';
}
