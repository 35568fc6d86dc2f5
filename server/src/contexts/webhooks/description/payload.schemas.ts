import { z } from 'zod';
import type { EventType } from '../../../platform/event-types.ts';
import { nameSchemas } from '../../../platform/schema-names.ts';
import { timestampText } from '../../../platform/schemas.ts';

/** The bodies of webhooks, for the API description. `eventBody` builds them; a test compares both. */

const localTime = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/)
  .meta({ description: "In the account's time zone." });
const reais = z.number();

const common = <Type extends EventType>(eventType: Type) => ({
  version: z.string().meta({ description: 'The `webhookVersion` of the integration.' }),
  eventType: z.literal(eventType),
  accountSequence: z.int().meta({
    description: 'Number of the event within the account, without gaps; 0 for a sample.',
  }),
  domain: z.string().meta({ description: 'Domain of the account.' }),
});

const occurred = { occurredAt: localTime, occurredAtIso: timestampText };

const call = <Type extends EventType>(eventType: Type) => ({
  ...common(eventType),
  id: z.uuid().meta({ description: 'The id of the call.' }),
  sequence: z.int().meta({ description: 'Number of the event within the call, from 1.' }),
  direction: z.enum(['inbound', 'outbound']),
  caller: z.string(),
  called: z.string(),
  timezone: z.string().meta({ description: 'The time zone of the times without `Iso`.' }),
  startedAt: localTime,
  startedAtIso: timestampText,
  answeredAt: localTime.nullable(),
  answeredAtIso: timestampText.nullable(),
  endedBy: z.enum(['extension', 'destination', 'system']).nullable(),
  metadata: z.record(z.string(), z.unknown()).meta({ description: 'As sent when the call was placed.' }),
});

const ended = {
  endedAt: localTime.nullable(),
  endedAtIso: timestampText.nullable(),
  duration: z.int().meta({ description: 'Talk time in seconds.' }),
  hangupCause: z.string().nullable().meta({ description: 'For example `NORMAL_CLEARING`.' }),
  hangupCauseCode: z.string().nullable().meta({ description: 'Number of the cause, as text.' }),
  recordUrl: z.string().nullable().meta({
    description: 'Link to the recording, valid for 24 hours without a token; null if there is none.',
  }),
};

const controlled = {
  party: z
    .enum(['extension', 'destination'])
    .meta({ description: 'The party that hears music, or heard it, as in `endedBy`.' }),
};

const added = {
  to: z.string().meta({ description: 'The extension or the number that is called.' }),
  result: z.enum(['started', 'completed', 'cancelled', 'failed']),
  hangupCause: z
    .string()
    .nullable()
    .meta({ description: 'Why the called party ended, if `result` is `failed`; otherwise null.' }),
};

const transferred = { kind: z.enum(['blind', 'attended']), ...added };

const joined = {
  ...added,
  result: z
    .enum(['started', 'completed', 'failed'])
    .meta({ description: '`completed` when the party has joined the call.' }),
};

const { sequence: _, ...updated } = call('call-updated');

const noted = {
  disposition: z.string().nullable(),
  note: z.string().nullable(),
  tags: z.array(z.string()),
};

const priced = {
  billedDuration: z.int().nullable().meta({ description: 'Seconds charged.' }),
  minutePrice: reais.nullable(),
  callPrice: reais.nullable(),
};

export const payloads = {
  'channel-create': z.object(call('channel-create')),
  'channel-ringing': z.object(call('channel-ringing')),
  'channel-answer': z.object(call('channel-answer')),
  'channel-hangup': z.object({ ...call('channel-hangup'), ...ended }),
  'call-priced': z.object({ ...call('call-priced'), ...ended, ...priced }),
  'recording-ready': z.object({ ...call('recording-ready'), ...ended }),
  'call-updated': z.object({ ...updated, ...ended, ...noted }),
  'channel-hold': z.object({ ...call('channel-hold'), ...controlled }),
  'channel-unhold': z.object({ ...call('channel-unhold'), ...controlled }),
  'channel-transfer': z.object({ ...call('channel-transfer'), ...transferred }),
  'channel-conference': z.object({ ...call('channel-conference'), ...joined }),
  'charge-paid': z.object({
    ...common('charge-paid'),
    ...occurred,
    id: z.int().meta({ description: 'The id of the charge.' }),
    amount: reais,
    paymentMethod: z.string().meta({ description: 'As in the charge.' }),
  }),
  'balance-low': z.object({
    ...common('balance-low'),
    ...occurred,
    id: z.string(),
    available: reais,
    book: z.enum(['test', 'live']).meta({ description: 'The mode whose credit is low.' }),
  }),
} satisfies Record<EventType, z.ZodType>;

nameSchemas({
  ChannelCreateEvent: payloads['channel-create'],
  ChannelRingingEvent: payloads['channel-ringing'],
  ChannelAnswerEvent: payloads['channel-answer'],
  ChannelHangupEvent: payloads['channel-hangup'],
  CallPricedEvent: payloads['call-priced'],
  RecordingReadyEvent: payloads['recording-ready'],
  CallUpdatedEvent: payloads['call-updated'],
  ChannelHoldEvent: payloads['channel-hold'],
  ChannelUnholdEvent: payloads['channel-unhold'],
  ChannelTransferEvent: payloads['channel-transfer'],
  ChannelConferenceEvent: payloads['channel-conference'],
  ChargePaidEvent: payloads['charge-paid'],
  BalanceLowEvent: payloads['balance-low'],
});
