import { z } from 'zod';
import { reaisFromMicros } from '../../../platform/money.ts';
import { nameSchemas } from '../../../platform/schema-names.ts';
import { timestampText } from '../../../platform/schemas.ts';
import { contact, presentContact } from '../contacts/contact.schemas.ts';
import type { Contact } from '../contacts/contact.ts';
import { legIssues, legVerdicts } from '../lifecycle/quality.rules.ts';
import type { CallDetails, RecordedLeg } from './call-details.store.ts';
import { callRecord, callTimeline } from './call-record.ts';

const lossPercent = z.number().nullable();
const legQuality = z.object({
  verdict: z.enum(legVerdicts).nullable().meta({
    description:
      '`no_audio` if no packets arrived from the party, or its audio was missing at the end; otherwise by the estimate. Null for calls of less than 5 seconds.',
  }),
  issue: z.enum(legIssues).nullable().meta({
    description: 'What lowers the estimate most; null if the verdict is `good` or there is no estimate.',
  }),
  mos: z.number().nullable().meta({
    description:
      'Estimated mean opinion score, 1 to 4.4, from loss, jitter and delay by the E-model of ITU-T G.107.',
  }),
  received_packets: z.int().meta({ description: 'Packets of the party that arrived at the media node.' }),
  sent_packets: z.int().meta({ description: 'Packets that the media node sent to the party.' }),
  received_loss_percent: lossPercent.meta({ description: 'Loss on the way from the party.' }),
  sent_loss_percent: lossPercent.meta({
    description: 'Loss on the way to the party, as it reported; null if it sent no reports.',
  }),
  received_jitter_ms: z.int().nullable(),
  sent_jitter_ms: z.int().nullable(),
  round_trip_ms: z.int().nullable().meta({ description: 'Between media node and party; null if unknown.' }),
  codec: z.string().nullable(),
});

const reais = z.number();
const callLeg = z.object({
  leg: z.string().meta({
    description:
      '`a` for the party that the call started with, `b` for the one that was called, `c` and so on for those that were added.',
    examples: ['c'],
  }),
  role: z
    .enum(['extension', 'destination', 'supervisor'])
    .meta({ description: '`extension` or `destination`, as in `ended_by`.' }),
  number: z.string(),
  purpose: z
    .enum(['blind', 'attended', 'conference'])
    .nullable()
    .meta({
      description: 'Why the leg was added: a kind of transfer, or a conference; null for `a` and `b`.',
    }),
  started_at: timestampText
    .nullable()
    .meta({ description: 'When the leg was requested; null for `a` and `b`.' }),
  answered_at: timestampText.nullable(),
  ended_at: timestampText.nullable(),
  duration: z.int().nullable().meta({ description: 'Seconds from its answer to its end; null until then.' }),
  billed_duration: z.int().nullable().meta({ description: 'Seconds charged; null for a free leg.' }),
  hangup_cause: z.string().nullable(),
  ended_by: z.enum(['extension', 'destination', 'system']).nullable(),
  minute_price: reais.nullable().meta({ description: 'Null for a free leg.' }),
  price: reais.nullable().meta({ description: 'Null until the leg has ended.' }),
});

/** A single call: its record and its details. */
export const openedCall = callRecord.extend({
  timeline: callTimeline,
  requested_by: z.object({ uuid: z.uuid(), name: z.string() }).nullable().meta({
    description:
      'The user who requested the call; null if it was not requested by a user or the user was removed.',
  }),
  caller_id: z
    .string()
    .nullable()
    .meta({ description: "The number presented to the destination; null for the trunk's default." }),
  media_node: z
    .string()
    .nullable()
    .meta({ description: 'How the media of the call was routed; null until known.' }),
  recording: z
    .object({
      state: z.enum(['expected', 'stored', 'absent', 'removed']).meta({
        description:
          '`expected` while the call runs and until the file has arrived, `absent` if none arrived, `removed` after its retention period.',
      }),
      duration_ms: z.int().nullable(),
      expires_at: timestampText.nullable().meta({ description: 'End of the retention period.' }),
    })
    .nullable()
    .meta({ description: 'The recording; null if the call is not recorded.' }),
  leg_quality: z
    .object({ extension: legQuality.nullable(), destination: legQuality.nullable() })
    .nullable()
    .meta({
      description:
        'The audio of each leg, as the media node and the phones counted it; null for a call that was not answered or was put on hold, a verification call, and until the end. The leg that the media node dialled is null if its counts were lost with their reporter.',
    }),
  legs: z.array(callLeg).nullable().meta({
    description:
      'The legs of a call that had commands, with their prices, whose sum is `call_price`; null for other calls.',
  }),
  noted_at: timestampText
    .nullable()
    .meta({ description: 'When disposition, note and tags were last changed; null if never.' }),
  noted_by: z.object({ uuid: z.uuid(), name: z.string() }).nullable().meta({
    description: 'Who last changed them; null for a service token or a removed user.',
  }),
  contact: contact.nullable().meta({
    description:
      'The contact of the number that the call is to, or for an inbound call from; null if the number has none.',
  }),
});

nameSchemas({ Call: openedCall, CallLeg: callLeg });

const presentLeg = ({ id: _, minute_price_micros, price_micros, ...leg }: RecordedLeg) => ({
  ...leg,
  started_at: isoTime(leg.started_at),
  answered_at: isoTime(leg.answered_at),
  ended_at: isoTime(leg.ended_at),
  minute_price: minute_price_micros === null ? null : reaisFromMicros(minute_price_micros),
  price: price_micros === null ? null : reaisFromMicros(price_micros),
});

const isoTime = (text: string | null): string | null => (text === null ? null : new Date(text).toISOString());

const person = (uuid: string | null, name: string | null) =>
  uuid === null ? null : { uuid, name: name ?? '' };

export const presentDetails = (details: CallDetails, found: Contact | undefined) => ({
  requested_by: person(details.requestedByUuid, details.requestedByName),
  caller_id: details.callerId,
  media_node: details.node,
  recording: details.recordingState && {
    state: details.recordingState,
    duration_ms: details.recordingDurationMs,
    expires_at: details.recordingExpiresAt?.toISOString() ?? null,
  },
  leg_quality: details.legQuality,
  legs: details.legs?.map(presentLeg) ?? null,
  noted_at: details.notedAt?.toISOString() ?? null,
  noted_by: person(details.notedByUuid, details.notedByName),
  contact: found ? presentContact(found) : null,
});
