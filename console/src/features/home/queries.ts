import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client.ts';
import type { paths } from '../../api/schema.ts';
import { monthSince } from './month.ts';

export type Summary = paths['/calls/summary']['get']['responses'][200]['content']['application/json'];
export type Totals = Summary['totals'];
export type Health =
  paths['/integrations/health']['get']['responses'][200]['content']['application/json'][number];

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
