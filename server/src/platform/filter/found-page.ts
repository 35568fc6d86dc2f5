import { type QueryExecutorProvider, sql } from 'kysely';
import { higherId, idAfter, idFloor, lowerId } from '../ids.ts';
import { timeRange } from './clock.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { withinTime } from './expense.ts';
import { invalidFilter } from './faults.ts';
import { orderSql } from './keyset.ts';
import type { List } from './list.ts';
import type { CursorPage } from './pages.ts';
import type { Query } from './parse.ts';
import type { Source } from './scans.ts';
import { whereSql } from './where-sql.ts';

/** Ids in [from, until), in page order. */
export interface Span {
  from: string;
  until: string;
  descending: boolean;
}

/** Ids of rows that may be on the page, in page order; about as many as wanted. */
export interface Candidates {
  ids: string[];
  /** All ids up to this one were considered; undefined if none are left. */
  examined: string | undefined;
}

const lowestId = '00000000-0000-0000-0000-000000000000';
const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** Candidates that are asked for at a time if a filter may reject many of them. */
const filteredBatch = 2_000;

/**
 * Fetches the rows after a cursor that a search finds and the filter accepts. The search may end before the page is full,
 * to limit its work: the page is then shorter, or empty, and its cursor continues where the search ended.
 */
export async function fetchFoundPage<DB, TB extends keyof DB, Row extends { id: string }>(
  executor: QueryExecutorProvider,
  list: List,
  source: Source<DB, TB, Row>,
  query: Query,
  cursor: string | undefined,
  find: (span: Span, wanted: number) => AsyncIterable<Candidates>,
): Promise<CursorPage<Row>> {
  refuseUnsupported(query);
  const [after] = cursor === undefined ? [] : decodeCursor(list, query, cursor);
  const isFiltered = query.where.kind !== 'and' || query.where.parts.length > 0;
  const wanted = isFiltered ? filteredBatch : query.limit + 1;
  const end = (position: string) => encodeCursor(list, query, [position]);
  return await withinTime(executor, list, async () => {
    const rows: Row[] = [];
    let examined: string | undefined;
    for await (const candidates of find(spanOf(query, after ?? undefined), wanted)) {
      rows.push(...(await readRows(executor, source, query, candidates.ids)));
      const last = rows[query.limit - 1];
      if (last && rows.length > query.limit) return pageOf(query, rows, end(last.id));
      examined = candidates.examined;
      if (examined === undefined) return pageOf(query, rows, undefined);
    }
    return pageOf(query, rows, examined && end(examined));
  });
}

/** Candidates come in the order of their ids and by cursor only. */
function refuseUnsupported(query: Query): void {
  const refuse = (path: string, message: string) => invalidFilter({ path, code: 'NOT_WITH_SEARCH', message });
  if (query.order.length > 1) {
    throw refuse('filter.order', 'Results of a search are ordered by `started_at` or `id` only.');
  }
  if (query.offset > 0) throw refuse('filter.offset', 'Use `cursor` instead of `offset` with a search.');
}

function spanOf(query: Query, after: string | undefined): Span {
  const { fromMs, untilMs } = timeRange(query);
  const descending = query.order[0]?.descending ?? false;
  const from = fromMs === undefined ? lowestId : idFloor(fromMs);
  const until = untilMs === undefined ? highestId : idFloor(untilMs);
  if (after === undefined) return { from, until, descending };
  return descending
    ? { from, until: lowerId(after, until), descending }
    : { from: higherId(from, idAfter(after)), until, descending };
}

async function readRows<DB, TB extends keyof DB, Row>(
  executor: QueryExecutorProvider,
  source: Source<DB, TB, Row>,
  query: Query,
  ids: string[],
): Promise<Row[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Row>`
    select * from (${source}) as list where id = any(${ids}::uuid[]) and ${whereSql(query.where)}
    order by ${orderSql(query.order)}`.execute(executor);
  return rows;
}

const pageOf = <Row>(query: Query, rows: Row[], nextCursor: string | undefined): CursorPage<Row> => ({
  rows: rows.slice(0, query.limit),
  meta: { itemsPerPage: query.limit, ...(nextCursor === undefined ? {} : { nextCursor }) },
});
