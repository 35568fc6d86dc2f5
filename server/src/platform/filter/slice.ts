import { type QueryExecutorProvider, sql } from 'kysely';
import type { Position } from './cursor.ts';
import { tooExpensive, withinTime } from './expense.ts';
import { afterSql, orderSql, positionSql, showsPosition } from './keyset.ts';
import type { List } from './list.ts';
import type { Query } from './parse.ts';
import { type Scan, type Scans, type Source, type Start, scansOf } from './scans.ts';
import { allOf, whereSql } from './where-sql.ts';

export interface Slice<Row> {
  rows: Row[];
  hasMore: boolean;
  /** Position of the last row, if any. */
  end: Position | undefined;
}

/** The extra column exists only if the row does not contain its position. */
type Positioned<Row> = Row & { list_position?: Position };

interface Reading {
  executor: QueryExecutorProvider;
  query: Query;
  start: Start;
}

/** Fetches the rows after a position or an offset, plus one to know whether more follow. */
export async function fetchSlice<DB, TB extends keyof DB, Row>(
  executor: QueryExecutorProvider,
  list: List,
  source: Source<DB, TB, Row>,
  query: Query,
  start: Start,
): Promise<Slice<Row>> {
  const scans = scansOf(list, source, query, start);
  const positioned = await withinTime(executor, list, () =>
    readFirst<Row>({ executor, query, start }, scans),
  );
  if (positioned === undefined) throw tooExpensive(list);
  const shown = positioned.slice(0, query.limit);
  const last = shown.at(-1);
  return {
    rows: showsPosition(query.order) ? shown : shown.map(({ list_position: _, ...row }) => row as Row),
    hasMore: positioned.length > query.limit,
    end: last && (last.list_position ?? shownPosition(query, last)),
  };
}

function shownPosition(query: Query, row: object): Position {
  const values = new Map(Object.entries(row) as [string, string | null][]);
  return query.order.map(({ column }) => values.get(column) ?? null);
}

/** Returns the rows of the first scan that fills the page or reaches the end; undefined if none does. */
async function readFirst<Row>(reading: Reading, scans: Scans): Promise<Positioned<Row>[] | undefined> {
  if (scans.seek !== undefined) {
    const sought = await attempt<Row>(reading, scans.seek);
    if (sought.isDone) return sought.rows;
  }
  const walked = await attempt<Row>(reading, scans.walk);
  if (walked.isDone) return walked.rows;
  const { query, start } = reading;
  const matchCount = start.offset === 0 ? walked.rows.length : await countMatches(reading, scans.walk);
  const neededShare = (start.offset + query.limit + 1) / scans.longWalk.rowCount;
  if (matchCount / scans.walk.rowCount < neededShare) return undefined;
  const far = await attempt<Row>(reading, scans.longWalk);
  return far.isDone ? far.rows : undefined;
}

async function attempt<Row>(
  reading: Reading,
  scan: Scan,
): Promise<{ rows: Positioned<Row>[]; isDone: boolean }> {
  const { executor, query, start } = reading;
  const overflows = async () => ((await scan.overflow?.execute(executor))?.rows.length ?? 0) > 0;
  if (scan.isWhole && (await overflows())) return { rows: [], isDone: false };
  const position = showsPosition(query.order) ? sql`` : sql`, ${positionSql(query.order)} as list_position`;
  const statement = sql<Positioned<Row>>`
    select *${position} ${matches(reading, scan)}
    order by ${orderSql(query.order)} limit ${query.limit + 1} offset ${start.offset}`;
  const { rows } = await statement.execute(executor);
  return { rows, isDone: scan.isWhole || rows.length > query.limit || !(await overflows()) };
}

async function countMatches(reading: Reading, scan: Scan): Promise<number> {
  const statement = sql<{ total: string }>`select count(*) as total ${matches(reading, scan)}`;
  return Number((await statement.execute(reading.executor)).rows[0]?.total);
}

function matches({ query, start }: Reading, scan: Scan) {
  const after = start.after === undefined ? [] : [afterSql(query.order, start.after)];
  return sql`from (${scan.candidates}) as list where ${allOf([whereSql(query.where), ...after])}`;
}
