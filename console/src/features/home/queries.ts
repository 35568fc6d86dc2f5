import { queryOptions } from '@tanstack/react-query';
import { api, ask } from '../../api/client.ts';
import type { paths } from '../../api/generated/schema.js';
import { addDays, dayOf, momentOf } from '../../shared/zoned-days.ts';

export type Summary = paths['/calls/summary']['get']['responses'][200]['content']['application/json'];
export type Sums = Summary['totals'];
export type Health =
  paths['/integrations/health']['get']['responses'][200]['content']['application/json'][number];

export const todayQuery = queryOptions({
  queryKey: ['home', 'today'],
  queryFn: ({ signal }) => ask(api.GET('/calls/summary', { signal })),
});

export const daysShown = 30;

/** The last thirty days of the account's calendar, today among them. */
export function monthQuery(timeZone: string) {
  const first = addDays(dayOf(new Date(), timeZone), 1 - daysShown);
  const since = momentOf(first, timeZone).toISOString();
  return queryOptions({
    queryKey: ['home', 'month', since],
    queryFn: ({ signal }) => ask(api.GET('/calls/summary', { params: { query: { since } }, signal })),
  });
}

export const healthQuery = queryOptions({
  queryKey: ['integrations', 'health'],
  queryFn: ({ signal }) => ask(api.GET('/integrations/health', { signal })),
});
