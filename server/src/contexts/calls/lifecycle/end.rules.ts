import { worryingClockSkewSeconds } from '../../../platform/call-timings.ts';
import type { CallState } from '../call.rules.ts';
import type { EndedBy, EngineEnd, LiveCall } from '../call.ts';
import { notNow } from '../placing/sip-status.rules.ts';

/** FreeSWITCH cause names by SIP status. */
const causeOfStatus: Record<number, string> = {
  400: 'NORMAL_TEMPORARY_FAILURE',
  401: 'CALL_REJECTED',
  402: 'CALL_REJECTED',
  403: 'CALL_REJECTED',
  404: 'UNALLOCATED_NUMBER',
  407: 'CALL_REJECTED',
  408: 'RECOVERY_ON_TIMER_EXPIRE',
  410: 'NUMBER_CHANGED',
  415: 'INCOMPATIBLE_DESTINATION',
  480: 'NO_USER_RESPONSE',
  484: 'INVALID_NUMBER_FORMAT',
  485: 'UNALLOCATED_NUMBER',
  486: 'USER_BUSY',
  487: 'ORIGINATOR_CANCEL',
  488: 'INCOMPATIBLE_DESTINATION',
  500: 'NORMAL_TEMPORARY_FAILURE',
  502: 'NETWORK_OUT_OF_ORDER',
  503: 'NORMAL_TEMPORARY_FAILURE',
  504: 'RECOVERY_ON_TIMER_EXPIRE',
  600: 'USER_BUSY',
  603: 'CALL_REJECTED',
  604: 'UNALLOCATED_NUMBER',
  606: 'INCOMPATIBLE_DESTINATION',
};

/** Cause names by Q.850 number, for ends without a SIP status. */
const causeOfNumber: Record<number, string> = {
  1: 'UNALLOCATED_NUMBER',
  3: 'NO_ROUTE_DESTINATION',
  16: 'NORMAL_CLEARING',
  17: 'USER_BUSY',
  18: 'NO_USER_RESPONSE',
  19: 'NO_ANSWER',
  20: 'SUBSCRIBER_ABSENT',
  21: 'CALL_REJECTED',
  22: 'NUMBER_CHANGED',
  26: 'LOSE_RACE',
  27: 'DESTINATION_OUT_OF_ORDER',
  28: 'INVALID_NUMBER_FORMAT',
  34: 'NORMAL_CIRCUIT_CONGESTION',
  38: 'NETWORK_OUT_OF_ORDER',
  41: 'NORMAL_TEMPORARY_FAILURE',
  42: 'SWITCH_CONGESTION',
  88: 'INCOMPATIBLE_DESTINATION',
  102: 'RECOVERY_ON_TIMER_EXPIRE',
};

const incompatible = 88;
const temporaryFailure = 41;

export interface Ending {
  hangupCause: string;
  endedBy: EndedBy;
  /** Talk time in seconds, rounded up. */
  seconds: number;
}

/** Returns why a call ended, who ended it and the talk time, which is a difference on the node's clock. */
export function interpretEnd(
  call: Pick<LiveCall, 'kind' | 'state' | 'hangupAskedAt' | 'fundedSeconds'>,
  end: EngineEnd,
): Ending {
  if (end.answeredOnNode !== null) {
    const seconds = Math.ceil(talkedMs(end.answeredOnNode, end.endedOnNode) / 1000);
    return correctSide(call, { ...afterTalk(call, end), seconds: Math.min(seconds, call.fundedSeconds) });
  }
  return correctSide(call, { ...beforeTalk(call, end), seconds: 0 });
}

const correctSide = (call: Pick<LiveCall, 'kind'>, ending: Ending): Ending =>
  ending.endedBy === 'system' ? ending : { ...ending, endedBy: partyOf(call, ending.endedBy) };

/**
 * Swaps the sides for inbound calls. The engine reports the first leg as the extension's side; in an inbound call it is
 * the other party's.
 */
export function partyOf({ kind }: Pick<LiveCall, 'kind'>, side: Side): Side {
  if (kind !== 'inbound') return side;
  return side === 'extension' ? 'destination' : 'extension';
}

type Side = Exclude<EndedBy, 'system'>;

/**
 * Returns the talk time. The engine reports milliseconds as fractional seconds; rounding removes floating-point error.
 */
export const talkedMs = (answeredOnNode: number, endedOnNode: number): number =>
  Math.max(Math.round((endedOnNode - answeredOnNode) * 1000), 0);

/**
 * Returns the end with the talk time on our clock if that is clearly shorter, or if the call ended before its answer:
 * the node's clock was set during the call. Otherwise the node's clock is the more precise one.
 */
