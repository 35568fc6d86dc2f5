import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type Answer, api, unwrap, unwrapWithHeaders } from '../../api/client.ts';
import { nextCursor } from '../../api/next-cursor.ts';
import type { paths } from '../../api/schema.ts';
import type { Period, StatementWhere } from './view.ts';

export type Charge = Answer<'/charges/{id}'>;
export type Financial = Answer<'/accounts/financial'>;
export type Quote = Answer<'/rates/quote'>;
/** JSON response; the API returns CSV on request. */
type Statement = Exclude<Answer<'/accounts/statement'>, string>;
export type Totals = Answer<'/accounts/statement/totals'>;
export type Costs = Exclude<Answer<'/accounts/statement/by-extension'>, string>;
export type Line = Required<Statement['data'][number]>;
export type NewCharge = paths['/charges']['post']['requestBody']['content']['application/json'];

interface Part<Item> {
  items: Item[];
  next: string | undefined;
}

/** The first page is requested by number; its header contains the cursor of the next one. */
const from = (cursor: string) => (cursor === '' ? { page: '1' } : { cursor });

const paging = { initialPageParam: '', getNextPageParam: (last: Part<unknown>) => last.next };

const chargesPerPage = 10;

export const chargesQuery = infiniteQueryOptions({
  queryKey: ['credit', 'charges'],
  queryFn: async ({ pageParam, signal }): Promise<Part<Charge>> => {
    const query = { filter: JSON.stringify({ limit: chargesPerPage }), ...from(pageParam) };
    const { data, headers } = await unwrapWithHeaders(api.GET('/charges', { params: { query }, signal }));
    return { items: data.data as Charge[], next: nextCursor(headers) };
  },
  ...paging,
});

export const chargeQuery = (id: number) =>
  queryOptions({
    queryKey: ['credit', 'charge', id],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/charges/{id}', { params: { path: { id: String(id) } }, signal })),
  });

export const pixQuery = (id: number) =>
  queryOptions({
    queryKey: ['credit', 'pix', id],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/charges/{id}/pix', { params: { path: { id: String(id) } }, signal })),
  });

export const linesPerPage = 100;
/** Page limit on the screen; longer statements are filtered by month or downloaded. */
export const maxPages = 20;

export const statementKey = ['credit', 'statement'];

export const statementQuery = (where: StatementWhere) =>
  infiniteQueryOptions({
    queryKey: [...statementKey, where],
    queryFn: async ({ pageParam, signal }): Promise<Part<Line>> => {
      const query = { filter: statementFilter(where), ...from(pageParam) };
      const { data, headers } = await unwrapWithHeaders(
        api.GET('/accounts/statement', { params: { query }, signal }),
      );
      return { items: (data as Statement).data as Line[], next: nextCursor(headers) };
    },
    ...paging,
  });

export const statementFilter = (where: StatementWhere): string =>
  JSON.stringify({ where, limit: linesPerPage });

export const totalsQuery = (period: Period) =>
  queryOptions({
    queryKey: [...statementKey, 'totals', period],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/accounts/statement/totals', { params: { query: period }, signal })),
    // The totals of another period stay until those of the chosen one are there.
    placeholderData: (before) => before,
  });

export const costsQuery = (month: string) =>
  queryOptions({
    queryKey: [...statementKey, 'extensions', month],
    queryFn: async ({ signal }) =>
      (await unwrap(
        api.GET('/accounts/statement/by-extension', { params: { query: { month } }, signal }),
      )) as Costs,
  });

export const financialQuery = queryOptions({
  queryKey: ['credit', 'financial'],
  queryFn: ({ signal }) => unwrap(api.GET('/accounts/financial', { signal })),
});

export const quoteQuery = (to: string) =>
  queryOptions({
    queryKey: ['credit', 'quote', to],
    queryFn: ({ signal }) => unwrap(api.GET('/rates/quote', { params: { query: { to } }, signal })),
    // The minutes depend on the current credit.
    staleTime: 0,
  });
