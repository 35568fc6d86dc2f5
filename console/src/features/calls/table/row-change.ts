import type { LiveEvent } from '../../../shared/live/live.ts';
import type { CallRow } from '../queries.ts';

/** States of a call in their order. The event of dialling is not in the log, so it may arrive after later ones. */
const order: CallRow['status'][] = ['queued', 'ringing', 'dialing', 'answered', 'ended'];
const stateOf: Record<string, CallRow['status']> = {
  'channel-ringing': 'ringing',
  'channel-dialing': 'dialing',
};

/** Returns the change that an event makes to a row. Events may arrive late; an ended call stays ended. */
export function rowChange(row: CallRow, { type, data }: LiveEvent): Partial<CallRow> {
  const payload = data as Partial<Record<string, never>>;
  if (type === 'call-priced') return { call_price: payload.callPrice ?? null };
  if (type === 'recording-ready') return { record_url: payload.recordUrl ?? null };
  if (type === 'call-updated') return { disposition: payload.disposition ?? null, tags: payload.tags ?? [] };
  if (type === 'channel-hangup')
    return {
      status: 'ended',
      answered_at: payload.answeredAtIso ?? null,
      ended_at: payload.endedAtIso ?? null,
      duration: payload.duration ?? 0,
      hangup_cause: payload.hangupCause ?? null,
      ended_by: payload.endedBy ?? null,
      record_url: payload.recordUrl ?? null,
    };
  if (row.status === 'ended') return {};
  if (type === 'channel-answer') return { status: 'answered', answered_at: payload.answeredAtIso ?? null };
  const reached = stateOf[type];
  return reached && order.indexOf(reached) > order.indexOf(row.status) ? { status: reached } : {};
}
