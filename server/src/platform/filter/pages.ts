import type { QueryExecutorProvider } from 'kysely';
import { bounds } from './bounds.ts';
import { type Count, countRows } from './count.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { List } from './list.ts';
import type { Query } from './parse.ts';
import type { Source } from './scans.ts';
import { fetchSlice, type Slice } from './slice.ts';
import { withSpellings } from './spellings.ts';

export interface PageMeta {
  totalItemCount: number;
  totalPageCount: number;
  itemsPerPage: number;
  currentPage: number;
  nextPage?: number;
  previousPage?: number;
}

export interface Page<Row> {
  rows: Row[];
  meta: PageMeta;
  /** True if the total is an estimate, because counting would take too long. */
  isEstimated: boolean;
  /** The cursor of the next page, which does not scan the rows before it. */
  nextCursor: string | undefined;
}

export interface CursorPage<Row> {
  rows: Row[];
  meta: { itemsPerPage: number; nextCursor?: string };
}

export interface ArrayPage<Row> extends Count {
  rows: Row[];
}

/** Total from the list's own source, such as roll-ups; undefined to count the rows. */
export type OwnCount = (query: Query) => Promise<number | undefined>;

/** Fetches a numbered page, starting at 1. An offset in the filter shifts the first page. */
export async function fetchPage<DB, TB extends keyof DB, Row>(
  executor: QueryExecutorProvider,
  list: List,
  source: Source<DB, TB, Row>,
  query: Query,
  page: number,
  ownCount?: OwnCount,
): Promise<Page<Row>> {
  const offset = Math.min(query.offset + (page - 1) * query.limit, bounds.offset);
  const spelled = await withSpellings(executor, list, source, query);
  const slice = await fetchSlice(executor, list, source, spelled, { offset });
  const count = await countOf(executor, list, source, spelled, slice, offset, ownCount);
  const nextCursor = slice.hasMore && slice.end ? encodeCursor(list, query, slice.end) : undefined;
  return {
    rows: slice.rows,
    meta: pageMeta(query, count.total, page, slice.hasMore),
    isEstimated: count.isEstimated,
    nextCursor,
  };
}

/** Fetches the rows after a cursor, or the first rows without one. The cost does not depend on the depth. */
export async function fetchCursorPage<DB, TB extends keyof DB, Row>(
  executor: QueryExecutorProvider,
  list: List,
  source: Source<DB, TB, Row>,
  query: Query,
  cursor: string | undefined,
): Promise<CursorPage<Row>> {
  const start =
    cursor === undefined ? { offset: query.offset } : { after: decodeCursor(list, query, cursor), offset: 0 };
  const spelled = await withSpellings(executor, list, source, query);
  const slice = await fetchSlice(executor, list, source, spelled, start);
  const next = slice.hasMore && slice.end ? { nextCursor: encodeCursor(list, query, slice.end) } : {};
  return { rows: slice.rows, meta: { itemsPerPage: query.limit, ...next } };
}

/** Fetches the rows from the filter's offset, and the total. */
export async function fetchArray<DB, TB extends keyof DB, Row>(
  executor: QueryExecutorProvider,
  list: List,
  source: Source<DB, TB, Row>,
  query: Query,
  ownCount?: OwnCount,
): Promise<ArrayPage<Row>> {
  const spelled = await withSpellings(executor, list, source, query);
  const slice = await fetchSlice(executor, list, source, spelled, { offset: query.offset });
  return {
    rows: slice.rows,
    ...(await countOf(executor, list, source, spelled, slice, query.offset, ownCount)),
  };
}

/** Returns the total. A slice that reaches the end already determines it. */
async function countOf<DB, TB extends keyof DB, Row>(
  executor: QueryExecutorProvider,
  list: List,
  source: Source<DB, TB, Row>,
  query: Query,
  slice: Slice<Row>,
  offset: number,
  ownCount: OwnCount | undefined,
): Promise<Count> {
  if (!slice.hasMore && (slice.rows.length > 0 || offset === 0)) {
    return { total: offset + slice.rows.length, isEstimated: false };
  }
  const own = await ownCount?.(query);
  if (own !== undefined) return { total: own, isEstimated: false };
  const count = await countRows(executor, list, source, query);
  // An estimate must not be lower than the rows already seen, or the next page would seem not to exist.
  const seen = offset + slice.rows.length + (slice.hasMore ? 1 : 0);
  return count.isEstimated && slice.hasMore ? { ...count, total: Math.max(count.total, seen) } : count;
}

export function pageMeta(query: Query, total: number, page: number, hasMore: boolean): PageMeta {
  const totalPageCount = Math.ceil(Math.max(0, total - query.offset) / query.limit);
  return {
    totalItemCount: total,
    totalPageCount,
    itemsPerPage: query.limit,
    currentPage: page,
    ...(hasMore ? { nextPage: page + 1 } : {}),
    ...(page > 1 && page - 1 <= totalPageCount ? { previousPage: page - 1 } : {}),
  };
}
