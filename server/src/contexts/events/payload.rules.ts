import { wallTime } from '../../platform/time.ts';

/** The call as it was when the event occurred. */
export interface CallSnapshot {
  id: string;
  domain: string;
  call_type: string;
  from: string;
  to: string;
  started_at: string;
  answered_at: string | null;
  ended_at: string | null;
  duration: number;
  billed_duration: number | null;
  hangup_cause: string | null;
  ended_by: string | null;
  minute_price_micros: number | null;
  call_price_micros: number | null;
  metadata: Record<string, unknown>;
  /** Set only for events that are shown with the call as it is when they are read. */
  disposition?: string | null;
  note?: string | null;
  tags?: string[];
}

export interface EventSnapshot {
  type: string;
  subjectId: string;
  occurredAt: Date;
  accountSequence: number;
  /** Number within the call; absent for events that are not a step of a call. */
  sequence: number | undefined;
  call: CallSnapshot | undefined;
  data: Record<string, unknown>;
}

export interface Recipient {
  version: string;
  domain: string;
  timezone: string;
}

/** Facts that are not part of the call record. */
export interface CallExtras {
  recordUrl: string | null;
  hangupCauseCode: string | null;
}

const endFields = [
  'endedAt',
  'endedAtIso',
  'duration',
  'hangupCause',
  'hangupCauseCode',
  'recordUrl',
] as const;
/** A call may also be updated while it runs; its end is null then. */
const hasEndFields = new Set(['channel-hangup', 'call-priced', 'recording-ready', 'call-updated']);

/** Builds the body of a webhook. Only `version` depends on the configured version. */
export function eventBody(event: EventSnapshot, to: Recipient, known: CallExtras): Record<string, unknown> {
  const common = { version: to.version, eventType: event.type, accountSequence: event.accountSequence };
  if (!event.call) {
    return {
      ...common,
      id: event.subjectId,
      domain: to.domain,
      ...times({ occurredAt: event.occurredAt }, to),
      ...event.data,
    };
  }
  const whole = {
    ...common,
    ...callPayload(event.call, to, known),
    ...orderOf(event),
    ...priceOf(event),
    ...noteOf(event),
  };
  if (hasEndFields.has(event.type)) return whole;
  const running = Object.entries(whole).filter(([name]) => !(endFields as readonly string[]).includes(name));
  return { ...Object.fromEntries(running), ...controlOf(event) };
}

function callPayload(
  call: CallSnapshot,
  to: Recipient,
  { recordUrl, hangupCauseCode }: CallExtras,
): Record<string, unknown> {
  return {
    id: call.id,
    domain: call.domain,
    direction: call.call_type === 'inbound' ? 'inbound' : 'outbound',
    caller: call.from,
    called: call.to,
    timezone: to.timezone,
    ...times(
      {
        startedAt: dateOf(call.started_at),
        answeredAt: dateOf(call.answered_at),
        endedAt: dateOf(call.ended_at),
      },
      to,
    ),
    duration: call.duration,
    hangupCause: call.hangup_cause,
    hangupCauseCode,
    endedBy: call.ended_by,
    recordUrl,
    metadata: call.metadata,
  };
}

const orderOf = ({ sequence }: EventSnapshot): object => (sequence === undefined ? {} : { sequence });

const priceOf = ({ type, call }: EventSnapshot): object =>
  type === 'call-priced' && call
    ? {
        billedDuration: call.billed_duration,
        minutePrice: reais(call.minute_price_micros),
        callPrice: reais(call.call_price_micros),
      }
    : {};

const noteOf = ({ type, call }: EventSnapshot): object =>
  type === 'call-updated' && call
    ? { disposition: call.disposition ?? null, note: call.note ?? null, tags: call.tags ?? [] }
    : {};

function controlOf({ type, data }: EventSnapshot): object {
  const { party, kind, to, result, hangup_cause: hangupCause = null } = data;
  switch (type) {
    case 'channel-hold':
    case 'channel-unhold':
      return { party };
    case 'channel-transfer':
      return { kind, to, result, hangupCause };
    case 'channel-conference':
      return { to, result, hangupCause };
    default:
      return {};
  }
}

const reais = (micros: number | null): number | null => (micros === null ? null : micros / 1_000_000);

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

/** Formats each time twice: in the account's time zone, and in ISO 8601. */
function times(moments: Record<string, Date | null>, { timezone }: Recipient): Record<string, string | null> {
  const formatted: Record<string, string | null> = {};
  for (const [name, at] of Object.entries(moments)) {
    formatted[name] = at && wallTime(at, timezone);
    formatted[`${name}Iso`] = at?.toISOString() ?? null;
  }
  return formatted;
}