export function correctEnd<End extends Pick<EngineEnd, 'answeredOnNode' | 'endedOnNode'>>(
  { answeredAt }: Pick<LiveCall, 'answeredAt'>,
  end: End,
  reportedAt: Date,
): End {
  if (end.answeredOnNode === null || answeredAt === null) return end;
  const ours = Math.max(reportedAt.getTime() - answeredAt.getTime(), 0) / 1000;
  const onNode = end.endedOnNode - end.answeredOnNode;
  const isSet = onNode > ours + worryingClockSkewSeconds || onNode < -worryingClockSkewSeconds;
  return isSet ? { ...end, endedOnNode: end.answeredOnNode + ours } : end;
}

function afterTalk(
  call: Pick<LiveCall, 'kind' | 'hangupAskedAt'>,
  { endedBy }: EngineEnd,
): Omit<Ending, 'seconds'> {
  if (endedBy === 'limit') return { hangupCause: 'ALLOTTED_TIMEOUT', endedBy: 'system' };
  const hangupCause = 'NORMAL_CLEARING';
  if (call.hangupAskedAt || endedBy === null) return { hangupCause, endedBy: 'system' };
  // A verification call has one leg, to the destination.
  return { hangupCause, endedBy: call.kind === 'code' ? 'destination' : endedBy };
}

function beforeTalk(
  call: Pick<LiveCall, 'kind' | 'state' | 'hangupAskedAt'>,
  end: EngineEnd,
): Omit<Ending, 'seconds'> {
  if (call.hangupAskedAt) return { hangupCause: 'ORIGINATOR_CANCEL', endedBy: 'system' };
  if (call.kind === 'code') return { hangupCause: firstLegCause(call.state, end), endedBy: 'destination' };
  if (end.dialStatus === '') return beforeDialling(call, end);
  if (end.dialStatus === 'CANCEL') return { hangupCause: 'ORIGINATOR_CANCEL', endedBy: 'extension' };
  if (end.dialStatus === 'NOANSWER' && (end.sipStatus === null || end.sipStatus === 487)) {
    return { hangupCause: 'NO_ANSWER', endedBy: 'destination' };
  }
  return { hangupCause: causeOf(end), endedBy: 'destination' };
}

/** Returns the ending if the softphone did not answer, or hung up before its destination was dialled. */
function beforeDialling(
  { kind, state }: Pick<LiveCall, 'kind' | 'state'>,
  end: EngineEnd,
): Omit<Ending, 'seconds'> {
  // Media negotiation with the softphone failed.
  if (end.cause === incompatible) return { hangupCause: nameOf(incompatible), endedBy: 'extension' };
  // The routing decision arrived too late, and the dialplan sent this status.
  if (kind !== 'click' && end.sipStatus === notNow)
    return { hangupCause: nameOf(temporaryFailure), endedBy: 'system' };
  if (kind !== 'click' || state === 'dialing')
    return { hangupCause: 'ORIGINATOR_CANCEL', endedBy: 'extension' };
  return { hangupCause: firstLegCause(state, end), endedBy: 'extension' };
}

/**
 * Returns the cause of the first leg. A CANCEL sent after the ringing time leads to a 487 or to no response; the engine
 * may report a 480.
 */
function firstLegCause(state: CallState, end: Pick<EngineEnd, 'cause' | 'sipStatus'>): string {
  const { sipStatus } = end;
  const isCancelled = sipStatus === 487 || (sipStatus === 480 && state === 'ringing');
  const rangInVain = sipStatus === null || sipStatus < 300 || isCancelled;
  if (!rangInVain) return causeOf(end);
  return end.cause === 0 || end.cause === 16 ? 'NO_ANSWER' : nameOf(end.cause);
}

/** Returns the cause of a leg that did not answer. */
export const unansweredCause = (isRinging: boolean, end: Pick<EngineEnd, 'cause' | 'sipStatus'>): string =>
  firstLegCause(isRinging ? 'ringing' : 'queued', end);

function causeOf({ sipStatus, cause }: Pick<EngineEnd, 'cause' | 'sipStatus'>): string {
  const byStatus = sipStatus === null ? undefined : causeOfStatus[sipStatus];
  return byStatus ?? nameOf(cause);
}

const nameOf = (cause: number): string => causeOfNumber[cause] ?? 'NORMAL_UNSPECIFIED';

/** Returns the end of a call whose engine died or that no engine claimed; only the time it was last seen is known. */
export function lostEnding(call: Pick<LiveCall, 'answeredAt' | 'fundedSeconds'>, lastAliveAt: Date): Ending {
  const talkedMs = call.answeredAt ? lastAliveAt.getTime() - call.answeredAt.getTime() : 0;
  const seconds = Math.min(Math.ceil(Math.max(talkedMs, 0) / 1000), call.fundedSeconds);
  return { hangupCause: 'NORMAL_TEMPORARY_FAILURE', endedBy: 'system', seconds };
}
