export type { DeliverDeps } from './deliver-webhooks.ts';
export type { Outcome, SendResult, WebhookRequest, WebhookSender } from './ports.ts';
export { runWebhooks } from './run-webhooks.ts';
