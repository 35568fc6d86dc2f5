import { type Api, fill } from '../api.ts';
import type { ListQuery } from '../filter.ts';
import { arrayListing, type List, pagedList } from '../list.ts';
import type { Body } from '../operation-types.ts';
import type { RequestOptions } from '../transport.ts';
import type { DeliveryRecord, EventType, IntegrationRecord } from '../types.ts';

type Id = number | string;

/** Integrations: signed webhooks to other systems. */
export const integrationResource = (api: Api) => ({
  list: arrayListing<IntegrationRecord>(api, '/integrations'),
  /** Creates an integration or, with `id`, changes it. */
  save: (body: Body<'/integrations', 'patch'>, options?: RequestOptions) =>
    api.ask('patch', '/integrations', { body }, options),
  remove: (id: Id, options?: RequestOptions) =>
    api.ask('delete', '/integrations/{id}', { path: { id } }, options),
  /** Returns the signing secret, for `verifyWebhook`. */
  secret: (id: Id, options?: RequestOptions) =>
    api.ask('get', '/integrations/{id}/secret', { path: { id } }, options),
  /** Rotates the secret. For 24 hours webhooks are also signed with the old one. */
  rotateSecret: (id: Id, options?: RequestOptions) =>
    api.ask('post', '/integrations/{id}/secret/rotate', { path: { id } }, options),
  /** Sends a sample immediately and returns the result. */
  test: (id: Id, type: EventType, options?: RequestOptions) =>
    api.ask('post', '/integrations/{id}/test', { path: { id }, body: { type } }, options),
  /** Returns how many calls of a time range match and why the others do not. */
  explain: (id: Id, body: Body<'/integrations/{id}/explain', 'post'>, options?: RequestOptions) =>
    api.ask('post', '/integrations/{id}/explain', { path: { id }, body }, options),
  health: (options?: RequestOptions) => api.ask('get', '/integrations/health', {}, options),
  deliveries: <Field extends keyof DeliveryRecord = keyof DeliveryRecord>(
    id: Id,
    query?: ListQuery<DeliveryRecord, Field>,
    options?: RequestOptions,
  ): List<Pick<DeliveryRecord, Field>> =>
    pagedList(api, fill('/integrations/{id}/deliveries', { id }), query, options),
  delivery: (id: Id, deliveryId: string, options?: RequestOptions) =>
    api.ask('get', '/integrations/{id}/deliveries/{deliveryId}', { path: { id, deliveryId } }, options),
  /** Sends a delivery again, with the same `webhook-id`. */
  replayDelivery: (id: Id, deliveryId: string, options?: RequestOptions) =>
    api.ask(
      'post',
      '/integrations/{id}/deliveries/{deliveryId}/replay',
      { path: { id, deliveryId } },
      options,
    ),
  /** Sends the deliveries of a time range again. */
  replay: (id: Id, body: Body<'/integrations/{id}/replay', 'post'>, options?: RequestOptions) =>
    api.ask('post', '/integrations/{id}/replay', { path: { id }, body }, options),
});
