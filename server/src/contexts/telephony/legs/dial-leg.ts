import { destinationRingSeconds, extensionRingSeconds } from '../../../platform/call-timings.ts';
import { secondsAfter } from '../../../platform/time.ts';
import { longestWaitSeconds, type RunningLeg } from '../../calls/index.ts';
import type { Control } from '../nodes/control.ts';
import type { LegRequest } from '../ports.ts';
import { chooseRoutes } from '../trunks/choose-trunk.rules.ts';
import type { FollowedCall } from './followed-calls.ts';
import { limitOfNewLeg } from './limit-legs.ts';
import { choosePhoneRoute } from './reach-phone.rules.ts';

/**
 * Dials a claimed leg, which the engine connects when it answers. Returns false if nothing was dialled; true if the engine
 * has, or may have, the leg.
 */
export async function dialLeg(control: Control, followed: FollowedCall, leg: RunningLeg): Promise<boolean> {
  const { deps, node } = control;
  const to = destinationOf(control, followed, leg);
  if (!to) return false;
  const { callId, letter } = leg;
  try {
    return await node.addLeg({
      callId,
      letter,
      leg: leg.engineLeg ?? `${callId}.${letter}`,
      to,
      ringSeconds: to.kind === 'extension' ? extensionRingSeconds : destinationRingSeconds,
      limitSeconds: limitOfNewLeg(control, followed, leg),
      fetches: fetchedBy(leg, followed.legs),
      notAfter: Math.ceil(secondsAfter(deps.clock.now(), longestWaitSeconds).getTime() / 1000),
    });
  } catch (err) {
    // It is unknown whether the engine accepted the leg: its events or the reconciler will show.
    deps.log.warn({ err, callId, letter }, 'media node did not confirm the leg');
    return true;
  }
}

/** Returns the channels that the new leg of a blind transfer fetches from the music when it answers. */
const fetchedBy = ({ purpose, fetches }: RunningLeg, legs: readonly RunningLeg[]): string[] =>
  legs.flatMap(({ letter, state, engineLeg }) =>
    purpose === 'blind' && fetches?.includes(letter) && state === 'answered' && engineLeg !== null
      ? [engineLeg]
      : [],
  );

function destinationOf(
  { deps, trunks }: Control,
  { call }: FollowedCall,
  { order }: RunningLeg,
): LegRequest['to'] | undefined {
  if (!order) return undefined;
  const { ramal, phone, domain, destination, callerId, book = call.book } = order;
  if (ramal !== undefined && phone !== undefined) {
    const way = choosePhoneRoute(phone, deps.edges.seen());
    return { kind: 'extension', ramal, domain, way, shown: callerId ?? '' };
  }
  const [route] = chooseRoutes(trunks.usable, book, { destination, callerId });
  return route && { kind: 'number', route };
}
