import { C } from 'jssip';
import { causeBySipStatus, type RefusalCause } from '../../../shared/format/causes.ts';
import type { EndReason, PhoneCall } from '../state.ts';

interface End {
  originator: string;
  cause: string;
  status: number | undefined;
}

/** SIP statuses by which the service itself refuses a call; the others come from the destination. */
const byStatus: Record<number, EndReason> = {
  402: 'credit',
  403: 'notAllowed',
  608: 'spendLimit',
  ...causeBySipStatus,
};

/** The account has reached its limit of calls. */
const accountBusy = 600;

export function toEndReason(call: PhoneCall, { originator, cause, status }: End): EndReason {
  const { causes } = C;
  const isLocal = originator === 'local';
  if (cause === causes.RTP_TIMEOUT || cause === causes.WEBRTC_ERROR) return 'media';
  if (cause === causes.CONNECTION_ERROR || cause === causes.REQUEST_TIMEOUT) return 'connection';
  if (call.stage === 'talking') return isLocal ? 'you' : 'them';
  if (call.isPlaced === true && call.connectedAtMs === undefined)
    return isLocal ? 'cancelled' : 'notAnswered';
  if (call.isPlaced === true) return isLocal ? 'you' : 'notConnected';
  if (call.direction === 'in') return isLocal ? 'rejected' : 'missed';
  if (isLocal) return 'you';
  // A refused call has no record; a destination that returns 600 is busy.
  if (status === accountBusy && call.id === undefined) return 'capacity';
  return byStatus[status ?? 0] ?? 'unavailable';
}

const refusalCauses: readonly string[] = Object.values(causeBySipStatus);

/** Returns why a placed call was not connected, from the `hangup_cause` of its record. */
export function reasonOfCause(cause: string): EndReason {
  if (refusalCauses.includes(cause)) return cause as RefusalCause;
  if (cause === 'NORMAL_CLEARING') return 'them';
  if (cause === 'ORIGINATOR_CANCEL') return 'you';
  return 'unavailable';
}
