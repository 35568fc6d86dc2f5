import type { Book } from '../billing/index.ts';
import type { Registration } from '../extensions/index.ts';
import type { CallState } from './call.rules.ts';

/** Why the owner of an extension does not take inbound and internal calls. */
export type Unavailability = 'away' | 'do_not_disturb';

/** Everything needed to dial, as of the request. */
export interface CallOrder {
  ramal: string;
  domain: string;
  /** Digits with country code. */
  destination: string;
  /** The number to present; null presents the trunk's default. For an inbound call, the calling party's number. */
  callerId: string | null;
  record: boolean;
  autoAnswer: boolean;
  /** Only for verification calls. Encrypted, so that the code is not stored in clear text. */
  sealedCode?: string;
  locale?: string;
  /** Registration of the softphone to ring. Absent if none rings, or if an earlier release wrote the order. */
  phone?: Registration;
  /** Why no phone rings: the called extension's owner does not take calls. */
  unavailability?: Unavailability;
  /** Channel id of the leg that a phone or a carrier started. */
  leg?: string;
  /** Digest of that leg's SIP Call-ID, unique among the account's live calls. */
  sip?: string;
}

/**
 * We originate `click` (rings an extension, then its destination) and `code` (speaks a code to the destination). A phone
 * starts `dialled` and `internal` calls, a carrier starts `inbound` calls.
 */
export type CallKind = 'click' | 'code' | 'dialled' | 'internal' | 'inbound';

/** A call that has not ended. */
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
  /** Seconds on the node's clock. */
  answeredOnNode: number | null;
  answeredAt: Date | null;
  renewAt: Date | null;
  hangupAskedAt: Date | null;
  /** When the call was last known to be alive, if its engine has restarted since. */
  engineLostAt: Date | null;
  /** Whether the call has had a command, so that its legs end one by one. */
  hasLegs: boolean;
}

/** Returns the channel id of the first leg of a call that we originate. */
export const ownLeg = (callId: string): string => `${callId}.a`;

/** Returns the channel id of the leg that started the call. */
export const firstLegId = ({ callId, order }: Pick<LiveCall, 'callId' | 'order'>): string =>
  order.leg ?? ownLeg(callId);

/** The right to control a node. Writes under an older epoch change nothing. */
export interface Lease {
  node: string;
  epoch: number;
}

/** Wakes call control: the node given or, without one, every node. Optional: they also poll. */
export type WakeVoice = (work: 'call' | 'hangup' | 'control', node: string | undefined) => void;

export type EndedBy = 'extension' | 'destination' | 'system';

/** How a call ended, from the engine's event or detail record. */
export interface EngineEnd {
  /** Seconds on the node's clock. */
  endedOnNode: number;
  answeredOnNode: number | null;
  /** Q.850 cause. */
  cause: number;
  /** The last SIP status of the leg that failed, if any. */
  sipStatus: number | null;
  /** DIALSTATUS of the dialplan for the destination; empty if it was never dialled. */
  dialStatus: string;
  endedBy: 'limit' | 'extension' | 'destination' | null;
  /** Counts of the first leg and of the dialled one, if the engine reported them. */
  legs?: { first?: LegCounts | undefined; second?: LegCounts | undefined };
  /** Legs whose party's audio was missing at the end of the call. */
  missing?: ('first' | 'second')[];
}

/**
 * What the RTP stack of the engine counted in one leg. Losses are those until the last report, which both sides send
 * every 5 s; values of the other side are null if it sent no report.
 */
export interface LegCounts {
  /** Packets from the party of the leg. */
  received: number;
  /** Packets to the party of the leg. */
  sent: number;
  receivedLost: number;
  sentLost: number | null;
  receivedJitterSeconds: number;
  sentJitterSeconds: number | null;
  roundTripSeconds: number | null;
  codec: string | null;
}
