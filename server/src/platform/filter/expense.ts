import { type QueryExecutorProvider, sql } from 'kysely';
import { Refusal } from '../errors.ts';
import type { List } from './list.ts';

/**
 * Runs a query with a timeout, a backstop behind the row budget. With a budget, a page is read along an index and stops
 * early; the planner cannot foresee that, so full scans with a sort are disabled.
 */
export async function withinTime<T>(
  executor: QueryExecutorProvider,
  list: List,
  work: () => Promise<T>,
): Promise<T> {
  const sorting = list.scan === undefined ? sql`` : sql`; set local enable_sort = off`;
  const timeout = sql`set local statement_timeout = ${sql.lit(list.statementTimeoutMs)}`;
  await sql`${timeout}; set local jit = off${sorting}`.execute(executor);
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

export function tooExpensive(list: List, cause?: unknown): Refusal {
  const clocks = [...list.fields.values()]
    .filter(({ clockSkewMs }) => clockSkewMs !== undefined)
    .map(({ name }) => name);
  const quote = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');
  const advice = [
    ...(clocks.length > 0 ? [`give a shorter range of ${quote(clocks)}`] : []),
    ...(list.scan && list.scan.seeks.length > 0 ? [`an exact ${quote(list.scan.seeks)}`] : []),
  ];
  const narrowing = advice.length > 0 ? `Narrow it: ${advice.join(', or ')}.` : 'Narrow it.';
  return new Refusal('FILTER_TOO_EXPENSIVE', `This filter would take too long. ${narrowing}`, {
    ...(cause === undefined ? {} : { cause }),
  });
}
