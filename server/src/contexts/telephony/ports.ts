import type { EngineEnd, LegCounts, LegEnd } from '../calls/index.ts';
import type { PhoneRoute } from './legs/reach-phone.rules.ts';
import type { Route } from './trunks/choose-trunk.rules.ts';
import type { Trunk, TrunkLogin } from './trunks/trunk.ts';

/** A request to originate a call. */
export interface DialRequest {
  callId: string;
  /** Channel id of the first leg. */
  leg: string;
  /** Where the softphone is registered; absent for a call to its destination only. */
  extension?: { ramal: string; domain: string; way: PhoneRoute; autoAnswer: boolean; ringSeconds: number };
  destination: {
    /** The number as requested, which the softphone shows. */
    number: string;
    ringSeconds: number;
    /** Routes in the order of attempts. */
    routes: Route[];
  };
  /** A code to speak to the destination, instead of connecting an extension. */
  speech?: { code: string; locale: string };
  fundedSeconds: number;
  record: boolean;
  /** Unix time; the edge rejects this request after it. */
  notAfter: number;
}

/** How to route a leg that a phone or a carrier started. */
export type RoutingDecision =
  | { kind: 'refuse'; status: number }
  | { kind: 'trunk'; call: RoutedCall; routes: DialRequest['destination']['routes'] }
  /** `shown` is the calling number. */
  | { kind: 'phone'; call: RoutedCall; ramal: string; domain: string; way: PhoneRoute; shown: string };

interface RoutedCall {
  callId: string;
  ringSeconds: number;
  fundedSeconds: number;
  record: boolean;
}

/** A leg that waits for its routing decision. */
interface LegFields {
  leg: string;
  /** Digest of its SIP Call-ID, the same at every node that is tried. */
  sip: string;
  called: string;
  /** Source address of its INVITE, as `host:port`. */
  source: string;
  onNode: number;
}

export interface PhoneLeg extends LegFields {
  by: 'phone';
  ramal: string;
  domain: string;
  /** The edge's time limit, in seconds. */
  notAfter: number;
  /** The edge's signature, as `key number.unique text.base64url`; empty from an edge of the previous release. */
  signature: string;
}

interface CarrierLeg extends LegFields {
  by: 'carrier';
  from: string;
  /** Name of the endpoint whose rules it fulfilled; empty from a node of the previous release. */
  endpoint: string;
  /** Whether its INVITE came over TLS. */
  isEncrypted: boolean;
}

export type IncomingLeg = PhoneLeg | CarrierLeg;

/** An event from a media node. Times are seconds on its clock. */
export type EngineEvent =
  | { kind: 'ringing' | 'dialing' | 'answered'; callId: string; onNode: number }
  /** The destination of a call that we originated is ringing. */
  | { kind: 'alerting'; callId: string; onNode: number }
  | { kind: 'ended'; callId: string; end: EngineEnd }
  /** What the engine counted in the dialled leg of a call without commands, at its end, before or after that of the call. */
  | { kind: 'second-leg-counts'; callId: string; counts: LegCounts }
  | { kind: 'incoming'; incoming: IncomingLeg }
  /** The called party of an incoming leg is ringing. */
  | { kind: 'rings-for'; leg: string; onNode: number }
  /** An incoming leg ended without having been answered. */
  | { kind: 'gone'; leg: string; end: EngineEnd }
  /** A further leg of a call is ringing. */
  | { kind: 'leg-ringing'; callId: string; letter: string; onNode: number }
  /** A leg has entered the room or the music. */
  | {
      kind: 'leg-placed';
      callId: string;
      letter: string;
      place: 'room' | 'music';
      onNode: number;
      answeredOnNode: number | null;
    }
  /** A leg has ended; others of its call may continue. */
  | { kind: 'leg-ended'; callId: string; letter: string; end: LegEnd };

/** The channels of a media node. */
interface Legs {
  /** Their ids and their names. */
  all: Set<string>;
  /** Ids and names of first legs of calls that are being dialled or are connected, and of legs in rooms or on hold. */
  own: Map<string, string>;
}

/** Where a command sends a leg: into the room of its call, to the music on hold, or out of the call. */
export type Place = 'room' | 'music' | 'leave';

