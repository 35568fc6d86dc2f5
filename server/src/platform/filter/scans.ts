import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { clockBounds } from './clock.ts';
import type { Position } from './cursor.ts';
import { afterSql, orderSql } from './keyset.ts';
import type { List, ScanBudget } from './list.ts';
import type { Query } from './parse.ts';
import { findSeek, type Seek } from './seeks.ts';
import { sortsWindow } from './sort-window.ts';
import { allOf, anyOf, type Predicate } from './where-sql.ts';

/** The rows that a list may return, already restricted to the account; the filter restricts them further. */
export type Source<DB, TB extends keyof DB, Row> = SelectQueryBuilder<DB, TB, Row>;

export interface Start {
  after?: Position;
  offset: number;
}

/** One way to find the rows of a page within the list's row budget. */
export interface Scan {
  /** The rows to apply the whole filter to. */
  candidates: RawBuilder<unknown>;
  /** Returns a row if the budget is exhausted before the candidates; undefined without a budget. */
  overflow: RawBuilder<unknown> | undefined;
  /** Unordered candidates are usable only if they are complete. */
  isWhole: boolean;
  rowCount: number;
}

/**
 * The scans to try in order: an index on the filter's own fields, then the page order, then a longer scan in page order
 * if the first one is on course to fill the page. The planner's row estimates are off by orders of magnitude; a row
 * budget holds for any data.
 */
export interface Scans {
  seek: Scan | undefined;
  walk: Scan;
  longWalk: Scan;
}

/** Factor by which a scan that is likely to succeed may exceed the budget. */
const maxOverrun = 8;

export function scansOf<DB, TB extends keyof DB, Row>(
  list: List,
  source: Source<DB, TB, Row>,
  query: Query,
  start: Start,
): Scans {
  const plain = sql`${source}`;
  const { shares } = query;
  const rows = shares && query.order.length === 1 ? inOrder(plain, shares, query) : plain;
  const isFiltered = query.where.kind !== 'and' || query.where.parts.length > 0;
  if (list.scan === undefined || !isFiltered) {
    const all: Scan = { candidates: rows, overflow: undefined, isWhole: true, rowCount: 0 };
    return { seek: undefined, walk: all, longWalk: all };
  }
  if (sortsWindow(query)) {
    const window = whole(plain, clockBounds(list, query), 0);
    const all: Scan = { ...window, overflow: undefined };
    return { seek: undefined, walk: all, longWalk: all };
  }
  const after = start.after === undefined ? [] : [afterSql(query.order, start.after)];
  const bounds = [...clockBounds(list, query), ...after];
  const seek = findSeek(list, query);
  const { walkRows } = list.scan;
  // The cost of a numbered page grows with its number, because rows are counted from the first page.
  const longWalkRows = Math.ceil(maxOverrun * walkRows * (1 + start.offset / list.maxLimit));
  return {
    seek: seek && seekScan(list, list.scan, plain, bounds, query, seek, start.offset),
    walk: streamed(rows, bounds, query, walkRows + start.offset),
    longWalk: streamed(rows, bounds, query, longWalkRows),
  };
}

/** Reads in page order and stops at the page's last row or at the end of the budget. */
function streamed(source: RawBuilder<unknown>, bounds: Predicate[], query: Query, rowCount: number): Scan {
  const rows = sql`from (${source}) as list where ${allOf(bounds)} order by ${orderSql(query.order)}`;
  return {
    candidates: sql`select * ${rows} limit ${rowCount}`,
    overflow: sql`select 1 ${rows} offset ${rowCount} limit 1`,
    isWhole: false,
    rowCount,
  };
}

function seekScan(
  list: List,
  { seekRows }: ScanBudget,
  source: RawBuilder<unknown>,
  bounds: Predicate[],
  query: Query,
  seek: Seek,
  offset: number,
): Scan {
  const isOrderedById = query.order.length === 1;
  if (seek.kind === 'listed') {
    return isOrderedById
      ? streamedIds(list, source, bounds, query, seek.ids, seekRows + offset)
      : whole(source, [...bounds, isAmong(list, seek.ids)], seekRows);
  }
  if (seek.kind === 'scattered') return whole(source, [...bounds, seek.predicate], seekRows);
  return isOrderedById
    ? streamed(inOrder(source, seek.predicates, query), bounds, query, seekRows + offset)
    : whole(source, [...bounds, anyOf(seek.predicates)], seekRows);
}

/** One ordered query for each condition, because the planner merges their index scans in order only if they are separate. */
const inOrder = (source: RawBuilder<unknown>, predicates: Predicate[], query: Query): RawBuilder<unknown> =>
  sql.join(
    predicates.map(
      (predicate) =>
        sql`(select * from (${source}) as list where ${predicate} order by ${orderSql(query.order)})`,
    ),
    sql` union all `,
  );

/** `offset 0` stops the planner from merging this subquery with the page order, which would scan everything. */
function whole(source: RawBuilder<unknown>, predicates: Predicate[], rowCount: number): Scan {
  const rows = sql`from (${source}) as list where ${allOf(predicates)}`;
  return {
    candidates: sql`select * ${rows} offset 0`,
    overflow: sql`select 1 ${rows} offset ${rowCount} limit 1`,
    isWhole: true,
    rowCount,
  };
}

export const isAmong = (list: List, ids: RawBuilder<unknown>): Predicate =>
  sql<boolean>`${sql.ref(list.tieBreaker.column)} in (${ids})`;

/** Looks up each row by its id: the planner does not know that an id is in one partition only. */
function streamedIds(
  list: List,
  source: RawBuilder<unknown>,
  bounds: Predicate[],
  query: Query,
  ids: RawBuilder<unknown>,
  rowCount: number,
): Scan {
  const id = list.tieBreaker.column;
  const listed = sql`from (${ids}) as ids where ${allOf(bounds)} order by ${orderSql(query.order)}`;
  return {
    candidates: sql`
      select list.* from (select ${sql.ref(id)} ${listed} limit ${rowCount}) as listed
      join lateral (
        select * from (${source}) as one where ${sql.ref(`one.${id}`)} = ${sql.ref(`listed.${id}`)} offset 0) as list
        on ${sql.ref(`list.${id}`)} = ${sql.ref(`listed.${id}`)}`,
    overflow: sql`select 1 ${listed} offset ${rowCount} limit 1`,
    isWhole: false,
    rowCount,
  };
}
