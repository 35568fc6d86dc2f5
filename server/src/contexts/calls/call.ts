import type { Book } from '../billing/index.ts';
import type { Registration } from '../extensions/index.ts';
import type { CallState } from './call.rules.ts';

/** What is needed to dial, as it was when the call was asked for. */
export interface CallOrder {
  ramal: string;
  domain: string;
  /** Digits with country code. */
  destination: string;
  /** The number to show; null shows the trunk's own. Of a call from outside, the number that calls. */
  callerId: string | null;
  record: boolean;
  autoAnswer: boolean;
  /** Only for a call that speaks a code: sealed, for the queue is no place for secrets. */
  sealedCode?: string;
  locale?: string;
  /** Where the softphone is that will ring; absent when none does, or when a release before this one wrote it. */
  phone?: Registration;
  /** The engine's name of the leg by which a phone or a carrier began the call. */
  leg?: string;
  /** A digest of that leg's SIP Call-ID: no other running call of the account has it. */
  sip?: string;
}

/**
 * A click rings an extension and then its destination, a code is spoken to its destination alone; these we begin. A phone
 * begins dialled and internal ones, a carrier inbound ones.
 */
export type CallKind = 'click' | 'code' | 'dialled' | 'internal' | 'inbound';

/** A call that has not ended, as call control knows it. */
export interface LiveCall {
  callId: string;
  accountId: number;
  book: Book;
  kind: CallKind;
  state: CallState;
  requestedAt: Date;
  order: CallOrder;
  node: string | null;
  claimedAt: Date | null;
  fundedSeconds: number;
  /** Seconds by the node's own clock. */
  answeredOnNode: number | null;
  answeredAt: Date | null;
  renewAt: Date | null;
  hangupAskedAt: Date | null;
  /** When it was last known alive, if its engine has been started anew since. */
  engineLostAt: Date | null;
}

/** The engine's name of the leg that we begin a call with. */
export const ownLeg = (callId: string): string => `${callId}.a`;

/** The engine's name of the leg that began the call. */
export const legOf = ({ callId, order }: Pick<LiveCall, 'callId' | 'order'>): string =>
  order.leg ?? ownLeg(callId);

/** Who speaks for a node: a process whose epoch is over changes nothing any more. */
export interface Lease {
  node: string;
  epoch: number;
}

export type EndedBy = 'extension' | 'destination' | 'system';

/** What the engine tells of an end, from its event or its detail record. */
export interface EngineEnd {
  /** Seconds by the node's own clock. */
  endedOnNode: number;
  answeredOnNode: number | null;
  /** Q.850. */
  cause: number;
  /** The last SIP status of the leg that failed, where there was one. */
  sipStatus: number | null;
  /** The dialplan's word for how dialling the destination went; empty if it was never dialled. */
  dialStatus: string;
  endedBy: 'limit' | 'extension' | 'destination' | null;
}
