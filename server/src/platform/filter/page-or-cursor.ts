import type { QueryExecutorProvider } from 'kysely';
import type { List } from './list.ts';
import { fetchCursorPage, fetchPage, type OwnCount, type PageMeta } from './pages.ts';
import type { Query } from './parse.ts';
import type { Source } from './scans.ts';

export interface FoundPage<Row> {
  rows: Row[];
  meta: PageMeta | { itemsPerPage: number; nextCursor?: string };
  isEstimated: boolean;
  /** The cursor of the next page, for numbered pages too. */
  nextCursor: string | undefined;
}

/** Fetches a page by number, or by the cursor of the page before. */
export async function fetchPageOrCursor<DB, TB extends keyof DB, Row>(
  executor: QueryExecutorProvider,
  list: List,
  source: Source<DB, TB, Row>,
  query: Query,
  { page, cursor }: { page?: number | undefined; cursor?: string | undefined },
  ownCount?: OwnCount,
): Promise<FoundPage<Row>> {
  if (page !== undefined) return await fetchPage(executor, list, source, query, page, ownCount);
  const result = await fetchCursorPage(executor, list, source, query, cursor);
  return { ...result, isEstimated: false, nextCursor: result.meta.nextCursor };
}
