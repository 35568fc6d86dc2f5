import { z } from 'zod';
import { nameSchemas } from '../../platform/schema-names.ts';
import { momentText, timestampText } from '../../platform/schemas.ts';
import { differenceKinds } from './reconcile.store.ts';

const wholeNumber = (max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .refine((value) => value <= max, { error: `must be at most ${max}` });

const sequence = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

const after = sequence.optional().meta({
  description:
    'Number of the last event already received. Omit it, or send 0, to start with the oldest kept event.',
  'x-kind': 'sequence',
});

export const feedQuery = z.strictObject({
  after,
  limit: wholeNumber(500)
    .refine((limit) => limit >= 1, { error: 'must be at least 1' })
    .optional()
    .meta({
      description: 'Maximum number of events to return, 1 to 500; 100 by default.',
      'x-kind': 'event-limit',
    }),
  wait: wholeNumber(25)
    .optional()
    .meta({ description: 'Seconds to wait for new events, at most 25.', 'x-kind': 'wait-seconds' }),
});

export const streamQuery = z.strictObject({
  after: after.meta({
    description:
      'Same as `Last-Event-ID`, for clients that cannot set headers. Without either, the stream starts with new events.',
    'x-kind': 'sequence',
  }),
  seconds: wholeNumber(86_400).optional().meta({
    description:
      'Duration of the stream, at most an hour unless the operator configures otherwise; 0 sends the existing events and ends.',
    'x-kind': 'stream-seconds',
  }),
});

export const streamHeaders = z.looseObject({
  'last-event-id': sequence.optional().meta({
    description: 'Number of the event after which to resume; browsers send it automatically.',
    examples: ['41'],
  }),
});

export const shownEvent = z.object({
  sequence: z.int().meta({ description: 'Number of the event within the account.' }),
  type: z.string().meta({ examples: ['channel-hangup'] }),
  occurredAt: timestampText,
  id: z.string().meta({ description: 'The `webhook-id` of all deliveries of the event.' }),
  data: z.record(z.string(), z.unknown()).meta({ description: 'The body of the webhook for the event.' }),
});

export const eventPage = z.object({
  data: z.array(shownEvent),
  meta: z.object({ nextAfter: z.int().meta({ description: 'Send this as `after` in the next request.' }) }),
});

export const reconcileQuery = z.strictObject({
  since: momentText
    .optional()
    .meta({ description: 'ISO 8601; by default a day before `until`.', 'x-kind': 'window-start' }),
  until: momentText.optional().meta({
    description: 'ISO 8601; by default a minute ago, because newer events may still be in progress.',
    'x-kind': 'window-end',
  }),
});

const count = z.int().min(0);

export const reconciled = z.object({
  since: timestampText,
  until: timestampText,
  isClean: z.boolean().meta({ description: 'True if there are no differences.' }),
  counts: z.object({
    calls: count,
    callsEnded: count,
    events: count,
    eventsNumbered: count,
    deliveries: count,
    deliveriesDelivered: count,
    deliveriesPending: count,
    deliveriesFailed: count,
    ledgerEntries: count,
  }),
  differenceCounts: z
    .partialRecord(z.enum(differenceKinds), count)
    .meta({ description: 'Number of differences by kind.' }),
  differences: z
    .array(
      z.object({
        kind: z.enum(differenceKinds),
        callId: z.string().nullable(),
        eventId: z.string().nullable(),
        integrationId: z.int().nullable(),
        deliveryId: z.string().nullable(),
        detail: z.string(),
      }),
    )
    .meta({ description: 'The first hundred differences.' }),
});

nameSchemas({ LoggedEvent: shownEvent, EventPage: eventPage, Reconciliation: reconciled });
