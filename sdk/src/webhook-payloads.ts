import type { webhooks } from './generated/schema.ts';
import type { EventType } from './types.ts';

/** Payload by event type. */
export type Payloads = {
  [Type in EventType]: webhooks[Type]['post']['requestBody']['content']['application/json'];
};

/** The body of a webhook; `eventType` determines which. Ignore unknown types: more may be added. */
export type WebhookPayload = Payloads[EventType];
