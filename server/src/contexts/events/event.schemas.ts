import { z } from 'zod';
import { momentText, timestampText } from '../../platform/schemas.ts';
import { differenceKinds } from './reconcile.store.ts';

const wholeNumber = (most: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .refine((value) => value <= most, { error: `must be at most ${most}` });

const sequence = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

const after = sequence.optional().meta({
  description: 'The number of the last event that is known already; without it, or 0, from the oldest kept.',
  'x-kind': 'sequence',
});

export const feedQuery = z.strictObject({
  after,
  limit: wholeNumber(500)
    .refine((limit) => limit >= 1, { error: 'must be at least 1' })
    .optional()
    .meta({ description: 'How many events to answer, 1 to 500; 100 unless given.', 'x-kind': 'event-limit' }),
  wait: wholeNumber(25).optional().meta({
    description: 'While there is nothing to tell, wait for so many seconds, at most 25.',
    'x-kind': 'wait-seconds',
  }),
});

export const streamQuery = z.strictObject({
  after: after.meta({
    description:
      'As `Last-Event-ID`, for clients that cannot set it. Without either it begins with what comes next.',
    'x-kind': 'sequence',
  }),
  seconds: wholeNumber(86_400).optional().meta({
    description:
      'How long the stream lasts, at most an hour unless the operator decides otherwise; 0 tells what there is and ends.',
    'x-kind': 'stream-seconds',
  }),
});

export const streamHeaders = z.looseObject({
  'last-event-id': sequence.optional().meta({
    description: 'The number after which to resume; browsers send it by themselves.',
    examples: ['41'],
  }),
});

export const shownEvent = z.object({
  sequence: z.int().meta({ description: 'Its number within the account.' }),
  type: z.string().meta({ examples: ['channel-hangup'] }),
  occurredAt: timestampText,
  id: z.string().meta({ description: 'The `webhook-id` under which the same event is delivered.' }),
  data: z.record(z.string(), z.unknown()).meta({ description: 'The body that a webhook of it has.' }),
});

export const eventPage = z.object({
  data: z.array(shownEvent),
  meta: z.object({
    nextAfter: z.int().meta({ description: 'What to send as `after` next.' }),
  }),
});

export const reconcileQuery = z.strictObject({
  since: momentText
    .optional()
    .meta({ description: 'ISO 8601; a day before `until` unless given.', 'x-kind': 'window-start' }),
  until: momentText.optional().meta({
    description: 'ISO 8601; a minute ago unless given, because what is younger may still be on its way.',
    'x-kind': 'window-end',
  }),
});

const count = z.int().min(0);

export const reconciled = z.object({
  since: timestampText,
  until: timestampText,
  isClean: z.boolean().meta({ description: 'True if there is no difference.' }),
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
    .meta({ description: 'How many differences there are of each kind.' }),
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
    .meta({ description: 'The first hundred of them.' }),
});
