import type { ErrorCode } from '../../platform/errors.ts';
import type { EndedBy, LiveCall } from './call.ts';

/** A call that is over, without anything about the people in it. */
export interface EndedCall extends Pick<LiveCall, 'callId' | 'kind' | 'node' | 'requestedAt' | 'claimedAt'> {
  hangupCause: string;
  endedBy: EndedBy;
  talkedSeconds: number;
  answeredAt: Date | null;
  endedAt: Date;
}

/** Whoever asked for a call, or for more time of one that talks. */
export const askers = ['api', 'phone', 'carrier', 'renewal'] as const;
export type Asker = (typeof askers)[number];

/**
 * How a call was put right that nobody told of: no node took it in time, its node was lost, its engine had it no more, its
 * detail record ended it, it was taken up from an earlier owner, or the engine had it although it was over.
 */
export const corrections = [
  'unclaimed',
  'node_lost',
  'engine_lost',
  'record',
  'adopted',
  'stranger',
] as const;
export type Correction = (typeof corrections)[number];

/** Is told what became of calls, once each and after it is written. It must neither wait nor throw. */
export interface CallWatch {
  callEnded(call: EndedCall): void;
  callRefused(by: Asker, code: ErrorCode): void;
  callCorrected(how: Correction): void;
}

/** For programs that show no figures, such as the operator's. */
export const unwatched: CallWatch = {
  callEnded: () => undefined,
  callRefused: () => undefined,
  callCorrected: () => undefined,
};
