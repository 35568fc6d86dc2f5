import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { Refusal } from '../errors.ts';
import type { Position } from './cursor.ts';
import { afterSql, orderSql, positionSql } from './keyset.ts';
import type { List } from './list.ts';
import type { Query } from './parse.ts';
import { type Scan, type Source, scansOf } from './scans.ts';
import { allOf, whereSql } from './where-sql.ts';

export interface Slice<Row> {
  rows: Row[];
  hasMore: boolean;
  /** Where the last row stands, if there is one. */
  end: Position | undefined;
}

type Positioned<Row> = Row & { list_position: Position };

/** Reads the rows after a position or an offset, and one more to know whether there are others. */
export async function fetchSlice<DB, TB extends keyof DB, Row>(
  executor: QueryExecutorProvider,
  list: List,
  source: Source<DB, TB, Row>,
  query: Query,
  start: { after?: Position; offset: number },
): Promise<Slice<Row>> {
  const after = start.after === undefined ? [] : [afterSql(query.order, start.after)];
  const read = async (candidates: RawBuilder<unknown>) => {
    const statement = sql<Positioned<Row>>`
      select *, ${positionSql(query.order)} as list_position from (${candidates}) as list
      where ${allOf([whereSql(query.where), ...after])} order by ${orderSql(query.order)}
      limit ${query.limit + 1} offset ${start.offset}`;
    return (await statement.execute(executor)).rows;
  };
  const rows = await withinTime(executor, list, () =>
    readFirst(executor, list, scansOf(list, source, query, start), read, query),
  );
  return toSlice(rows, query.limit);
}

async function readFirst<Row>(
  executor: QueryExecutorProvider,
  list: List,
  scans: Scan[],
  read: (candidates: RawBuilder<unknown>) => Promise<Row[]>,
  query: Query,
): Promise<Row[]> {
  for (const { candidates, overflow, isWhole } of scans) {
    const overflows = async () =>
      overflow !== undefined && (await overflow.execute(executor)).rows.length > 0;
    if (isWhole && (await overflows())) continue;
    const rows = await read(candidates);
    if (isWhole || rows.length > query.limit || !(await overflows())) return rows;
  }
  throw tooExpensive(list);
}

function toSlice<Row>(positioned: Positioned<Row>[], limit: number): Slice<Row> {
  const shown = positioned.slice(0, limit);
  const end = shown.at(-1)?.list_position;
  const rows = shown.map(({ list_position: _, ...row }) => row as Row);
  return { rows, hasMore: positioned.length > limit, end };
}

/** Backstop for what the budget of rows does not foresee. JIT compilation costs more than such reads do. */
async function withinTime<T>(
  executor: QueryExecutorProvider,
  list: List,
  work: () => Promise<T>,
): Promise<T> {
  await sql`set local statement_timeout = ${sql.lit(list.statementTimeoutMs)}; set local jit = off`.execute(
    executor,
  );
  try {
    return await work();
  } catch (error) {
    throw isTimeout(error) ? tooExpensive(list, error) : error;
  }
}

const queryCanceled = '57014';

export function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === queryCanceled;
}

function tooExpensive(list: List, cause?: unknown): Refusal {
  const clocks = [...list.fields.values()]
    .filter(({ clockSkewMs }) => clockSkewMs !== undefined)
    .map(({ name }) => name);
  const quote = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');
  const advice = [
    ...(clocks.length > 0 ? [`give a shorter range of ${quote(clocks)}`] : []),
    ...(list.scan && list.scan.seeks.length > 0 ? [`an exact ${quote(list.scan.seeks)}`] : []),
  ];
  const narrowing = advice.length > 0 ? `Narrow it: ${advice.join(', or ')}.` : 'Narrow it.';
  return new Refusal(
    'FILTER_TOO_EXPENSIVE',
    `This filter would search too much to answer in time. ${narrowing}`,
    {
      ...(cause === undefined ? {} : { cause }),
    },
  );
}
