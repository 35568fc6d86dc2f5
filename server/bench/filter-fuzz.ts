import type { Client, Pool } from 'pg';
import pg from 'pg';
import { Refusal } from '../src/platform/errors.ts';
import { parseQuery, type Query } from '../src/platform/filter/index.ts';
import {
  type BenchCall,
  type BenchService,
  callColumns,
  callsList,
  openAsService,
  percentile,
} from './calls-list.ts';
import { prepareCallsTable } from './calls-table.ts';
import { dice, generateFilter } from './generated-filter.ts';

/**
 * Runs generated filters on five million rows, with accounts weighted by their number of calls. The only failures
 * allowed are refusals, and p99 must stay near that of a plain indexed query of the same run.
 */
const bar = 3;
const minServedShare = 0.5;
const maxStatementsPerShape = 12;
const connectionCount = 2;
const filtersPerPlainRead = 4;
const sampleSize = 5_000;

interface Tally {
  servedMs: number[];
  expensiveMs: number[];
  plainMs: number[];
  invalid: number;
  failures: string[];
  rows: number;
  statements: Map<string, Set<string>>;
}

async function main(adminUrl: string, filterCount: number): Promise<void> {
  const { ownerUrl, serviceUrl } = await prepareCallsTable(adminUrl);
  const calls = await sampleCalls(ownerUrl);
  const tally: Tally = {
    servedMs: [],
    expensiveMs: [],
    plainMs: [],
    invalid: 0,
    failures: [],
    rows: 0,
    statements: new Map(),
  };
  const seed = Number(process.env.FUZZ_SEED ?? 1);
  await Promise.all(
    Array.from({ length: connectionCount }, (_, worker) =>
      fuzz(serviceUrl, calls, tally, Math.ceil(filterCount / connectionCount), seed * 1_000 + worker),
    ),
  );
  report(tally);
}

/** Samples real calls for filter values; accounts are weighted by their number of calls. */
async function sampleCalls(ownerUrl: string): Promise<BenchCall[]> {
  const owner: Client = new pg.Client(ownerUrl);
  await owner.connect();
  try {
    const text = `select * from calls tablesample system (2) repeatable (1) order by md5(id::text) limit $1`;
    return (await owner.query<BenchCall>(text, [sampleSize])).rows;
  } finally {
    await owner.end();
  }
}

async function fuzz(serviceUrl: string, calls: BenchCall[], tally: Tally, count: number, seed: number) {
  const service = openAsService(serviceUrl, 1);
  const { pool } = service.db;
  const roll = dice(seed);
  const texts = recordStatements(pool);
  try {
    for (let i = 0; i < count; i += 1) {
      const call = calls[Math.floor(roll() * calls.length)];
      if (call === undefined) throw new Error('The sample is empty.');
      const filter = generateFilter(roll, call);
      texts.clear();
      await tryFilter(service, call, filter, tally, texts);
      if (i % 5_000 === 0) console.log(`worker ${seed}: ${i} of ${count}`);
      if (i % filtersPerPlainRead === 0) tally.plainMs.push(await timed(() => readPlainly(pool, call)));
    }
  } finally {
    await service.db.close();
  }
}

function recordStatements(pool: Pool): Set<string> {
  const texts = new Set<string>();
  pool.on('connect', (client) => {
    const query = client.query.bind(client);
    client.query = ((text: string, ...rest: []) => {
      texts.add(text);
      return query(text, ...rest);
    }) as typeof client.query;
  });
  return texts;
}

async function tryFilter(
  service: BenchService,
  call: BenchCall,
  filter: string,
  tally: Tally,
  texts: Set<string>,
) {
  const startedAtMs = performance.now();
  let query: Query;
  try {
    query = parseQuery(callsList, filter);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'INVALID_FILTER') tally.invalid += 1;
    else tally.failures.push(`${filter}: ${String(error)}`);
    return;
  }
  try {
    tally.rows += (await service.list(call.account_id, { filter })).data.length;
    tally.servedMs.push(performance.now() - startedAtMs);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'FILTER_TOO_EXPENSIVE') {
      tally.expensiveMs.push(performance.now() - startedAtMs);
    } else tally.failures.push(`${filter}: ${String(error)}`);
  }
  const shape = describeShape(query);
  const shapeTexts = tally.statements.get(shape) ?? new Set();
  for (const text of texts) shapeTexts.add(text);
  tally.statements.set(shape, shapeTexts);
}

/** Returns the structure of a filter without its values; its SQL text may depend on nothing else. */
function describeShape({ where, order, offset }: Query): string {
  return JSON.stringify([where, order, offset > 0], (key, value: unknown) =>
    key === 'value' || key === 'values' || key === 'key' ? typeof value : value,
  );
}

/** The columns of a list that are stored in `calls`; `on_hold` is read from the running calls. */
const columns = [...callColumns.filter((column) => column !== 'on_hold'), 'bina']
  .map((column) => `"${column}"`)
  .join(', ');

async function readPlainly(pool: Pool, call: BenchCall): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(`select set_config('app.account_id', $1, true)`, [call.account_id]);
    const text = `select ${columns} from calls where account_id = $1 and "from" = $2 order by id desc limit 100`;
    await client.query(text, [call.account_id, call.from]);
    await client.query('commit');
  } finally {
    client.release();
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAtMs = performance.now();
  await work();
  return performance.now() - startedAtMs;
}

function report(tally: Tally): void {
  const { servedMs, expensiveMs, plainMs, invalid, failures, statements } = tally;
  const total = servedMs.length + expensiveMs.length + invalid + failures.length;
  const spread = (samples: number[]) =>
    [0.5, 0.9, 0.99, 0.999].map((share) => percentile(samples, share).toFixed(1)).join(' / ');
  console.log(
    `${total} filters: ${servedMs.length} served with ${tally.rows} rows, ${invalid} INVALID_FILTER,`,
  );
  console.log(`  ${expensiveMs.length} FILTER_TOO_EXPENSIVE, ${failures.length} unexpected failures`);
  console.log(
    `p50 / p90 / p99 / p99.9 in ms: served ${spread(servedMs)}, too expensive ${spread(expensiveMs)},`,
  );
  console.log(`  plain indexed query ${spread(plainMs)}`);
  for (const failure of failures.slice(0, 5)) console.log(`failure: ${failure}`);
  const maxTexts = Math.max(...[...statements.values()].map((texts) => texts.size));
  console.log(`${statements.size} shapes of filters, at most ${maxTexts} statement texts for one shape`);
  const ratio = percentile([...servedMs, ...expensiveMs], 0.99) / percentile(plainMs, 0.99);
  console.log(`ratio filter.p99 ${ratio.toFixed(2)} (bar ${bar.toFixed(2)})`);
  const isGood =
    ratio <= bar &&
    failures.length === 0 &&
    servedMs.length >= total * minServedShare &&
    maxTexts <= maxStatementsPerShape;
  if (!isGood) process.exitCode = 1;
}

const adminUrl = process.env.DATABASE_OWNER_URL;
if (adminUrl === undefined) throw new Error('DATABASE_OWNER_URL is not set.');
await main(adminUrl, Number(process.argv[2] ?? 100_000));
