import type { Api } from './api.ts';
import { contentOf } from './errors.ts';
import { filterText, type ListQuery, type Paged } from './filter.ts';
import type { Answered, RequestOptions } from './transport.ts';

export interface Page<Item> {
  items: Item[];
  /** Total matching items; included in the first page of most lists. */
  total?: number | undefined;
  /** True if the total is an estimate, because counting would have taken too long. */
  isTotalEstimated: boolean;
}

/** A list that is fetched on demand: `for await (const item of list)`. */
export interface List<Item> extends AsyncIterable<Item> {
  pages(): AsyncGenerator<Page<Item>, void, undefined>;
  /** Returns the first page, with the total. */
  first(): Promise<Page<Item>>;
  /** Returns up to `most` items as an array. */
  take(most: number): Promise<Item[]>;
}

function listOf<Item>(pages: () => AsyncGenerator<Page<Item>, void, undefined>): List<Item> {
  async function* items(): AsyncGenerator<Item, void, undefined> {
    for await (const page of pages()) yield* page.items;
  }
  return {
    pages,
    [Symbol.asyncIterator]: items,
    async first() {
      const { value } = await pages().next();
      return value as Page<Item>;
    },
    async take(most) {
      const taken: Item[] = [];
      if (most <= 0) return taken;
      for await (const item of items()) if (taken.push(item) >= most) break;
      return taken;
    },
  };
}

/** A list with numbered pages, which also carry cursors to the next. */
export const pagedList = <Item>(
  api: Api,
  path: string,
  query?: Paged,
  options?: RequestOptions,
): List<Item> => chainedList(api, path, { page: 1 }, query, options);

/** A list that is paged by cursor only; `more` are query parameters besides the filter. */
export const cursorList = <Item>(
  api: Api,
  path: string,
  query?: Paged,
  options?: RequestOptions,
  more: Record<string, string | undefined> = {},
): List<Item> => chainedList(api, path, {}, query, options, more);

interface ChainedPage<Item> {
  data: Item[];
  meta: { totalItemCount?: number; nextCursor?: string };
}

function chainedList<Item>(
  api: Api,
  path: string,
  beginning: { page?: number },
  query: Paged = {},
  options: RequestOptions = {},
  more: Record<string, string | undefined> = {},
): List<Item> {
  const filter = filterText(query);
  return listOf(async function* () {
    let place: { page?: number; cursor?: string } | undefined = beginning;
    while (place) {
      const outgoing = { method: 'GET', path, query: { ...more, filter, ...place } };
      const { response, text }: Answered = await api.send(outgoing, options);
      const { data, meta } = contentOf(response, text) as ChainedPage<Item>;
      yield { items: data, total: meta.totalItemCount, isTotalEstimated: isEstimated(response) };
      const cursor: string | undefined = meta.nextCursor ?? cursorOf(response.headers.get('link'));
      place = cursor === undefined ? undefined : { cursor };
    }
  });
}

const largestArray = 1_000;

/** Returns a list that the API returns as an array, paged by offset. */
function arrayList<Item>(
  api: Api,
  path: string,
  query: Paged = {},
  options: RequestOptions = {},
): List<Item> {
  // The API returns no more, however many are asked for.
  const pageSize = Math.min(query.pageSize ?? largestArray, largestArray);
  return listOf(async function* () {
    for (let offset = 0, total = 1; offset < total; offset += pageSize) {
      const filter = filterText(query, { limit: pageSize, offset });
      const { response, text } = await api.send({ method: 'GET', path, query: { filter } }, options);
      const items = contentOf(response, text) as Item[];
      total = Number(response.headers.get('x-total-count') ?? 0);
      yield { items, total, isTotalEstimated: isEstimated(response) };
      // Stop here as well, because the total may be an overestimate.
      if (items.length < pageSize) return;
    }
  });
}

/** Lists the items of a path, with the fields that the query names or all of them. */
type Listing<Item> = <Field extends keyof Item = keyof Item>(
  query?: ListQuery<Item, Field>,
  options?: RequestOptions,
) => List<Pick<Item, Field>>;

export function arrayListing<Item>(api: Api, path: string): Listing<Item> {
  return (query, options) => arrayList(api, path, query, options);
}

export function pagedListing<Item>(api: Api, path: string): Listing<Item> {
  return (query, options) => pagedList(api, path, query, options);
}

export function cursorListing<Item>(api: Api, path: string): Listing<Item> {
  return (query, options) => cursorList(api, path, query, options);
}

const isEstimated = ({ headers }: Response): boolean => headers.get('x-total-estimated') === 'true';

function cursorOf(link: string | null): string | undefined {
  const [, cursor] = /[?&]cursor=([^&>]+)[^>]*>; *rel="?next/.exec(link ?? '') ?? [];
  return cursor === undefined ? undefined : decodeURIComponent(cursor);
}
