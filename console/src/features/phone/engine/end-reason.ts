import { C } from 'jssip';
import type { EndReason, PhoneCall } from '../state.ts';

interface End {
  originator: string;
  cause: string;
  status: number | undefined;
}

/** SIP status codes of failed calls. */
const byStatus: Record<number, EndReason> = {
  402: 'credit',
  403: 'notAllowed',
  404: 'unknownNumber',
  410: 'unknownNumber',
  484: 'unknownNumber',
  408: 'noAnswer',
  480: 'noAnswer',
  486: 'busy',
  600: 'busy',
  603: 'declined',
};

export function reasonOf({ stage, direction }: PhoneCall, { originator, cause, status }: End): EndReason {
  const { causes } = C;
  if (cause === causes.RTP_TIMEOUT || cause === causes.WEBRTC_ERROR) return 'media';
  if (cause === causes.CONNECTION_ERROR || cause === causes.REQUEST_TIMEOUT) return 'connection';
  if (stage === 'talking') return originator === 'local' ? 'you' : 'them';
  if (direction === 'in') return originator === 'local' ? 'rejected' : 'missed';
  if (originator === 'local') return 'you';
  return byStatus[status ?? 0] ?? 'unavailable';
}
