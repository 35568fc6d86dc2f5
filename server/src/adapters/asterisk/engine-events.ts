import { z } from 'zod';
import type { EngineEvent } from '../../contexts/telephony/index.ts';
import { callIdPattern, endOfFields, legPattern, secondsOf } from './engine-end.ts';
import { readIncomingLeg } from './incoming-leg.ts';

/** Other events are filtered out in the engine: sending them would take more CPU time than a call step. */
export const subscribedEvents = ['ChannelUserevent', 'ChannelDestroyed', 'Dial', 'RESTResponse'];

const at = { timestamp: z.string() };
const leg = z.object({ id: z.string() });

const event = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Dial'), ...at, caller: leg.optional(), peer: leg, dialstatus: z.string() }),
  z.object({
    type: z.literal('ChannelUserevent'),
    ...at,
    eventname: z.string(),
    userevent: z.record(z.string(), z.unknown()),
  }),
  z.object({
    type: z.literal('ChannelDestroyed'),
    ...at,
    channel: leg.extend({ state: z.string() }),
    cause: z.number(),
    tech_cause: z.number().optional(),
  }),
]);

type Message = z.infer<typeof event>;

/** Translates an engine event; undefined if it is irrelevant. `tlsListener` is where carriers connect over TLS. */
export function readEvent(message: unknown, tlsListener?: string): EngineEvent | undefined {
  const parsed = event.safeParse(message);
  if (!parsed.success) return undefined;
  switch (parsed.data.type) {
    case 'Dial':
      return readDial(parsed.data);
    case 'ChannelUserevent':
      return readUserEvent(parsed.data, tlsListener);
    case 'ChannelDestroyed':
      return readDestroyed(parsed.data);
  }
}

/** Reads dial progress: a first leg rings or answers, or a second leg rings. The dialplan reports the rest. */
function readDial({
  caller,
  peer,
  dialstatus,
  timestamp,
}: Extract<Message, { type: 'Dial' }>): EngineEvent | undefined {
  const onNode = Date.parse(timestamp) / 1000;
  if (caller) return dialstatus === 'RINGING' ? readAlerting(caller.id, onNode) : undefined;
  const callId = legPattern.exec(peer.id)?.[1];
  if (callId === undefined) return undefined;
  if (dialstatus === 'RINGING') return { kind: 'ringing', callId, onNode } as const;
  if (dialstatus === 'ANSWER') return { kind: 'dialing', callId, onNode } as const;
  return undefined;
}

function readAlerting(leg: string, onNode: number): EngineEvent {
  const callId = legPattern.exec(leg)?.[1];
  return callId === undefined ? { kind: 'rings-for', leg, onNode } : { kind: 'alerting', callId, onNode };
}

function readUserEvent(
  { eventname, userevent }: Extract<Message, { type: 'ChannelUserevent' }>,
  tlsListener: string | undefined,
): EngineEvent | undefined {
  const fields = userevent as Record<string, string | undefined>;
  if (eventname === 'CallWanted') {
    const incoming = readIncomingLeg(fields, tlsListener);
    return incoming && { kind: 'incoming', incoming };
  }
  const callId = fields.CallId;
  if (callId === undefined || !callIdPattern.test(callId)) return undefined;
  if (eventname === 'CallAnswered') {
    const onNode = secondsOf(fields.AnsweredAt);
    return onNode === null ? undefined : { kind: 'answered', callId, onNode };
  }
  if (eventname !== 'CallEnded') return undefined;
  const end = endOfFields({
    endedAt: fields.EndedAt,
    answeredAt: fields.AnsweredAt,
    cause: fields.Cause,
    sipStatus: fields.SipStatus,
    dialStatus: fields.DialStatus,
    endedBy: fields.EndedBy,
  });
  return end && { kind: 'ended', callId, end };
}

/**
 * Reads the end of a first leg. If the leg never answered, no dialplan ran and this event is the only report. Otherwise
 * the end is taken from the dialplan's event or detail record, because this event lacks the talk time. For an incoming
 * leg, this event follows the dialplan's report, if there is one.
 */
function readDestroyed(message: Extract<Message, { type: 'ChannelDestroyed' }>): EngineEvent | undefined {
  if (message.channel.state === 'Up') return undefined;
  const callId = legPattern.exec(message.channel.id)?.[1];
  const end = {
    endedOnNode: Date.parse(message.timestamp) / 1000,
    answeredOnNode: null,
    cause: message.cause,
    sipStatus: message.tech_cause || null,
    dialStatus: '',
    endedBy: null,
  };
  if (callId === undefined) return { kind: 'gone', leg: message.channel.id, end };
  return { kind: 'ended', callId, end };
}
