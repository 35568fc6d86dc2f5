export type { DeliverDeps } from './delivery/deliver-webhooks.ts';
export { createHostLimit } from './delivery/host-limit.ts';
export { oldestDeliveries } from './delivery/oldest-deliveries.ts';
export { runWebhooks } from './delivery/run-webhooks.ts';
export { type DescribedWebhook, describeWebhooks } from './description/describe-webhooks.ts';
export {
  type DeliveryObserver,
  type Outcome,
  outcomes,
  type SendResult,
  type WebhookRequest,
  type WebhookSender,
} from './ports.ts';
export { eraseResponses } from './retention/erase-responses.ts';
export { deleteAttemptsOf, eraseResponsesTo } from './retention/erasure.store.ts';
