import { queryOptions } from '@tanstack/react-query';
import { type Answer, api, unwrap } from '../../api/client.ts';
import { monthSince } from './month.ts';

export type Summary = Answer<'/calls/summary'>;
export type Totals = Summary['totals'];
export type Health = Answer<'/integrations/health'>[number];

export const todayQuery = queryOptions({
  queryKey: ['home', 'today'],
  queryFn: ({ signal }) => unwrap(api.GET('/calls/summary', { signal })),
});

export function monthQuery(timeZone: string) {
  const since = monthSince(timeZone);
  return queryOptions({
    queryKey: ['home', 'month', since],
    queryFn: ({ signal }) => unwrap(api.GET('/calls/summary', { params: { query: { since } }, signal })),
  });
}

export const healthQuery = queryOptions({
  queryKey: ['integrations', 'health'],
  queryFn: ({ signal }) => unwrap(api.GET('/integrations/health', { signal })),
});
