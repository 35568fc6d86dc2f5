import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, ask, askWhole } from '../../api/client.ts';
import type { paths } from '../../api/generated/schema.js';

type Listed = paths['/extensions']['get']['responses'][200]['content']['application/json'][number];
type Read = paths['/extensions/{id}']['get']['responses'][200]['content']['application/json'];
export type Extension = Read & Pick<Listed, 'user'>;
export type NewExtension = paths['/extensions']['post']['requestBody']['content']['application/json'];

/** What the API gives at most in one answer. */
const pageRows = 1000;
/** Nothing tells when a softphone registers, so the list is read anew now and then. */
const presenceEveryMs = 30_000;

interface ListPage {
  rows: Extension[];
  total: number;
}

export const extensionsQuery = infiniteQueryOptions({
  queryKey: ['extensions', 'list'],
  queryFn: async ({ pageParam, signal }): Promise<ListPage> => {
    const filter = JSON.stringify({
      include: 'user',
      order: 'ramal ASC',
      limit: pageRows,
      offset: pageParam,
    });
    const { data, headers } = await askWhole(
      api.GET('/extensions', { params: { query: { filter } }, signal }),
    );
    // No fields were chosen, so that all of them are there.
    return { rows: data as Extension[], total: Number(headers.get('X-Total-Count') ?? data.length) };
  },
  initialPageParam: 0,
  getNextPageParam: (last, pages) => {
    const read = pages.reduce((count, { rows }) => count + rows.length, 0);
    return last.rows.length > 0 && read < last.total ? read : undefined;
  },
  refetchInterval: presenceEveryMs,
});

/** One that the list may not have read yet. */
export const extensionByRamalQuery = (ramal: string) =>
  queryOptions({
    queryKey: ['extensions', 'ramal', ramal],
    queryFn: async ({ signal }): Promise<Extension | null> => {
      const filter = JSON.stringify({ include: 'user', where: { ramal } });
      const [found] = await ask(api.GET('/extensions', { params: { query: { filter } }, signal }));
      return (found as Extension | undefined) ?? null;
    },
  });

const watchEveryMs = 3000;

/** One whose softphone is being set up. */
export const watchedExtensionQuery = (id: number) =>
  queryOptions({
    queryKey: ['extensions', 'watched', id],
    queryFn: ({ signal }) =>
      ask(api.GET('/extensions/{id}', { params: { path: { id: String(id) } }, signal })),
    refetchInterval: watchEveryMs,
    staleTime: 0,
    gcTime: 0,
  });

export const nextRamalQuery = queryOptions({
  queryKey: ['extensions', 'next'],
  queryFn: ({ signal }) => ask(api.GET('/extensions/next-available', { signal })),
  staleTime: 0,
  gcTime: 0,
});

/** Numbers that may be shown to those who are called. */
export const ownNumbersQuery = queryOptions({
  queryKey: ['caller ids'],
  queryFn: ({ signal }) => ask(api.GET('/callerIds', { signal })),
});

/** Whose e-mails can be chosen. */
export const peopleQuery = queryOptions({
  queryKey: ['extensions', 'people'],
  queryFn: ({ signal }) =>
    ask(
      api.GET('/users', {
        params: { query: { filter: '{"fields":["name","email"],"limit":1000}' } },
        signal,
      }),
    ),
});