/** A request to dial a further leg of a call, which enters the room when it answers. */
export interface LegRequest {
  callId: string;
  /** Its channel id. */
  leg: string;
  letter: string;
  to:
    | { kind: 'extension'; ramal: string; domain: string; way: PhoneRoute; shown: string }
    | { kind: 'number'; route: Route };
  ringSeconds: number;
  /** Its time from its answer on. */
  limitSeconds: number;
  /** The legs that it fetches from the music when it answers. */
  fetches: string[];
  /** Unix time; the edge rejects this request after it. */
  notAfter: number;
}

/** What the engine knows of a leg of a call that had a command. */
export interface LegState {
  /** Null if it has entered neither the room nor the music. */
  place: 'room' | 'music' | null;
  /** Whether it continues the recording. */
  records: boolean;
  answeredOnNode: number | null;
  isRinging: boolean;
}

/** Commands for legs of answered calls. Places are reported by events. */
export interface LegCommands {
  /** Moves both legs of a call out of their Dial; does nothing if they are no longer in it. */
  lift(legs: {
    callId: string;
    first: string;
    second: string;
    to: { first: Place; second: Place };
  }): Promise<void>;
  move(callId: string, leg: string, to: Place): Promise<void>;
  /** Returns false if the engine refused; throws if it is unknown whether the engine accepted. */
  addLeg(request: LegRequest): Promise<boolean>;
  mute(leg: string, isMuted: boolean): Promise<void>;
  /** Lets the leg continue the recording of its call when it next enters the room. */
  recordWith(leg: string): Promise<void>;
  /** Null if the leg has ended. */
  stateOf(leg: string): Promise<LegState | null>;
}

/** Audio packets that the engine has received from and sent to the party of a leg. */
export interface LegTraffic {
  received: number;
  sent: number;
}

/** Addresses of a leg, without ports. */
export interface LegSource {
  /** Whether the leg is that of a phone without media encryption. */
  isPlain: boolean;
  /** Where the engine sends audio: the address from which it receives audio, or that of the session description. */
  audio: string;
  /** The source of the phone's last request or response, according to its edge; empty if unknown. */
  phone: string;
}

/** Settings of a trunk that a media node uses under this name. */
export interface TrunkEndpoint {
  name: string;
  transport: Trunk['transport'];
  srtp: boolean;
  outbound: TrunkLogin | null;
  inbound: TrunkLogin | null;
}

/** A media node connected to this process, under its control while connected. */
export interface MediaNode extends LegCommands {
  readonly name: string;
  /** Whether its dialplan has the commands. */
  controlsCalls(): Promise<boolean>;
  /** Returns false if the engine refused; throws if it is unknown whether the engine accepted. */
  dial(request: DialRequest): Promise<boolean>;
  /** Sends the routing decision to a leg, if the leg is still waiting. */
  decide(leg: string, decision: RoutingDecision): Promise<void>;
  /** Ends the leg, if it exists; and the call, if it is the first leg and the call had no command. */
  hangUp(leg: string): Promise<void>;
  /** Limits the leg to this many seconds from now; the first leg of a call limits the call until its first command. */
  limit(leg: string, seconds: number): Promise<void>;
  legs(): Promise<Legs>;
  /** When the destination answered; null if it has not. */
  answeredOnNode(leg: string): Promise<number | null>;
  /** The leg that the engine dialled for this first leg; null if there is none. */
  dialledLeg(leg: string): Promise<string | null>;
  /** Null if the leg has ended. */
  traffic(leg: string): Promise<LegTraffic | null>;
  /** Null if the leg has ended. */
  audioSource(leg: string): Promise<LegSource | null>;
  /** Whether the other party has put this leg on hold. */
  isHeld(leg: string): Promise<boolean>;
  /** Adds an endpoint, whose name is new or has the same settings as before. */
  addTrunk(endpoint: TrunkEndpoint): Promise<void>;
  removeTrunk(name: string): Promise<void>;
  /** Sets the endpoint whose rules apply to calls from this address; null if the address is enough. */
  identifyCarrier(address: string, endpoint: string | null): Promise<void>;
  readClock(): Promise<number>;
  /** The start time identifies the engine's process. */
  info(): Promise<{ startedAt: string; version: string }>;
  onEvent(listener: (event: EngineEvent) => void): void;
  /** Resolves when the connection is closed. */
  readonly gone: Promise<void>;
  disconnect(): void;
}
