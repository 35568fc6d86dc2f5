import type { EventType } from './types.ts';

interface Common<Type extends EventType> {
  /** The `webhookVersion` of the integration. */
  version: string;
  eventType: Type;
  /** Number of the event within the account, without gaps; 0 for a sample. */
  accountSequence: number;
  domain: string;
}

/** Times are included twice: in the account's time zone for people, and as ISO 8601 in UTC. */
interface CallFacts<Type extends EventType> extends Common<Type> {
  /** Id of the call. */
  id: string;
  direction: 'inbound' | 'outbound';
  caller: string;
  called: string;
  timezone: string;
  startedAt: string;
  startedAtIso: string;
  answeredAt: string | null;
  answeredAtIso: string | null;
  endedBy: 'extension' | 'destination' | 'system' | null;
  /** As sent when the call was placed. */
  metadata: Record<string, unknown>;
}

interface InCallOrder {
  /** Number of the event within its call, from 1. */
  sequence: number;
}

interface CallEnd {
  endedAt: string | null;
  endedAtIso: string | null;
  /** Talk time in seconds. */
  duration: number;
  /** For example NORMAL_CLEARING. */
  hangupCause: string | null;
  /** Numeric cause, as text. */
  hangupCauseCode: string | null;
  /** URL of the recording, valid for 24 hours without a token; null if there is none. */
  recordUrl: string | null;
}

interface CallMoney {
  billedDuration: number | null;
  minutePrice: number | null;
  callPrice: number | null;
}

interface Happened {
  id: string;
  occurredAt: string;
  occurredAtIso: string;
}

/** Payload by event type. */
export interface Payloads {
  'channel-create': CallFacts<'channel-create'> & InCallOrder;
  'channel-ringing': CallFacts<'channel-ringing'> & InCallOrder;
  'channel-answer': CallFacts<'channel-answer'> & InCallOrder;
  'channel-hangup': CallFacts<'channel-hangup'> & InCallOrder & CallEnd;
  'call-priced': CallFacts<'call-priced'> & InCallOrder & CallEnd & CallMoney;
  'recording-ready': CallFacts<'recording-ready'> & InCallOrder & CallEnd;
  'charge-paid': Common<'charge-paid'> &
    Omit<Happened, 'id'> & { id: number; amount: number; paymentMethod: string };
  'balance-low': Common<'balance-low'> & Happened & { available: number; book: 'test' | 'live' };
}

/** The body of a webhook; `eventType` determines which. Ignore unknown types: more may be added. */
export type WebhookPayload = { [Type in EventType]: Payloads[Type] }[EventType];
