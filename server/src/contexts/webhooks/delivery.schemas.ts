import { z } from 'zod';
import { momentText, requestBody, timestampText } from '../../platform/schemas.ts';
import { eventTypes } from '../integrations/index.ts';
import { reasonCodes } from './explain/explain.rules.ts';
import { deliveryStates } from './listing/list-deliveries.ts';
import { outcomes } from './ports.ts';

const integrationId = z
  .string()
  .meta({ description: 'The integration.', 'x-refers-to': 'integration', examples: ['1'] });

export const integrationParams = z.object({ id: integrationId });

export const deliveryParams = z.object({
  id: integrationId,
  deliveryId: z.string().meta({
    description: 'The delivery.',
    'x-refers-to': 'delivery',
    examples: ['019a8f00-0000-7000-8000-000000000000'],
  }),
});

const eventType = z.enum(eventTypes);
const outcome = z.enum(outcomes).meta({ description: '`delivered`, or what went wrong at which stage.' });

const attempt = z.object({
  number: z.int(),
  at: timestampText,
  outcome,
  status: z.int().nullable().meta({ description: 'The HTTP status, if there was one.' }),
  durationMs: z.int(),
});

const wholeAttempt = attempt.extend({
  detail: z.string().nullable().meta({ description: 'What exactly went wrong.' }),
  address: z.string().nullable().meta({ description: 'The address that was called.' }),
  responseBody: z.string().nullable().meta({ description: 'How the answer began.' }),
});

export const delivery = z.object({
  id: z.uuid(),
  webhookId: z.string().meta({ description: 'The `webhook-id` of every attempt.' }),
  eventId: z.uuid(),
  type: eventType,
  state: z.enum(deliveryStates),
  lastOutcome: outcome.nullable(),
  createdAt: timestampText,
  nextAttemptAt: timestampText.nullable(),
  endedAt: timestampText.nullable(),
  attemptCount: z.int(),
  attempts: z.array(attempt).meta({ description: 'The newest of them, oldest first.' }),
});

const sentRequest = z.object({
  url: z.string().nullable(),
  headers: z.record(z.string(), z.string()).meta({ description: 'Without the signature.' }),
  body: z.record(z.string(), z.unknown()),
});

export const wholeDelivery = delivery.extend({
  attempts: z.array(wholeAttempt),
  request: sentRequest
    .nullable()
    .meta({ description: 'As it would be sent now; null when the event is not kept any more.' }),
});

export const testBody = requestBody({
  type: eventType.meta({ description: 'Of which type to send a sample.', examples: ['channel-hangup'] }),
});

export const testOutcome = wholeAttempt.omit({ number: true, at: true }).extend({ request: sentRequest });

const since = momentText.meta({
  description: 'ISO 8601.',
  examples: ['2026-11-15T12:00:00.000Z'],
  'x-kind': 'window-start',
});
const until = momentText.meta({
  description: 'ISO 8601.',
  examples: ['2026-11-15T13:00:00.000Z'],
  'x-kind': 'window-end',
});

export const replayBody = requestBody({
  since,
  until,
  types: z
    .array(eventType)
    .min(1)
    .max(eventTypes.length)
    .optional()
    .meta({ description: 'Only these types.', examples: [['channel-hangup']] }),
});

export const replayed = z.object({
  events: z.int().meta({ description: 'How many events of these types the window has.' }),
});

export const explainBody = requestBody({ since, until });

const reasonFields = {
  code: z.enum(reasonCodes),
  path: z.string().nullable().meta({ description: 'What does not fit, where it is one thing.' }),
};
export const reason = z.object({ ...reasonFields, message: z.string() });
const count = z.int().min(0);

export const explanation = z.object({
  since: timestampText,
  until: timestampText,
  calls: count.meta({ description: 'How many calls were looked at.' }),
  isComplete: z
    .boolean()
    .meta({ description: 'False if the window has more than 10,000: the newest were looked at.' }),
  matched: count,
  unmatched: count,
  reasons: z.array(z.object({ ...reasonFields, calls: count })),
  sample: z
    .array(z.object({ callId: z.uuid(), reasons: z.array(reason) }))
    .meta({ description: 'The newest calls that would not be told, at most 50.' }),
});
