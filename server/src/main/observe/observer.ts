import type { AbuseObserver } from '../../contexts/abuse/index.ts';
import type { CallObserver } from '../../contexts/calls/index.ts';
import type { ControlObserver } from '../../contexts/telephony/index.ts';
import type { DeliveryObserver } from '../../contexts/webhooks/index.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Tracing } from '../../platform/telemetry/tracing.ts';
import { callSpan, claimSpan, deliverySpan, stepSpan } from './call-spans.ts';
import type { Instruments } from './instruments.ts';

/** The observers of all contexts. */
export type Observer = AbuseObserver & CallObserver & ControlObserver & DeliveryObserver;

const secondsBetween = (from: Date, to: Date): number => Math.max((to.getTime() - from.getTime()) / 1000, 0);

/** Creates the observer that records metrics and traces. */
export function createObserver(instruments: Instruments, tracing: Tracing): Observer {
  const ended = instruments.counter('disca_calls_ended_total');
  const answered = instruments.counter('disca_calls_answered_total');
  const refused = instruments.counter('disca_call_refusals_total');
  const corrected = instruments.counter('disca_call_corrections_total');
  const audioMissing = instruments.counter('disca_call_audio_missing_total');
  const raised = instruments.counter('disca_abuse_signals_total');
  const leased = instruments.counter('disca_lease_changes_total');
  const setUp = instruments.histogram('disca_call_setup_seconds');
  const attempted = instruments.counter('disca_webhook_attempts_total');
  const lag = instruments.histogram('disca_webhook_lag_seconds');
  return {
    callEnded(call) {
      ended({ kind: call.kind, cause: call.hangupCause });
      if (call.answeredAt) answered({ kind: call.kind });
      if (tracing.isOn) tracing.recordCall(call.callId, callSpan(call));
    },
    callRefused: (by, code) => refused({ asked_by: by, code }),
    callReconciled: (how) => corrected({ how }),
    callClaimed(call) {
      setUp(secondsBetween(call.requestedAt, call.claimedAt ?? call.requestedAt), { step: 'claimed' });
      if (tracing.isOn) tracing.recordCallSpan(call.callId, claimSpan(call));
    },
    callStepped(call, step) {
      setUp(secondsBetween(call.requestedAt, step.at), { step: step.to });
      if (tracing.isOn) tracing.recordCallSpan(call.callId, stepSpan(call, step));
    },
    audioMissing: ({ from, reason }) => audioMissing({ from, reason }),
    signalRaised: (kind, action) => raised({ kind, action }),
    leaseChanged: (change) => leased({ change }),
    deliveryAttempted(delivery, attempt) {
      attempted({ outcome: attempt.outcome });
      if (attempt.number === 1) lag(secondsBetween(delivery.occurredAt, attempt.at));
      if (tracing.isOn && isUuid(delivery.subjectId))
        tracing.recordCallSpan(delivery.subjectId, deliverySpan(delivery, attempt));
    },
  };
}
