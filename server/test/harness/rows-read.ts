import { CompiledQuery } from 'kysely';
import pg from 'pg';
import { expect, vi } from 'vitest';
import { inAccount } from '../../src/platform/db/database.ts';
import type { Platform } from './platform.ts';

interface PlanNode {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** Returns the rows that a plan read from tables whose names begin with a text, whether it returned them or not. */
const rowsRead = (node: PlanNode, table: string): number =>
  (node['Relation Name']?.startsWith(table)
    ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    : 0) + (node.Plans ?? []).reduce((sum, each) => sum + rowsRead(each, table), 0);

/**
 * Repeats the statements of a request that read from a table, as the service, and returns the rows of the table and its
 * partitions that the largest of them read. `names` matches the statements.
 */
export async function mostRowsRead(
  { api }: Pick<Platform, 'api'>,
  accountId: number,
  { table, names }: { table: string; names: RegExp },
  request: () => Promise<{ status: number; text: string }>,
): Promise<number> {
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  const { status, text: answer } = await request();
  const sent = spy.mock.calls.map(([query]): unknown => query) as { text?: string; values?: unknown[] }[];
  spy.mockRestore();
  expect(status, answer).toBe(200);
  const reading = sent.filter(({ text = '' }) => /^\s*(select|with)\b/i.test(text) && names.test(text));
  expect(reading.length).toBeGreaterThan(0);
  const read = await inAccount(api.base.db, accountId, async (tx) => {
    const counts: number[] = [];
    for (const { text, values } of reading) {
      const explain = CompiledQuery.raw(`explain (analyze, format json) ${text}`, values);
      const { rows } = await tx.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explain);
      counts.push(rowsRead((rows[0]?.['QUERY PLAN'] ?? [])[0]?.Plan as PlanNode, table));
    }
    return counts;
  });
  return Math.max(...read);
}
