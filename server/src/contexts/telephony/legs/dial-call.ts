import { destinationRingSeconds, extensionRingSeconds } from '../../../platform/call-timings.ts';
import { secondsAfter } from '../../../platform/time.ts';
import {
  codePurpose,
  endUndialledCall,
  firstLegId,
  type LiveCall,
  longestWaitSeconds,
} from '../../calls/index.ts';
import type { Control } from '../nodes/control.ts';
import type { DialRequest } from '../ports.ts';
import { chooseRoutes } from '../trunks/choose-trunk.rules.ts';
import type { FollowedCall } from './followed-calls.ts';
import { choosePhoneRoute, type PhoneRoute } from './reach-phone.rules.ts';

/** Dials a claimed call. Never repeated once the request may have been sent. */
export function dialCall(control: Control, call: LiveCall): void {
  const { calls, deps } = control;
  const followed = calls.add(call, deps.clock.now());
  let dialling: Promise<string | undefined> | undefined;
  calls.enqueue(call.callId, async () => {
    dialling ??= dialOnce(control, followed);
    const refusal = await dialling;
    if (refusal === undefined) return;
    await endUndialledCall(deps, call, refusal);
    calls.remove(call.callId);
  });
}

/** Returns the hangup cause if nothing was dialled; undefined if the engine has, or may have, the call. */
async function dialOnce(control: Control, followed: FollowedCall): Promise<string | undefined> {
  const { deps } = control;
  const { call } = followed;
  const routes = chooseRoutes(control.trunks.usable, call.book, call.order);
  if (routes.length === 0) return 'NETWORK_OUT_OF_ORDER';
  if (deps.clock.now() > secondsAfter(call.requestedAt, longestWaitSeconds))
    return 'NORMAL_TEMPORARY_FAILURE';
  try {
    followed.isConfirmed = await control.node.dial(requestOf(control, call, routes));
    return followed.isConfirmed ? undefined : 'NORMAL_TEMPORARY_FAILURE';
  } catch (err) {
    // It is unknown whether the engine accepted the call: its events or the reconciler will show.
    deps.log.warn({ err, callId: call.callId }, 'media node did not confirm the call');
    return undefined;
  }
}

/** For orders that earlier releases wrote without a registration. */
const defaultPhone = { transport: 'udp', edge: 1 };

export const phoneRouteFor = ({ edges }: Control['deps'], { order }: LiveCall): PhoneRoute =>
  choosePhoneRoute(order.phone ?? defaultPhone, edges.seen());

function requestOf(
  { deps }: Control,
  call: LiveCall,
  routes: DialRequest['destination']['routes'],
): DialRequest {
  const { order } = call;
  const code = order.sealedCode === undefined ? undefined : deps.keyRing.open(codePurpose, order.sealedCode);
  return {
    callId: call.callId,
    leg: firstLegId(call),
    ...(call.kind === 'click'
      ? {
          extension: {
            ramal: order.ramal,
            domain: order.domain,
            way: phoneRouteFor(deps, call),
            autoAnswer: order.autoAnswer,
            ringSeconds: extensionRingSeconds,
          },
        }
      : {}),
    ...(code === undefined ? {} : { speech: { code, locale: order.locale ?? 'pt-BR' } }),
    destination: { number: order.destination, ringSeconds: destinationRingSeconds, routes },
    fundedSeconds: call.fundedSeconds,
    record: order.record,
    notAfter: Math.ceil(secondsAfter(call.requestedAt, longestWaitSeconds).getTime() / 1000),
  };
}
