import type { ErrorCode } from '../../platform/errors.ts';
import type { EndedBy, LiveCall } from './call.ts';

/** A call that has ended, without personal data. */
export interface EndedCall extends Pick<LiveCall, 'callId' | 'kind' | 'node' | 'requestedAt' | 'claimedAt'> {
  hangupCause: string;
  endedBy: EndedBy;
  talkedSeconds: number;
  answeredAt: Date | null;
  endedAt: Date;
}

/** What requested a call, or more time for one that is running. */
export const requesters = ['api', 'phone', 'carrier', 'renewal'] as const;
export type Requester = (typeof requesters)[number];

/**
 * Why a call was closed without an engine event: no node claimed it in time, its node was lost, its engine no longer
 * had it, its detail record ended it, it was adopted from the node's previous lease holder, or the engine still had it
 * after its end.
 */
export const reconciliations = [
  'unclaimed',
  'node_lost',
  'engine_lost',
  'record',
  'adopted',
  'stranger',
] as const;
export type Reconciliation = (typeof reconciliations)[number];

/** Observes calls. Called once, after commit; must not block or throw. */
export interface CallObserver {
  callEnded(call: EndedCall): void;
  callRefused(by: Requester, code: ErrorCode): void;
  callReconciled(how: Reconciliation): void;
}

/** For programs without metrics, such as the operator's CLI. */
export const noObserver: CallObserver = {
  callEnded: () => undefined,
  callRefused: () => undefined,
  callReconciled: () => undefined,
};
