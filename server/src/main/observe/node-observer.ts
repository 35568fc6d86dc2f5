import type { MediaNode } from '../../contexts/telephony/index.ts';
import type { Tracing } from '../../platform/telemetry/tracing.ts';
import type { Instruments } from './instruments.ts';

type Measure = <T>(request: string, callId: string | undefined, send: () => Promise<T>) => Promise<T>;

/** Returns the call of a leg; legs that we originate have the call's id in their name. */
const callOfLeg = (leg: string): string | undefined => /^([0-9a-f-]{36})\.[a-z]$/.exec(leg)?.[1];

/** Measures every request to media nodes, and adds those of a call to its trace. */
export function createNodeObserver(
  instruments: Instruments,
  tracing: Tracing,
): (node: MediaNode) => MediaNode {
  const recordDuration = instruments.histogram('disca_engine_request_seconds');
  return (node) => {
    const measure: Measure = async (request, callId, send) => {
      const startedAt = new Date();
      let outcome = 'ok';
      try {
        return await send();
      } catch (error) {
        outcome = 'failed';
        throw error;
      } finally {
        const endedAt = new Date();
        recordDuration((endedAt.getTime() - startedAt.getTime()) / 1000, { request, outcome });
        if (tracing.isOn && callId !== undefined)
          tracing.recordCallSpan(callId, {
            name: `ARI ${request}`,
            kind: 'client',
            startedAt,
            endedAt,
            attributes: { 'disca.call.id': callId, 'disca.call.node': node.name },
            errorType: outcome === 'ok' ? undefined : outcome,
          });
      }
    };
    return {
      name: node.name,
      gone: node.gone,
      disconnect: () => node.disconnect(),
      onEvent: (listener) => node.onEvent(listener),
      dial: (request) => measure('dial', request.callId, () => node.dial(request)),
      decide: (leg, decision) =>
        measure('decide', decision.kind === 'refuse' ? undefined : decision.call.callId, () =>
          node.decide(leg, decision),
        ),
      hangUp: (leg) => measure('hangUp', callOfLeg(leg), () => node.hangUp(leg)),
      limit: (leg, seconds) => measure('limit', callOfLeg(leg), () => node.limit(leg, seconds)),
      lift: (legs) => measure('lift', legs.callId, () => node.lift(legs)),
      move: (callId, leg, to) => measure('move', callId, () => node.move(callId, leg, to)),
      addLeg: (request) => measure('addLeg', request.callId, () => node.addLeg(request)),
      mute: (leg, isMuted) => measure('mute', callOfLeg(leg), () => node.mute(leg, isMuted)),
      recordWith: (leg) => measure('recordWith', callOfLeg(leg), () => node.recordWith(leg)),
      stateOf: (leg) => measure('stateOf', callOfLeg(leg), () => node.stateOf(leg)),
      answeredOnNode: (leg) => measure('answeredOnNode', callOfLeg(leg), () => node.answeredOnNode(leg)),
      // Read repeatedly during a call, so they are not part of its trace.
      dialledLeg: (leg) => measure('dialledLeg', undefined, () => node.dialledLeg(leg)),
      traffic: (leg) => measure('traffic', undefined, () => node.traffic(leg)),
      audioSource: (leg) => measure('audioSource', undefined, () => node.audioSource(leg)),
      isHeld: (leg) => measure('isHeld', undefined, () => node.isHeld(leg)),
      legs: () => measure('legs', undefined, () => node.legs()),
      addTrunk: (endpoint) => measure('addTrunk', undefined, () => node.addTrunk(endpoint)),
      removeTrunk: (name) => measure('removeTrunk', undefined, () => node.removeTrunk(name)),
      identifyCarrier: (address, endpoint) =>
        measure('identifyCarrier', undefined, () => node.identifyCarrier(address, endpoint)),
      readClock: () => measure('readClock', undefined, () => node.readClock()),
      info: () => measure('info', undefined, () => node.info()),
      controlsCalls: () => measure('controlsCalls', undefined, () => node.controlsCalls()),
    };
  };
}
