import type { Book } from '../../billing/index.ts';
import type { Registration } from '../../extensions/index.ts';
import type { EngineEnd, Unavailability } from '../call.ts';

/**
 * Where a leg is: still in the `Dial` of its call, nowhere because it has not answered, in the room of its call, beside it
 * with music, or leaving.
 */
export type LegPlace = 'dial' | 'none' | 'room' | 'music' | 'leave';

export type LegState = 'pending' | 'dialling' | 'ringing' | 'answered' | 'ended';

/** Everything needed to dial a leg, as of the request. */
export interface LegOrder {
  /** The called extension and its softphone's registration; absent for a number outside. */
  ramal?: string;
  phone?: Registration;
  /** Why the extension is not rung: its owner does not take calls. */
  unavailability?: Unavailability;
  /** The credit that pays for a number outside. */
  book?: Book;
  domain: string;
  /** Digits with country code, or the number of the extension. */
  destination: string;
  /** The number to present; null presents the trunk's default. For an extension, the number that its phone shows. */
  callerId: string | null;
}

/** A leg of a running call that has had a command. */
export interface RunningLeg {
  id: string;
  accountId: number;
  callId: string;
  node: string;
  /** `a` for the first leg, `b` for the one that the engine dialled for it, later letters for added legs. */
  letter: string;
  role: 'extension' | 'destination' | 'supervisor';
  number: string;
  /** Channel id; null until voice has read or dialled it. */
  engineLeg: string | null;
  order: LegOrder | null;
  state: LegState;
  place: LegPlace;
  wanted: LegPlace;
  isMuted: boolean;
  wantsMute: boolean;
  /** Why the leg was added; null for `a` and `b`. */
  purpose: 'blind' | 'attended' | 'conference' | null;
  /** The letters of the legs that wait for this leg on hold; null unless it was called in a transfer. */
  fetches: string | null;
  createdAt: Date;
  /** Seconds on the node's clock. */
  answeredOnNode: number | null;
  answeredAt: Date | null;
  /** Null for `a` and `b`, which have the funding of their call, and for free legs. */
  fundedSeconds: number | null;
  renewAt: Date | null;
}

/** What the engine reports of a leg. */
export type LegReport =
  | { kind: 'engine-leg'; legId: string; engineLeg: string; at: Date }
  | { kind: 'placed'; legId: string; place: LegPlace; at: Date; onNode: number }
  | { kind: 'muted'; legId: string; isMuted: boolean; at: Date }
  | { kind: 'ringing' | 'answered'; legId: string; at: Date; onNode: number };

/** How a leg ended, from the engine's event or detail record. */
export interface LegEnd extends Pick<EngineEnd, 'endedOnNode' | 'answeredOnNode' | 'cause' | 'sipStatus'> {
  /** `party` if the party of the leg hung up; null if the engine or voice ended the leg. */
  endedBy: 'limit' | 'party' | null;
}
