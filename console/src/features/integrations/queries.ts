import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Answer, api, unwrap } from '../../api/client.ts';
import type { paths } from '../../api/schema.ts';
import { untilNextAttemptMs } from '../../shared/time/next-attempt.ts';
import type { EventType } from './event-types.ts';
import type { IntegrationsView } from './view.ts';

export type Integration = Answer<'/integrations', 'patch'>;
export type Health = Answer<'/integrations/health'>[number];
export type FullDelivery = Answer<'/integrations/{id}/deliveries/{deliveryId}'>;
export type FullAttempt = FullDelivery['attempts'][number];
export type CallDeliveries = Answer<'/calls/{id}/deliveries'>[number];
export type Delivery = CallDeliveries['deliveries'][number];
/** A delivery in the list of an integration, which names its call. */
export type ListedDelivery = Delivery & Pick<FullDelivery, 'call'>;
export type Explanation = Answer<'/integrations/{id}/explain', 'post'>;
export type Reason = CallDeliveries['reasons'][number];
export type TestOutcome = Answer<'/integrations/{id}/test', 'post'>;
export type Outcome = FullAttempt['outcome'];

const at = (id: number) => ({ path: { id: String(id) } });

export const integrationsQuery = queryOptions({
  queryKey: ['integrations', 'list'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/integrations', { signal }))) as Integration[],
});

const pendingEveryMs = 15_000;

export const healthQuery = queryOptions({
  queryKey: ['integrations', 'health'],
  queryFn: ({ signal }) => unwrap(api.GET('/integrations/health', { signal })),
  // Polls while deliveries are pending; no event reports their outcome.
  refetchInterval: ({ state: { data } }) =>
    data?.some(({ recent }) => recent.pending > 0) ? pendingEveryMs : false,
});

/** Fetched when shown, never cached. */
export const secretQuery = (id: number) =>
  queryOptions({
    queryKey: ['integrations', id, 'secret'],
    queryFn: ({ signal }) => unwrap(api.GET('/integrations/{id}/secret', { params: at(id), signal })),
    gcTime: 0,
  });

export const deliveriesPerPage = 25;
const minPollMs = 10_000;

export type DeliveryFilter = Pick<IntegrationsView, 'state' | 'type' | 'call' | 'page'>;

const conditions = {
  delivered: { state: 'delivered' },
  pending: { state: 'pending', failed: false },
  failed: { failed: true },
} as const;

export const deliveriesQuery = (id: number, { state, type, call, page = 1 }: DeliveryFilter) =>
  queryOptions({
    queryKey: ['integrations', id, 'deliveries', { state, type, call, page }],
    queryFn: async ({ signal }) => {
      const where = { ...(state && conditions[state]), ...(type && { type }) };
      const query = {
        page: String(page),
        filter: JSON.stringify({ where, limit: deliveriesPerPage }),
        ...(call && { callId: call }),
      };
      const params = { ...at(id), query };
      const { data, meta } = await unwrap(api.GET('/integrations/{id}/deliveries', { params, signal }));
      return { rows: data as ListedDelivery[], hasMore: meta.nextPage !== undefined };
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => untilNextAttemptMs(data?.rows ?? [], minPollMs),
  });

export const deliveryQuery = (id: number, deliveryId: string) =>
  queryOptions({
    queryKey: ['integrations', id, 'delivery', deliveryId],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/integrations/{id}/deliveries/{deliveryId}', {
          params: { path: { id: String(id), deliveryId } },
          signal,
        }),
      ),
    refetchInterval: ({ state: { data } }) => untilNextAttemptMs(data ? [data] : [], minPollMs),
  });

export const explainQuery = (id: number, window: { since: string; until: string }) =>
  queryOptions({
    queryKey: ['integrations', id, 'explain', window],
    queryFn: ({ signal }) =>
      unwrap(api.POST('/integrations/{id}/explain', { params: at(id), body: window, signal })),
    staleTime: 0,
  });

/** Explanation of one call together with its metadata. */
export const explainCallQuery = (id: number, callId: string) =>
  queryOptions({
    queryKey: ['integrations', id, 'explain call', callId],
    queryFn: async ({ signal }) => {
      const params = { path: { id: callId } };
      const [receivers, call] = await Promise.all([
        unwrap(api.GET('/calls/{id}/deliveries', { params, signal })),
        unwrap(api.GET('/calls/{id}', { params, signal })),
      ]);
      return {
        receiver: receivers.find(({ integrationId }) => integrationId === id),
        metadata: call.metadata,
      };
    },
    staleTime: 0,
  });

export type Change = NonNullable<
  paths['/integrations']['patch']['requestBody']
>['content']['application/json'];

export const saveIntegration = (body: Change) => unwrap(api.PATCH('/integrations', { body }));

export const removeIntegration = (id: number) => unwrap(api.DELETE('/integrations/{id}', { params: at(id) }));

export const rotateSecret = (id: number) =>
  unwrap(api.POST('/integrations/{id}/secret/rotate', { params: at(id), body: {} }));

export const sendTest = (id: number, type: EventType) =>
  unwrap(api.POST('/integrations/{id}/test', { params: at(id), body: { type } }));

export const replayDelivery = (id: number, deliveryId: string) =>
  unwrap(
    api.POST('/integrations/{id}/deliveries/{deliveryId}/replay', {
      params: { path: { id: String(id), deliveryId } },
      body: {},
    }),
  );

export const replayWindow = (id: number, body: { since: string; until: string; types?: EventType[] }) =>
  unwrap(api.POST('/integrations/{id}/replay', { params: at(id), body }));
