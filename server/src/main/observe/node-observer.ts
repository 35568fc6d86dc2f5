import type { MediaNode } from '../../contexts/telephony/index.ts';
import type { Tracing } from '../../platform/telemetry/tracing.ts';
import type { Instruments } from './instruments.ts';

type Ask = <T>(request: string, leg: string | undefined, ask: () => Promise<T>) => Promise<T>;

/** The first leg of a call that we originate has the call's id in its name. */
const callOfLeg = (leg: string): string | undefined => /^([0-9a-f-]{36})\.a$/.exec(leg)?.[1];

/** Measures every request to media nodes, and adds those of a call to its trace. */
export function createNodeWatch(instruments: Instruments, tracing: Tracing): (node: MediaNode) => MediaNode {
  const took = instruments.histogram('disca_engine_request_seconds');
  return (node) => {
    const ask: Ask = async (request, callId, asked) => {
      const startedAt = new Date();
      let outcome = 'ok';
      try {
        return await asked();
      } catch (error) {
        outcome = 'failed';
        throw error;
      } finally {
        const endedAt = new Date();
        took((endedAt.getTime() - startedAt.getTime()) / 1000, { request, outcome });
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
      dial: (request) => ask('dial', request.callId, () => node.dial(request)),
      decide: (leg, decision) =>
        ask('decide', decision.kind === 'refuse' ? undefined : decision.call.callId, () =>
          node.decide(leg, decision),
        ),
      hangUp: (leg) => ask('hangUp', callOfLeg(leg), () => node.hangUp(leg)),
      limit: (leg, seconds) => ask('limit', callOfLeg(leg), () => node.limit(leg, seconds)),
      answeredOnNode: (leg) => ask('answeredOnNode', callOfLeg(leg), () => node.answeredOnNode(leg)),
      legs: () => ask('legs', undefined, () => node.legs()),
      readClock: () => ask('readClock', undefined, () => node.readClock()),
      info: () => ask('info', undefined, () => node.info()),
    };
  };
}
