import { z } from 'zod';
import { eventTypes } from '../../platform/event-types.ts';
import { pageQuery } from '../../platform/list-schemas.ts';
import { nameSchemas } from '../../platform/schema-names.ts';
import { momentText, pathUuid, requestBody, timestampText } from '../../platform/schemas.ts';
import { reasonCodes } from './explain/explain.rules.ts';
import { deliveryStates } from './listing/list-deliveries.ts';
import { outcomes } from './ports.ts';

const integrationId = z
  .string()
  .meta({ description: 'The integration.', 'x-refers-to': 'integration', examples: ['1'] });

export const integrationParams = z.object({ id: integrationId });

export const deliveryParams = z.object({
  id: integrationId,
  deliveryId: pathUuid('The delivery.', 'delivery'),
});

const eventType = z.enum(eventTypes);
const outcome = z.enum(outcomes).meta({ description: '`delivered`, or the stage and kind of failure.' });

const attempt = z.object({
  number: z.int(),
  at: timestampText,
  outcome,
  status: z.int().nullable().meta({ description: 'HTTP status, if there was a response.' }),
  durationMs: z.int(),
});

const wholeAttempt = attempt.extend({
  detail: z.string().nullable().meta({ description: 'Details of the failure.' }),
  address: z.string().nullable().meta({ description: 'IP address of the endpoint.' }),
  responseBody: z.string().nullable().meta({
    description:
      'Start of the response body; null if the event is about a call or money that the caller does not see.',
  }),
});

const testResponseBody = z.string().nullable().meta({ description: 'Start of the response body.' });

const deliveredCall = z.object({
  id: z.uuid(),
  callType: z.enum(['outbound', 'inbound', 'internal']),
  from: z.string(),
  to: z.string(),
});

/** A delivery in the list of a call. */
export const callDelivery = z.object({
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
  failed: z
    .boolean()
    .meta({ description: 'Whether the last attempt failed. If `state` is `pending`, it is retried.' }),
  isTest: z
    .boolean()
    .meta({ description: 'Whether it is a test, which is sent once and cannot be replayed.' }),
  attempts: z.array(attempt).meta({ description: 'The latest attempts, oldest first.' }),
});

export const delivery = callDelivery.extend({
  call: deliveredCall.nullable().meta({
    description:
      'The call of the event; null for other events, for tests, and for calls that the caller does not see.',
  }),
});

export const deliveriesQuery = pageQuery.safeExtend({
  callId: pathUuid('Lists only deliveries of the events of this call.', 'call').optional(),
});

const sentRequest = z.object({
  url: z.string().nullable(),
  headers: z.record(z.string(), z.string()).meta({ description: 'Without the signature.' }),
  body: z.record(z.string(), z.unknown()),
});

export const wholeDelivery = delivery.extend({
  attempts: z.array(wholeAttempt),
  request: sentRequest.nullable().meta({
    description:
      'As it would be sent now; null if the event is no longer kept, or about a call or money that the caller does not see.',
  }),
});

export const testBody = requestBody({
  type: eventType.meta({ description: 'Event type of the sample.', examples: ['channel-hangup'] }),
});

export const testOutcome = wholeAttempt
  .omit({ number: true, at: true })
  .extend({ responseBody: testResponseBody, request: sentRequest });

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
    .meta({ description: 'Limits the replay to these types.', examples: [['channel-hangup']] }),
});

export const replayed = z.object({
  events: z.int().meta({ description: 'Number of events of these types in the window.' }),
});

export const explainBody = requestBody({ since, until });

const reasonFields = {
  code: z.enum(reasonCodes),
  path: z
    .string()
    .nullable()
    .meta({ description: 'The field that does not match, if there is exactly one.' }),
};
export const reason = z.object({ ...reasonFields, message: z.string() });
const count = z.int().min(0);

export const explanation = z.object({
  since: timestampText,
  until: timestampText,
  calls: count.meta({ description: 'Number of calls examined.' }),
  isComplete: z
    .boolean()
    .meta({ description: 'False if the window has more than 10,000 calls: only the newest were examined.' }),
  matched: count,
  unmatched: count,
  reasons: z.array(z.object({ ...reasonFields, calls: count })),
  sample: z
    .array(z.object({ callId: z.uuid(), reasons: z.array(reason) }))
    .meta({ description: 'The newest calls that do not match, at most 50.' }),
});

nameSchemas({
  WebhookAttempt: attempt,
  WebhookAttemptDetails: wholeAttempt,
  WebhookDeliverySummary: callDelivery,
  DeliveredCall: deliveredCall,
  WebhookRequest: sentRequest,
  WebhookDelivery: wholeDelivery,
  WebhookTestRequest: testBody,
  ReplayRequest: replayBody,
  ReplayResult: replayed,
  MatchExplanation: explanation,
  WebhookTest: testOutcome,
  ExplainRequest: explainBody,
  MismatchReason: reason,
});
