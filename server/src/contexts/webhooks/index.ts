export type { DeliverDeps } from './deliver-webhooks.ts';
export {
  type DeliveryWatch,
  type Outcome,
  outcomes,
  type SendResult,
  type WebhookRequest,
  type WebhookSender,
} from './ports.ts';
export { runWebhooks } from './run-webhooks.ts';
