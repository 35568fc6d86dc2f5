import type { EndedCall, LiveCall, Step } from '../../contexts/calls/index.ts';
import type { DeliveryObserver } from '../../contexts/webhooks/index.ts';
import type { Span } from '../../platform/telemetry/tracing.ts';

/** Returns the span from request to end, with child spans for set-up and talk. */
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

/** Returns the span from the request until a node claimed the call. */
export const claimSpan = ({ callId, kind, node, requestedAt, claimedAt }: LiveCall): Span => ({
  name: 'call claimed',
  kind: 'consumer',
  startedAt: requestedAt,
  endedAt: claimedAt ?? requestedAt,
  attributes: { 'disca.call.id': callId, 'disca.call.kind': kind, 'disca.call.node': node },
});

/** Returns the zero-length span of an engine event. */
export const stepSpan = ({ callId, node }: LiveCall, { to, at }: Step): Span => ({
  name: `call ${to}`,
  kind: 'internal',
  startedAt: at,
  endedAt: at,
  attributes: { 'disca.call.id': callId, 'disca.call.node': node },
});

type AttemptArgs = Parameters<DeliveryObserver['deliveryAttempted']>;

/** Returns the span of a delivery job, starting at its event, with the HTTP request as child span. */
export function deliverySpan(delivery: AttemptArgs[0], attempt: AttemptArgs[1]): Span {
  const endedAt = new Date(attempt.at.getTime() + attempt.durationMs);
  const errorType = attempt.outcome === 'delivered' ? undefined : attempt.outcome;
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
    errorType,
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
        errorType,
      },
    ],
  };
}
