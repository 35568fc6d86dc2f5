import type { EngineEnd } from '../calls/index.ts';
import type { WayToPhone } from './legs/reach-phone.rules.ts';

/** What a media node is asked to dial. */
export interface DialRequest {
  callId: string;
  /** The name that its first leg gets. */
  leg: string;
  /** Where the softphone is registered; absent for a call that goes to its destination alone. */
  extension?: { ramal: string; domain: string; way: WayToPhone; autoAnswer: boolean; ringSeconds: number };
  destination: {
    /** As it was asked for; the softphone shows it. */
    number: string;
    ringSeconds: number;
    /** In the order in which they are tried. */
    routes: { number: string; address: string; callerId: string }[];
  };
  /** A code to speak to the destination, instead of connecting an extension. */
  speech?: { code: string; locale: string };
  fundedSeconds: number;
  record: boolean;
  /** Seconds since 1970 after which the edge rings nobody for this request. */
  notAfter: number;
}

/** What becomes of a leg that a phone or a carrier began. */
export type Verdict =
  | { kind: 'refuse'; status: number }
  | { kind: 'trunk'; call: VerdictCall; routes: DialRequest['destination']['routes'] }
  /** `shown` is the number of whoever calls. */
  | { kind: 'phone'; call: VerdictCall; ramal: string; domain: string; way: WayToPhone; shown: string };

interface VerdictCall {
  callId: string;
  ringSeconds: number;
  fundedSeconds: number;
  record: boolean;
}

/** A leg that waits to be told what becomes of it. */
export type WantedCall = {
  leg: string;
  /** A digest of its SIP Call-ID: the same at every node that the call is brought to. */
  sip: string;
  called: string;
  /** From where its request came, as `host:port`. */
  source: string;
  onNode: number;
} & ({ by: 'phone'; ramal: string; domain: string } | { by: 'carrier'; from: string });

/** What a media node tells. Times are seconds by its own clock. */
export type EngineEvent =
  | { kind: 'ringing' | 'dialing' | 'answered'; callId: string; onNode: number }
  | { kind: 'ended'; callId: string; end: EngineEnd }
  | { kind: 'wanted'; wanted: WantedCall }
  /** Somebody is rung for a leg that a phone or a carrier began. */
  | { kind: 'rings-for'; leg: string; onNode: number }
  /** A leg that somebody else began is gone without having been answered. */
  | { kind: 'gone'; leg: string; end: EngineEnd };

/** The legs that a media node has. */
interface Legs {
  all: Set<string>;
  /** Those of them that began a call which is dialled or connected. */
  first: Set<string>;
}

/** A media node that has connected to this process and takes its orders for as long as it stays connected. */
export interface MediaNode {
  readonly name: string;
  /** False when the engine refused; throws when it is not known whether the engine has taken it. */
  dial(request: DialRequest): Promise<boolean>;
  /** Says what becomes of a leg that waits for it, if it still does. */
  decide(leg: string, verdict: Verdict): Promise<void>;
  /** Ends the call with this first leg, if it is there. */
  hangUp(leg: string): Promise<void>;
  /** Lets a call talk for so many seconds from now. */
  limit(leg: string, seconds: number): Promise<void>;
  legs(): Promise<Legs>;
  /** When the destination answered a call that is there; null if it has not. */
  answeredOnNode(leg: string): Promise<number | null>;
  readClock(): Promise<number>;
  /** When this engine was started tells one life from the next. */
  info(): Promise<{ startedAt: string; version: string }>;
  onEvent(listener: (event: EngineEvent) => void): void;
  /** Resolves once the connection is gone. */
  readonly gone: Promise<void>;
  disconnect(): void;
}
