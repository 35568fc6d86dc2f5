import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type Answer, api, unwrap, unwrapWithHeaders } from '../../api/client.ts';
import type { paths } from '../../api/schema.ts';

export type Extension = Answer<'/extensions/{id}'> & Pick<Answer<'/extensions'>[number], 'user'>;
export type NewExtension = paths['/extensions']['post']['requestBody']['content']['application/json'];

/** Maximum page size of the API. */
const pageRows = 1000;
/** Polling interval; no event reports registrations. */
const presenceEveryMs = 30_000;

interface ListPage {
  rows: Extension[];
  total: number;
}

export const extensionsQuery = infiniteQueryOptions({
  queryKey: ['extensions', 'list'],
  queryFn: ({ pageParam, signal }) => readPage(pageParam, { include: 'user' }, signal),
  initialPageParam: 0,
  getNextPageParam: (last, pages) => {
    const read = pages.reduce((count, { rows }) => count + rows.length, 0);
    return last.rows.length > 0 && read < last.total ? read : undefined;
  },
});

async function readPage(offset: number, selection: object, signal: AbortSignal): Promise<ListPage> {
  const filter = JSON.stringify({ ...selection, order: 'ramal ASC', limit: pageRows, offset });
  const { data, headers } = await unwrapWithHeaders(
    api.GET('/extensions', { params: { query: { filter } }, signal }),
  );
  return { rows: data as Extension[], total: Number(headers.get('X-Total-Count') ?? data.length) };
}

const presenceFields = ['id', 'registered', 'registered_at'];

const withPresence = (page: ListPage, present: Map<number, Extension>): ListPage => ({
  ...page,
  rows: page.rows.map((row) => ({ ...row, ...present.get(row.id) })),
});

/** Polls registration state only; reloads the whole list when extensions were added or removed. */
export const presenceQuery = queryOptions({
  queryKey: ['presence'],
  queryFn: async ({ client, signal }): Promise<null> => {
    const { queryKey } = extensionsQuery;
    for (const [index, page] of (client.getQueryData(queryKey)?.pages ?? []).entries()) {
      const { rows, total } = await readPage(index * pageRows, { fields: presenceFields }, signal);
      if (total !== page.total) {
        void client.invalidateQueries({ queryKey });
        return null;
      }
      const present = new Map(rows.map((row) => [row.id, row]));
      client.setQueryData(
        queryKey,
        (list) => list && { ...list, pages: list.pages.map((each) => withPresence(each, present)) },
      );
    }
    return null;
  },
  initialData: null,
  staleTime: Number.POSITIVE_INFINITY,
  refetchInterval: presenceEveryMs,
});

/** One extension, which may not be loaded in the list yet. */
export const extensionByRamalQuery = (ramal: string) =>
  queryOptions({
    queryKey: ['extensions', 'ramal', ramal],
    queryFn: async ({ signal }): Promise<Extension | null> => {
      const filter = JSON.stringify({ include: 'user', where: { ramal } });
      const [extension] = await unwrap(api.GET('/extensions', { params: { query: { filter } }, signal }));
      return (extension as Extension | undefined) ?? null;
    },
  });

const watchEveryMs = 3000;

/** One extension, polled while its softphone is being set up. */
export const watchedExtensionQuery = (id: number) =>
  queryOptions({
    queryKey: ['extensions', 'watched', id],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/extensions/{id}', { params: { path: { id: String(id) } }, signal })),
    refetchInterval: watchEveryMs,
    staleTime: 0,
    gcTime: 0,
  });

export const nextRamalQuery = queryOptions({
  queryKey: ['extensions', 'next'],
  queryFn: ({ signal }) => unwrap(api.GET('/extensions/next-available', { signal })),
  staleTime: 0,
  gcTime: 0,
});

/** Numbers that may be used as caller ID. */
export const callerIdsQuery = queryOptions({
  queryKey: ['caller ids'],
  queryFn: ({ signal }) => unwrap(api.GET('/callerIds', { signal })),
});

/** Users whose email can be selected as owner. */
export const usersQuery = queryOptions({
  queryKey: ['extensions', 'people'],
  queryFn: ({ signal }) =>
    unwrap(
      api.GET('/users', {
        params: { query: { filter: '{"fields":["name","email"],"limit":1000}' } },
        signal,
      }),
    ),
});
