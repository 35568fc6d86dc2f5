import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { type Answer, api, unwrap } from '../../api/client.ts';
import { type RequestsView, toWhere } from './view.ts';

type Listed = Answer<'/requests'>;
export type RecordedRequest = Required<Listed['data'][number]>;

const perPage = 50;

export const requestsQuery = (view: RequestsView) =>
  infiniteQueryOptions({
    queryKey: ['requests', view],
    queryFn: async ({ pageParam, signal }) => {
      const filter = JSON.stringify({ where: toWhere(view), limit: perPage });
      const query = { filter, ...(pageParam && { cursor: pageParam }) };
      const { data, meta } = await unwrap(api.GET('/requests', { params: { query }, signal }));
      return { rows: data as RecordedRequest[], ...meta };
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    // No event reports new requests; every visit reads the list again.
    staleTime: 0,
  });
