import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type Answer, api, unwrap, unwrapWithHeaders } from '../../api/client.ts';
import { isProblem } from '../../api/problem.ts';
import { untilNextAttemptMs } from '../../shared/time/next-attempt.ts';
import type { CallsView } from './view.ts';

export type Call = Answer<'/calls/{id}'>;
export type Price = Answer<'/calls/{id}/price'>;
export type CallDeliveries = Answer<'/calls/{id}/deliveries'>[number];
export type Delivery = CallDeliveries['deliveries'][number];
export type Attempt = Delivery['attempts'][number];

const rowFields = [
  'id',
  'call_type',
  'status',
  'started_at',
  'answered_at',
  'ended_at',
  'from',
  'to',
  'duration',
  'hangup_cause',
  'ended_by',
  'record_url',
  'first_name',
  'last_name',
  'call_price',
  'disposition',
  'tags',
] as const satisfies (keyof Call)[];

/** Fields shown in the list. */
export type CallRow = Pick<Call, (typeof rowFields)[number]>;

export interface CallPage {
  rows: CallRow[];
  next: string | undefined;
}

const rowsPerPage = 200;
/** Rows fetched when new calls arrive; if there are more new ones the list is reloaded. */
const topRows = 50;
/** Above this size the list shows a hint to choose a shorter period. */
export const maxRows = 50_000;

export interface ListFilter {
  /** Words to search for. */
  q: string | undefined;
  where: Record<string, unknown>;
  order: CallsView['order'];
}

const filterText = ({ where, order }: ListFilter, limit: number): string =>
  JSON.stringify({
    where,
    ...(order === 'oldest' && { order: 'started_at ASC' }),
    limit,
    fields: rowFields,
  });

async function readPage(
  filter: ListFilter,
  limit: number,
  cursor: string | undefined,
  signal?: AbortSignal,
): Promise<CallPage> {
  const query = {
    ...(filter.q !== undefined && { q: filter.q }),
    filter: filterText(filter, limit),
    ...(cursor !== undefined && { cursor }),
  };
  const { data, meta } = await unwrap(
    api.GET('/calls/search', { params: { query }, ...(signal && { signal }) }),
  );
  return { rows: data as CallRow[], next: meta.nextCursor };
}

export const readTop = (filter: ListFilter): Promise<CallPage> => readPage(filter, topRows, undefined);

/**
 * Pages are never refetched as a whole, because there may be hundreds: live events update rows in place, and only the top
 * of the list is read again. Structural sharing is off; comparing pages would cost more than it saves.
 */
export const callsQuery = (filter: ListFilter) =>
  infiniteQueryOptions({
    queryKey: ['calls', 'list', filter],
    queryFn: ({ pageParam, signal }) => readPage(filter, rowsPerPage, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last, pages) => (pages.length * rowsPerPage < maxRows ? last.next : undefined),
    structuralSharing: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Total count, without the search; absent where counting would take too long or was rate limited. */
export const countQuery = ({ where }: ListFilter) =>
  queryOptions({
    queryKey: ['calls', 'count', where],
    queryFn: async ({ signal }) => {
      const query = { filter: JSON.stringify({ where, limit: 1, fields: ['id'] }), page: '1' };
      const { data, headers } = await unwrapWithHeaders(api.GET('/calls', { params: { query }, signal }));
      const isEstimated = headers.get('X-Total-Estimated') === 'true';
      return { count: data?.meta.totalItemCount ?? 0, isEstimated };
    },
    retry: false,
  });

export const outcomeCountsKey = ['calls', 'outcomes'];

/** Totals from which the calls are counted by outcome; without a period nothing is requested. */
export const outcomeCountsQuery = (period: { since: string; until?: string } | undefined) =>
  queryOptions({
    queryKey: [...outcomeCountsKey, period],
    queryFn: ({ signal }) => unwrap(api.GET('/calls/summary', { params: { query: period ?? {} }, signal })),
    enabled: period !== undefined,
    retry: false,
  });

/** Null for calls that never held credit. */
export const priceQuery = (id: string) =>
  queryOptions({
    queryKey: ['calls', 'one', id, 'price'],
    queryFn: async ({ signal }) => {
      try {
        return await unwrap(api.GET('/calls/{id}/price', { params: { path: { id } }, signal }));
      } catch (error) {
        if (isProblem(error) && error.status === 404) return null;
        throw error;
      }
    },
  });

const minPollMs = 3_000;

export const deliveriesQuery = (id: string) =>
  queryOptions({
    queryKey: ['calls', 'one', id, 'deliveries'],
    queryFn: ({ signal }) => unwrap(api.GET('/calls/{id}/deliveries', { params: { path: { id } }, signal })),
    refetchInterval: ({ state: { data = [] } }) =>
      untilNextAttemptMs(
        data.flatMap(({ deliveries }) => deliveries),
        minPollMs,
      ),
  });

export const accessesQuery = (id: string) =>
  queryOptions({
    queryKey: ['calls', 'one', id, 'accesses'],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/calls/{id}/recording/accesses', {
          params: { path: { id }, query: { page: '1', filter: '{"limit":20}' } },
          signal,
        }),
      ),
  });

export const hangUp = (id: string) =>
  unwrap(api.POST('/calls/{id}/hangup', { params: { path: { id } }, body: {} }));
