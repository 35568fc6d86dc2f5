import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { type Answer, api, unwrapWithHeaders } from '../../api/client.ts';
import { nextCursor } from '../../api/next-cursor.ts';
import { type AuditView, toWhere } from './view.ts';

export type AuditEntry = Required<Answer<'/audit'>['data'][number]>;

const perPage = 50;

export const auditQuery = (view: AuditView) =>
  infiniteQueryOptions({
    queryKey: ['audit', view],
    queryFn: async ({ pageParam, signal }) => {
      const filter = JSON.stringify({ where: toWhere(view), limit: perPage });
      const page = pageParam ? { cursor: pageParam } : { page: '1' };
      const response = api.GET('/audit', { params: { query: { filter, ...page } }, signal });
      const { data, headers } = await unwrapWithHeaders(response);
      return { rows: data.data as AuditEntry[], next: nextCursor(headers) };
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    // No event reports changes; every visit reads the list again.
    staleTime: 0,
  });
