import type { EndedCall, LiveCall, Step } from '../../contexts/calls/index.ts';
import type { DeliveryWatch } from '../../contexts/webhooks/index.ts';
import type { Span } from '../../platform/telemetry/tracing.ts';

/** From the request to the end, with the time until the answer and the talk below it. */
export function callSpan(call: EndedCall): Span {
  const { callId, kind, node, requestedAt, claimedAt, answeredAt, endedAt } = call;
  const attributes = { 'disca.call.id': callId, 'disca.call.kind': kind };
  const part = (name: string, from: Date, to: Date): Span => ({
    name,
    kind: 'internal',
    startedAt: from,
    endedAt: to,
    attributes,
  });
  return {
    name: 'call',
    kind: 'internal',
    startedAt: requestedAt,
    endedAt,
    attributes: {
      ...attributes,
      'disca.call.node': node,
      'disca.call.hangup_cause': call.hangupCause,
      'disca.call.ended_by': call.endedBy,
      'disca.call.talked_seconds': call.talkedSeconds,
    },
    children: [
      ...(claimedAt ? [part('call set-up', claimedAt, answeredAt ?? endedAt)] : []),
      ...(answeredAt ? [part('call talk', answeredAt, endedAt)] : []),
    ],
  };
}

/** The call waited in the queue until a node took it. */
export const claimSpan = ({ callId, kind, node, requestedAt, claimedAt }: LiveCall): Span => ({
  name: 'call claimed',
  kind: 'consumer',
  startedAt: requestedAt,
  endedAt: claimedAt ?? requestedAt,
  attributes: { 'disca.call.id': callId, 'disca.call.kind': kind, 'disca.call.node': node },
});

/** What the engine told; it takes no time of ours. */
export const stepSpan = ({ callId, node }: LiveCall, { to, at }: Step): Span => ({
  name: `call ${to}`,
  kind: 'internal',
  startedAt: at,
  endedAt: at,
  attributes: { 'disca.call.id': callId, 'disca.call.node': node },
});

type Told = Parameters<DeliveryWatch['deliveryAttempted']>;

/** The job, from the event on, and the request that it made. */
export function deliverySpan(delivery: Told[0], attempt: Told[1]): Span {
  const endedAt = new Date(attempt.at.getTime() + attempt.durationMs);
  const fault = attempt.outcome === 'delivered' ? undefined : attempt.outcome;
  const attributes = {
    'disca.call.id': delivery.subjectId,
    'disca.event.type': delivery.type,
    'disca.delivery.id': delivery.id,
    'disca.delivery.attempt': attempt.number,
  };
  return {
    name: `webhook job ${delivery.type}`,
    kind: 'consumer',
    startedAt: delivery.occurredAt,
    endedAt,
    attributes,
    fault,
    children: [
      {
        name: 'webhook request',
        kind: 'client',
        startedAt: attempt.at,
        endedAt,
        attributes: {
          ...attributes,
          'http.request.method': 'POST',
          'http.response.status_code': attempt.status,
        },
        fault,
      },
    ],
  };
}
