import { type Kysely, sql } from 'kysely';
import type { Pool } from 'pg';
import { fetchCursorPage, parseFilter } from '../src/platform/filter/index.ts';
import {
  type BenchDatabase,
  callColumns,
  callsList,
  callsSource,
  openAsService,
  percentile,
} from './calls-list.ts';
import { largeAccountId, prepareCallsTable } from './calls-table.ts';

/**
 * The list library against the same question asked in bare SQL, on five million rows as the restricted role.
 * Both run in a transaction that sets the account first; rounds alternate, so that both see the same machine.
 */
const bar = 2;
const roundCount = 8;
const readsPerRound = 40;
const depth = 500_000;

interface Figure {
  name: string;
  ours: () => Promise<number>;
  bare: () => Promise<number>;
}

async function main(ownerUrl: string): Promise<void> {
  await prepareCallsTable(ownerUrl);
  const { pool, db } = openAsService(ownerUrl, 1);
  try {
    const figures = await figuresOf(db, pool);
    for (const figure of figures) await measure(figure);
  } finally {
    await db.destroy();
  }
}

async function figuresOf(db: Kysely<BenchDatabase>, pool: Pool): Promise<Figure[]> {
  const ours = async (filter: string | undefined, cursor?: string) => {
    const query = parseFilter(callsList, filter);
    const page = await db.transaction().execute(async (trx) => {
      await sql`select set_config('disca.account', ${`${largeAccountId}`}, true)`.execute(trx);
      return fetchCursorPage(trx, callsList, callsSource(trx, largeAccountId), query, cursor);
    });
    return page;
  };
  const bare = async (where: string, values: unknown[]) => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query(`select set_config('disca.account', $1, true)`, [largeAccountId]);
      const text = `select ${columns} from bench_calls where account_id = $1 ${where} order by id desc limit 101`;
      const { rowCount } = await client.query(text, [largeAccountId, ...values]);
      await client.query('commit');
      return rowCount ?? 0;
    } finally {
      client.release();
    }
  };
  const deep = await cursorAtDepth(db);
  const range = ['2025-05-01T00:00:00.000Z', '2025-06-01T00:00:00.000Z'];
  const filter = JSON.stringify({
    where: { status: 'ended', date: { gte: range[0], lt: range[1] }, extension: '1007' },
  });
  // As a careful hand would write it: the ids repeat the range of time, which prunes partitions.
  const ids = ['01968924-9c00-0000-0000-000000000000', '019728c9-c000-0000-0000-000000000000'];
  const filtered = `and status = $2 and started_at >= $3 and started_at < $4 and "from" = $5 and id >= $6 and id < $7`;
  return [
    {
      name: 'list.first-page',
      ours: async () => (await ours(undefined)).rows.length,
      bare: () => bare('', []),
    },
    {
      name: 'list.cursor-page',
      ours: async () => (await ours(undefined, deep.cursor)).rows.length,
      bare: () => bare('and id < $2', [deep.id]),
    },
    {
      name: 'list.filtered-page',
      ours: async () => (await ours(filter)).rows.length,
      bare: () => bare(filtered, ['ended', ...range, '1007', ...ids]),
    },
  ];
}

const columns = callColumns.map((column) => `"${column}"`).join(', ');

async function cursorAtDepth(db: Kysely<BenchDatabase>): Promise<{ cursor: string; id: string }> {
  return db.transaction().execute(async (trx) => {
    await sql`select set_config('disca.account', ${`${largeAccountId}`}, true)`.execute(trx);
    const first = parseFilter(callsList, JSON.stringify({ limit: 1 }));
    // A cursor holds a position and the question, not the way to it: the offset is only skipped to once.
    const source = callsSource(trx, largeAccountId);
    const reached = await source.orderBy('id', 'desc').offset(depth).limit(1).executeTakeFirstOrThrow();
    const bounded = source.where('id', '<=', reached.id);
    const page = await fetchCursorPage(trx, callsList, bounded, first, undefined);
    if (page.meta.nextCursor === undefined) throw new Error(`There are no ${depth} calls.`);
    return { cursor: page.meta.nextCursor, id: reached.id };
  });
}

async function measure({ name, ours, bare }: Figure): Promise<void> {
  const oursMs: number[] = [];
  const bareMs: number[] = [];
  for (let round = 0; round <= roundCount; round += 1) {
    for (let read = 0; read < readsPerRound; read += 1) {
      const [our, their] = [await timed(ours), await timed(bare)];
      // The first round warms caches and compilers.
      if (round === 0) continue;
      oursMs.push(our);
      bareMs.push(their);
    }
  }
  const [our, their] = [percentile(oursMs, 0.5), percentile(bareMs, 0.5)];
  const ratio = our / their;
  console.log(`${name}: ${our.toFixed(2)} ms, bare SQL ${their.toFixed(2)} ms`);
  console.log(`ratio ${name} ${ratio.toFixed(2)} (bar ${bar.toFixed(2)})`);
  if (!(ratio <= bar)) process.exitCode = 1;
}

async function timed(read: () => Promise<number>): Promise<number> {
  const startedAtMs = performance.now();
  const rowCount = await read();
  if (rowCount < 100) throw new Error(`A full page was expected, ${rowCount} rows came.`);
  return performance.now() - startedAtMs;
}

const ownerUrl = process.env.DATABASE_OWNER_URL;
if (ownerUrl === undefined) throw new Error('DATABASE_OWNER_URL is not set.');
await main(ownerUrl);
