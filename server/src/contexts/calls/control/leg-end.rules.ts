import type { EndedBy, EngineEnd, LiveCall } from '../call.ts';
import {
  correctEnd,
  type Ending,
  interpretEnd,
  lostEnding,
  talkedMs,
  unansweredCause,
} from '../lifecycle/end.rules.ts';
import { refusalOfUnavailable } from '../placing/sip-status.rules.ts';
import type { LegEnd, RunningLeg } from './leg.ts';

/** The end of one leg of a call. */
export interface LegEnding extends Ending {
  leg: RunningLeg;
  endedAt: Date;
  endedOnNode: number | null;
}

type Facts = Pick<LiveCall, 'kind' | 'state' | 'hangupAskedAt' | 'fundedSeconds' | 'engineLostAt'>;

/** Returns the end of one leg from an engine report: its answer plus the talk time measured on the node's clock. */
export function reportedLegEnd(call: Facts, leg: RunningLeg, report: LegEnd, reportedAt: Date): LegEnding {
  const answeredOnNode = leg.answeredOnNode ?? report.answeredOnNode;
  const end = correctEnd(leg, { ...report, answeredOnNode }, reportedAt);
  const { endedOnNode } = report;
  if (answeredOnNode === null) {
    const ending = { ...unanswered(call, leg, report), seconds: 0 };
    return { leg, ...ending, endedAt: later(reportedAt, leg.createdAt), endedOnNode };
  }
  const talked = talkedMs(answeredOnNode, end.endedOnNode);
  const answeredAt = leg.answeredAt ?? later(new Date(reportedAt.getTime() - talked), leg.createdAt);
  const endedAt = new Date(answeredAt.getTime() + talked);
  return { leg, ...answered(call, leg, report), seconds: bounded(call, leg, talked), endedAt, endedOnNode };
}

/** Returns the end of a leg whose call ended in its `Dial`, as the engine reported the end of the call. */
export function endInDial(call: LiveCall, leg: RunningLeg, report: EngineEnd, reportedAt: Date): LegEnding {
  const { endedBy: _, ...times } = report;
  const ending = reportedLegEnd(call, leg, { ...times, endedBy: null }, reportedAt);
  const { hangupCause, endedBy } = interpretEnd(call, { ...report, answeredOnNode: leg.answeredOnNode });
  return { ...ending, hangupCause, endedBy };
}

/** Returns the end of a leg whose call ended before it was dialled. */
export const undialledLegEnd = (leg: RunningLeg, at: Date): LegEnding => ({
  leg,
  hangupCause: 'ORIGINATOR_CANCEL',
  endedBy: 'system',
  seconds: 0,
  endedAt: later(at, leg.createdAt),
  endedOnNode: null,
});

/** Returns the end of a leg whose engine can no longer report it. */
export function lostLegEnd(call: Facts, leg: RunningLeg, lastAliveAt: Date): LegEnding {
  const endedAt = later(call.engineLostAt ?? lastAliveAt, leg.answeredAt ?? leg.createdAt);
  const funding = { answeredAt: leg.answeredAt, fundedSeconds: fundingOf(call, leg) };
  return { leg, ...lostEnding(funding, endedAt), endedAt, endedOnNode: null };
}

/** Returns the funded seconds of the leg; those of the call for its first two legs and for free legs. */
export const fundingOf = (call: Pick<LiveCall, 'fundedSeconds'>, leg: RunningLeg): number =>
  leg.fundedSeconds ?? call.fundedSeconds;

/** Whether the leg is billed or recorded by its talk time; that of a free leg is not bounded by the funding of its call. */
const isFunded = ({ letter, role, fundedSeconds }: RunningLeg): boolean =>
  fundedSeconds !== null || (isOriginal(letter) && role === 'destination');

export const isOriginal = (letter: string): boolean => letter === 'a' || letter === 'b';

function bounded(call: Facts, leg: RunningLeg, talked: number): number {
  const seconds = Math.ceil(talked / 1000);
  return isFunded(leg) ? Math.min(seconds, fundingOf(call, leg)) : seconds;
}

function answered(call: Facts, leg: RunningLeg, { endedBy }: LegEnd): Omit<Ending, 'seconds'> {
  if (endedBy === 'limit') return { hangupCause: 'ALLOTTED_TIMEOUT', endedBy: 'system' };
  const hangupCause = 'NORMAL_CLEARING';
  const isAsked = call.hangupAskedAt !== null || leg.wanted === 'leave';
  return { hangupCause, endedBy: isAsked || endedBy === null ? 'system' : partyOf(leg) };
}

function unanswered(call: Facts, leg: RunningLeg, end: LegEnd): Omit<Ending, 'seconds'> {
  if (call.hangupAskedAt !== null || leg.wanted === 'leave')
    return { hangupCause: 'ORIGINATOR_CANCEL', endedBy: 'system' };
  const unavailability = leg.order?.unavailability;
  if (unavailability)
    return { hangupCause: refusalOfUnavailable[unavailability].hangupCause, endedBy: partyOf(leg) };
  return { hangupCause: unansweredCause(leg.state === 'ringing', end), endedBy: partyOf(leg) };
}

const partyOf = ({ role }: RunningLeg): EndedBy => (role === 'destination' ? 'destination' : 'extension');

const later = (one: Date, other: Date): Date => (one > other ? one : other);
