import { setTimeout as sleep } from 'node:timers/promises';
import type { OwnerQuery } from '../../test/harness/fixtures/billing-rows.ts';
import { type Caller, runRound } from './load.ts';

interface Statement {
  queryid: string;
  query: string;
  toplevel: boolean;
  calls: number;
  ms: number;
  planMs: number;
  buffers: number;
  walBytes: number;
}

/** A statement is left out if it takes less than this share of the time and, per call, is executed less often. */
const smallestShare = 0.005;
const fewest = 0.05;
const textLength = 110;
const settleMs = 2_000;

/**
 * Prints what PostgreSQL executes per call: every statement and, marked with a dot, every statement inside a function,
 * whose time is part of the statement that calls it. What it executes without calls in the same time is subtracted.
 */
export async function reportStatements(
  query: OwnerQuery,
  caller: Caller,
  { rate, ms }: { rate: number; ms: number },
): Promise<void> {
  await query('create extension if not exists pg_stat_statements');
  const idle = await during(query, () => sleep(ms));
  let calls = 0;
  const loaded = await during(query, async () => {
    calls = (await runRound(caller, rate, ms)).calls;
    await sleep(settleMs);
  });
  const known = new Map(idle.map((each) => [keyOf(each), each]));
  const perCall = loaded.map((each) => subtract(each, known.get(keyOf(each)), calls));
  const total = sum(perCall.filter(({ toplevel }) => toplevel));
  console.log(`statements: ${calls} calls at ${rate}/s; per call:`);
  console.log('    times       ms  plan ms  buffers      WAL');
  for (const each of perCall.sort((a, b) => b.ms + b.planMs - a.ms - a.planMs))
    if (each.ms + each.planMs > total.ms * smallestShare || (each.toplevel && each.calls >= fewest))
      print(each, each.toplevel ? '' : '· ');
  print({ ...total, query: 'all statements' }, '');
}

const keyOf = ({ queryid, toplevel }: Statement): string => `${queryid} ${toplevel}`;

async function during(query: OwnerQuery, work: () => Promise<void>): Promise<Statement[]> {
  await query('select pg_stat_statements_reset()');
  await work();
  const rows = await query(
    `select queryid::text, min(query) as query, toplevel, sum(calls)::float as calls,
            sum(total_exec_time) as ms, sum(total_plan_time) as "planMs",
            sum(shared_blks_hit + shared_blks_read)::float as buffers, sum(wal_bytes)::float as "walBytes"
       from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
      group by queryid, toplevel`,
  );
  return rows as unknown as Statement[];
}

const numbers = ['calls', 'ms', 'planMs', 'buffers', 'walBytes'] as const;

function subtract(loaded: Statement, idle: Statement | undefined, calls: number): Statement {
  const result = { ...loaded };
  for (const name of numbers) result[name] = (loaded[name] - (idle?.[name] ?? 0)) / calls;
  return result;
}

const sum = (statements: Statement[]): Record<(typeof numbers)[number], number> =>
  Object.fromEntries(
    numbers.map((name) => [name, statements.reduce((total, each) => total + each[name], 0)]),
  ) as Record<(typeof numbers)[number], number>;

function print(each: Pick<Statement, (typeof numbers)[number] | 'query'>, mark: string): void {
  const columns = [
    each.calls.toFixed(2).padStart(9),
    each.ms.toFixed(3).padStart(8),
    each.planMs.toFixed(3).padStart(8),
    each.buffers.toFixed(1).padStart(8),
    each.walBytes.toFixed(0).padStart(8),
  ];
  console.log(`${columns.join(' ')}  ${mark}${each.query.replaceAll(/\s+/g, ' ').slice(0, textLength)}`);
}
