import type { EngineEnd } from '../calls/index.ts';

/** What a media node is asked to dial. */
export interface DialRequest {
  callId: string;
  /** Where the softphone is registered; absent for a call that goes to its destination alone. */
  extension?: { ramal: string; domain: string; autoAnswer: boolean; ringSeconds: number };
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

/** What a media node tells. Times are seconds by its own clock. */
export type EngineEvent =
  | { kind: 'ringing' | 'dialing' | 'answered'; callId: string; onNode: number }
  | { kind: 'ended'; callId: string; end: EngineEnd };

/** A media node that has connected to this process and takes its orders for as long as it stays connected. */
export interface MediaNode {
  readonly name: string;
  /** False when the engine refused; throws when it is not known whether the engine has taken it. */
  dial(request: DialRequest): Promise<boolean>;
  /** Ends the call if it is there. */
  hangUp(callId: string): Promise<void>;
  /** Lets a call talk for so many seconds from now. */
  limit(callId: string, seconds: number): Promise<void>;
  /** The calls whose first leg is there. */
  callIds(): Promise<Set<string>>;
  /** When the destination answered a call that is there; null if it has not. */
  answeredOnNode(callId: string): Promise<number | null>;
  readClock(): Promise<number>;
  /** When this engine was started tells one life from the next. */
  info(): Promise<{ startedAt: string; version: string }>;
  onEvent(listener: (event: EngineEvent) => void): void;
  /** Resolves once the connection is gone. */
  readonly gone: Promise<void>;
  disconnect(): void;
}
