import { C } from 'jssip';
import { causeBySipStatus } from '../../../shared/format/causes.ts';
import type { EndReason, PhoneCall } from '../state.ts';

interface End {
  originator: string;
  cause: string;
  status: number | undefined;
}

/** SIP statuses by which the service itself refuses a call; the others come from the destination. */
const byStatus: Record<number, EndReason> = { 402: 'credit', 403: 'notAllowed', ...causeBySipStatus };

export function toEndReason({ stage, direction }: PhoneCall, { originator, cause, status }: End): EndReason {
  const { causes } = C;
  if (cause === causes.RTP_TIMEOUT || cause === causes.WEBRTC_ERROR) return 'media';
  if (cause === causes.CONNECTION_ERROR || cause === causes.REQUEST_TIMEOUT) return 'connection';
  if (stage === 'talking') return originator === 'local' ? 'you' : 'them';
  if (direction === 'in') return originator === 'local' ? 'rejected' : 'missed';
  if (originator === 'local') return 'you';
  return byStatus[status ?? 0] ?? 'unavailable';
}
