import { type QueryExecutorProvider, sql } from 'kysely';
import { isTimeout } from './expense.ts';
import type { List } from './list.ts';
import { memberIds } from './members.ts';
import type { Query } from './parse.ts';
import { isAmong, type Source } from './scans.ts';
import { allOf, whereSql } from './where-sql.ts';

export interface Count {
  total: number;
  isEstimated: boolean;
}

const countTimeoutMs = 1_000;

/**
 * Returns the exact count if it takes less than a second, else the planner's estimate. The executor is a transaction: the
 * savepoint keeps it usable after a timeout, and rolling back to it also restores the previous timeout.
 */
export async function countRows<DB, TB extends keyof DB, Row>(
  executor: QueryExecutorProvider,
  list: List,
  source: Source<DB, TB, Row>,
  query: Query,
): Promise<Count> {
  const predicates = [whereSql(query.where), ...memberIds(query.where).map((ids) => isAmong(list, ids))];
  const rows = sql`from (${source}) as list where ${allOf(predicates)}`;
  await sql`savepoint list_count; set local statement_timeout = ${sql.lit(countTimeoutMs)}; set local jit = off`.execute(
    executor,
  );
  const exact = await sql<{ total: string }>`select count(*) as total ${rows}`
    .execute(executor)
    .catch(unlessTimeout);
  await sql`rollback to savepoint list_count; release savepoint list_count`.execute(executor);
  if (exact !== undefined) return { total: Number(exact.rows[0]?.total), isEstimated: false };
  const plan = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
    explain (format json) select 1 ${rows}`.execute(executor);
  return { total: plan.rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0, isEstimated: true };
}

function unlessTimeout(error: unknown): undefined {
  if (!isTimeout(error)) throw error;
}
