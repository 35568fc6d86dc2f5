export { Disca } from './disca.ts';
export {
  type ApiErrorCode,
  type ClientErrorCode,
  DiscaError,
  type ErrorCode,
  type Fault,
  isDiscaError,
} from './errors.ts';
export type {
  AvailabilityChange,
  CallProgress,
  LoggedEvent,
  StreamedEvent,
  StreamOptions,
} from './event-stream.ts';
export type { Condition, ListQuery, Where } from './filter.ts';
export { eventTypes } from './generated/event-types.ts';
export type { List, Page } from './list.ts';
export type { CallQuery } from './resources/calls.ts';
export type { DiscaOptions, RequestOptions } from './transport.ts';
export type * from './types.ts';
export {
  type HeaderSource,
  type Payloads,
  signWebhook,
  type VerifiedWebhook,
  type VerifyOptions,
  verifyWebhook,
  WebhookError,
  type WebhookErrorCode,
  type WebhookPayload,
} from './webhooks.ts';
