import { z } from 'zod';
import type { EngineEvent } from '../../contexts/telephony/index.ts';
import {
  callIdPattern,
  callOfFirstLeg,
  type EndFields,
  endOfFields,
  legEndOfFields,
  letterPattern,
  readLegId,
  secondsOf,
} from './engine-end.ts';
import { readIncomingLeg } from './incoming-leg.ts';
import { placeOf } from './leg-commands.ts';
import { readLegCounts } from './leg-counts.ts';

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

/** Reads dial progress: a leg that we originated rings, or the first answers. The dialplan reports the rest. */
function readDial({
  caller,
  peer,
  dialstatus,
  timestamp,
}: Extract<Message, { type: 'Dial' }>): EngineEvent | undefined {
  const onNode = Date.parse(timestamp) / 1000;
  if (caller) return dialstatus === 'RINGING' ? readAlerting(caller.id, onNode) : undefined;
  const dialled = readLegId(peer.id);
  if (!dialled) return undefined;
  const { callId, letter } = dialled;
  if (letter !== 'a')
    return dialstatus === 'RINGING' ? { kind: 'leg-ringing', ...dialled, onNode } : undefined;
  if (dialstatus === 'RINGING') return { kind: 'ringing', callId, onNode } as const;
  if (dialstatus === 'ANSWER') return { kind: 'dialing', callId, onNode } as const;
  return undefined;
}

function readAlerting(leg: string, onNode: number): EngineEvent {
  const callId = callOfFirstLeg(leg);
  return callId === undefined ? { kind: 'rings-for', leg, onNode } : { kind: 'alerting', callId, onNode };
}

function readUserEvent(
  { eventname, userevent }: Extract<Message, { type: 'ChannelUserevent' }>,
  tlsListener: string | undefined,
): EngineEvent | undefined {
  const fields = userevent as Fields;
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
  if (eventname === 'LegPlaced') return readPlaced(callId, fields);
  if (eventname === 'LegEnded') return readLegEnd(callId, fields);
  if (eventname === 'SecondLegCounts') {
    const counts = readLegCounts(fields.Leg2);
    return counts && { kind: 'second-leg-counts', callId, counts };
  }
  if (eventname !== 'CallEnded') return undefined;
  const end = endOfFields(endFields(fields));
  return end && { kind: 'ended', callId, end };
}

type Fields = Record<string, string | undefined>;

const endFields = (fields: Fields): EndFields => ({
  endedAt: fields.EndedAt,
  answeredAt: fields.AnsweredAt,
  cause: fields.Cause,
  sipStatus: fields.SipStatus,
  dialStatus: fields.DialStatus,
  endedBy: fields.EndedBy,
  firstLeg: fields.Leg1,
  secondLeg: undefined,
});

function readPlaced(callId: string, { Letter: letter = '', ...fields }: Fields): EngineEvent | undefined {
  const place = placeOf(fields.Place);
  const onNode = secondsOf(fields.At);
  if (!letterPattern.test(letter) || !place || onNode === null) return undefined;
  return { kind: 'leg-placed', callId, letter, place, onNode, answeredOnNode: secondsOf(fields.AnsweredAt) };
}

function readLegEnd(callId: string, { Letter: letter = '', ...fields }: Fields): EngineEvent | undefined {
  const end = legEndOfFields(endFields(fields));
  return letterPattern.test(letter) && end ? { kind: 'leg-ended', callId, letter, end } : undefined;
}

/**
 * Reads the end of a leg that we originated, or of an incoming one. If the leg never answered, no dialplan ran and this
 * event is the only report. Otherwise the end is taken from the dialplan's event or detail record, because this event
 * lacks the talk time. For an incoming leg, this event follows the dialplan's report, if there is one.
 */
function readDestroyed(message: Extract<Message, { type: 'ChannelDestroyed' }>): EngineEvent | undefined {
  if (message.channel.state === 'Up') return undefined;
  const leg = readLegId(message.channel.id);
  const end = {
    endedOnNode: Date.parse(message.timestamp) / 1000,
    answeredOnNode: null,
    cause: message.cause,
    sipStatus: message.tech_cause || null,
    dialStatus: '',
    endedBy: null,
  };
  if (!leg) return { kind: 'gone', leg: message.channel.id, end };
  return leg.letter === 'a' ? { kind: 'ended', callId: leg.callId, end } : { kind: 'leg-ended', ...leg, end };
}
