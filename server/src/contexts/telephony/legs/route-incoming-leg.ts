import {
  destinationRingSeconds,
  extensionRingSeconds,
  routingRequestMaxAgeSeconds,
} from '../../../platform/call-timings.ts';
import { Refusal } from '../../../platform/errors.ts';
import {
  acceptCarrierCall,
  acceptPhoneCall,
  cannotConnect,
  endCall,
  endUndialledCall,
  firstLegId,
  type LiveCall,
  notNow,
  refusalOfUnavailable,
  sipStatusOf,
  tooMany,
} from '../../calls/index.ts';
import type { Control } from '../nodes/control.ts';
import type { IncomingLeg, RoutingDecision } from '../ports.ts';
import { chooseRoutes } from '../trunks/choose-trunk.rules.ts';
import { phoneRouteFor } from './dial-call.ts';
import { modesOf } from './incoming-leg.rules.ts';
import { writeSteps } from './write-steps.ts';

/** Maximum concurrent decisions per node; more are refused immediately, and the edge tries another node. */
const maxConcurrent = 100;
/**
 * Maximum concurrent decisions per account or called number. They wait for each other's locks; the limit keeps them
 * from delaying others. A carrier may try another node. Phones get a busy response, because they would otherwise flood
 * the next node.
 */
const maxPerOwner = 5;

/** Decides how to route a leg that a phone or a carrier started: writes the call, then sends the decision to the engine. */
export function routeIncomingLeg(control: Control, incoming: IncomingLeg): void {
  const { deps, lease, clock } = control;
  if (clock.toNode(deps.clock.now()) - incoming.onNode > routingRequestMaxAgeSeconds) return;
  const failed = (err: unknown) => {
    control.noteDoubt();
    deps.log.warn(
      { err, leg: incoming.leg, node: lease.node },
      'media node did not accept the routing decision',
    );
  };
  const owner = incoming.by === 'phone' ? incoming.domain : incoming.called;
  const status = refusalAtOnce(control, owner, incoming.by);
  if (status !== undefined) {
    void control.node.decide(incoming.leg, { kind: 'refuse', status }).catch(failed);
    return;
  }
  const isForLiveOnly = control.freeTestSlots() === 0;
  control.pendingLegs.set(incoming.leg, { owner });
  void decide(control, incoming, isForLiveOnly)
    .catch(failed)
    .finally(() => control.pendingLegs.delete(incoming.leg));
}

function refusalAtOnce(
  { freeSlots, pendingLegs }: Control,
  owner: string,
  by: IncomingLeg['by'],
): number | undefined {
  if (freeSlots() === 0 || pendingLegs.size >= maxConcurrent) return notNow;
  const ofOwner = [...pendingLegs.values()].filter((waiting) => waiting.owner === owner).length;
  if (ofOwner < maxPerOwner) return undefined;
  return by === 'carrier' ? notNow : tooMany;
}

async function decide(control: Control, incoming: IncomingLeg, isForLiveOnly: boolean): Promise<void> {
  const { deps, node, lease } = control;
  let call: LiveCall;
  try {
    call = await accept(control, incoming, isForLiveOnly);
  } catch (error) {
    if (error instanceof Refusal) deps.observer.callRefused(incoming.by, error.code);
    else {
      // The call may have been written.
      control.noteDoubt();
      deps.log.warn({ err: error, node: lease.node }, 'incoming leg routing failed');
    }
    return await node.decide(incoming.leg, { kind: 'refuse', status: sipStatusOf(error) });
  }
  const decision = decisionFor(control, call);
  follow(control, call, decision);
  await node.decide(incoming.leg, decision);
}

async function accept(
  { deps, lease }: Control,
  incoming: IncomingLeg,
  isForLiveOnly: boolean,
): Promise<LiveCall> {
  if (incoming.by === 'carrier') {
    const modes = modesOf(deps.trunks.all(), incoming, deps.trunks.addressesOf);
    return await acceptCarrierCall(deps, lease, { ...incoming, modes, isForLiveOnly });
  }
  if (!deps.callerKeys.accept(incoming, deps.clock.now())) {
    deps.log.warn({ node: lease.node, domain: incoming.domain }, 'caller of a leg not signed by an edge');
    throw new Refusal('ACCESS_DENIED', 'No edge has authenticated this caller.');
  }
  return await acceptPhoneCall(deps, lease, { ...incoming, passedOnBy: incoming.source, isForLiveOnly });
}

function decisionFor({ deps, trunks }: Control, call: LiveCall): RoutingDecision {
  const { callId, order, fundedSeconds } = call;
  if (order.unavailability)
    return { kind: 'refuse', status: refusalOfUnavailable[order.unavailability].status };
  const routed = { callId, fundedSeconds, record: order.record };
  if (call.kind === 'dialled') {
    const routes = chooseRoutes(trunks.usable, call.book, order);
    if (routes.length === 0) return { kind: 'refuse', status: cannotConnect };
    return { kind: 'trunk', call: { ...routed, ringSeconds: destinationRingSeconds }, routes };
  }
  return {
    kind: 'phone',
    call: { ...routed, ringSeconds: extensionRingSeconds },
    ramal: call.kind === 'internal' ? order.destination : order.ramal,
    domain: order.domain,
    way: phoneRouteFor(deps, call),
    shown: order.callerId ?? '',
  };
}

/** Returns the cause of a call that is refused: the called person does not take it, or no trunk is usable. */
const causeOf = ({ order }: LiveCall): string =>
  order.unavailability ? refusalOfUnavailable[order.unavailability].hangupCause : 'NETWORK_OUT_OF_ORDER';

/** Follows the call of a routed leg. From here on, the engine's events or the reconciler determine how it ends. */
function follow(control: Control, call: LiveCall, decision: RoutingDecision): void {
  const { deps, calls, pendingLegs } = control;
  const { callId } = call;
  const followed = calls.add(call, deps.clock.now());
  followed.isConfirmed = true;
  const end = pendingLegs.get(firstLegId(call))?.end;
  const now = deps.clock.now();
  if (decision.kind === 'refuse' || end) {
    calls.enqueue(callId, async () => {
      if (end) await endCall(deps, call, end, now);
      else await endUndialledCall(deps, call, causeOf(call));
      calls.remove(callId);
    });
    return;
  }
  if (decision.kind !== 'trunk') return;
  followed.pendingSteps.push({ to: 'dialing', at: now });
  calls.enqueue(callId, () => writeSteps(control, followed));
}
