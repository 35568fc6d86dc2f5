import type { Client } from 'pg';
import pg from 'pg';
import { type BenchService, callColumns, openAsService, percentile } from './calls-list.ts';
import { isShort, largeAccountId, prepareCallsTable } from './calls-table.ts';

/**
 * Measures a page of calls from the API against the same queries in plain SQL, on five million calls with the service's
 * role. Both run in a transaction that sets the account first. Rounds alternate, so that both run under the same
 * conditions.
 */
const usualBar = 2;
const roundCount = isShort ? 1 : 8;
const readsPerRound = isShort ? 2 : 40;
const depth = isShort ? 1_000 : 500_000;

interface Comparison {
  name: string;
  ours: () => Promise<number>;
  bare: () => Promise<number>;
  /** Maximum ratio; default: 2. */
  bar?: number;
}

async function main(adminUrl: string): Promise<void> {
  const { serviceUrl } = await prepareCallsTable(adminUrl);
  const service = openAsService(serviceUrl, 1);
  const client = new pg.Client(serviceUrl);
  await client.connect();
  try {
    for (const comparison of await prepareComparisons(service, client)) await measure(comparison);
  } finally {
    await client.end();
    await service.db.close();
  }
}

async function prepareComparisons(service: BenchService, client: Client): Promise<Comparison[]> {
  const ours = async (asked: Parameters<BenchService['list']>[1]) =>
    (await service.list(largeAccountId, asked)).data.length;
  const bare = async (where: string, values: unknown[], withTotal = false) => {
    await client.query('begin');
    await client.query(`select set_config('app.account_id', $1, true)`, [largeAccountId]);
    const text = `select ${columns} from calls where account_id = $1 ${where} order by id desc limit 101`;
    const { rows } = await client.query<{ id: string; recorded: boolean }>(text, [largeAccountId, ...values]);
    if (withTotal) {
      const counted = await client.query<{ until: Date }>(countedSql);
      await client.query(totalSql, [largeAccountId, counted.rows[0]?.until]);
    }
    const recorded = rows.slice(0, 100).filter((row) => row.recorded);
    await client.query(linksSql, [largeAccountId, recorded.map(({ id }) => id)]);
    await client.query('commit');
    return rows.length;
  };
  const deep = await cursorAtDepth(service, client);
  const range = ['2025-05-01T00:00:00.000Z', '2025-06-01T00:00:00.000Z'];
  const filter = JSON.stringify({
    where: { status: 'ended', date: { gte: range[0], lt: range[1] }, extension: '1007' },
  });
  // A hand-optimized query: the ids repeat the time range, which prunes partitions.
  const ids = ['01968924-9c00-0000-0000-000000000000', '019728c9-c000-0000-0000-000000000000'];
  const filtered = `and status = $2 and started_at >= $3 and started_at < $4 and "from" = $5 and id >= $6 and id < $7`;
  const quarter = ['2025-10-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'] as const;
  const summed = async (accountId: number) => {
    const { byDay, byHour } = await service.summarize(accountId, { since: quarter[0], until: quarter[1] });
    return byDay.length + byHour.length;
  };
  const counted = async () => {
    await client.query('begin');
    await client.query(`select set_config('app.account_id', $1, true)`, [largeAccountId]);
    const { rowCount } = await client.query(summarySql, [largeAccountId, ...quarter]);
    await client.query('commit');
    return rowCount ?? 0;
  };
  return [
    {
      name: 'list.summary',
      ours: () => summed(largeAccountId),
      bare: counted,
      // Half, because the plain query reads every call.
      bar: 0.5,
    },
    {
      name: 'list.first-page',
      ours: () => ours({ page: 1 }),
      bare: () => bare('', [], true),
    },
    {
      name: 'list.cursor-page',
      ours: () => ours({ cursor: deep.cursor }),
      bare: () => bare('and id < $2', [deep.id]),
    },
    {
      name: 'list.filtered-page',
      ours: () => ours({ filter }),
      bare: () => bare(filtered, ['ended', ...range, '1007', ...ids]),
    },
  ];
}

/** The columns of a list that are stored in `calls`; `on_hold` is read from the running calls. */
const columns = [...callColumns.filter((column) => column !== 'on_hold'), 'bina']
  .map((column) => `"${column}"`)
  .join(', ');
const linksSql = `select call_id from recordings
  where account_id = $1 and call_id = any($2) and state in ('expected', 'stored')`;
const countedSql = `select until::timestamp at time zone 'UTC' as until from call_days_counted`;
/** The summary by day, by hour and by cause, computed from the calls. */
const summarySql = `with local as (
    select started_at at time zone 'America/Sao_Paulo' as at, hangup_cause, answered_at, duration, call_price_micros
      from calls where account_id = $1 and id >= uuid_floor($2) and id < uuid_floor($3))
  select at::date, extract(hour from at), hangup_cause, count(*), count(answered_at), sum(duration), sum(call_price_micros),
         count(*) filter (where duration <= 6)
    from local group by grouping sets ((), (at::date), (extract(hour from at)), (hangup_cause))`;
/** The total from the counted days and the calls after them. */
const totalSql = `select (select sum(calls) from call_counts where account_id = $1)
  + (select count(*) from calls where account_id = $1 and id >= uuid_floor($2))`;

/**
 * Returns a cursor at any depth: a cursor contains a position and the query, so that of the first page can be moved.
 */
async function cursorAtDepth(service: BenchService, client: Client): Promise<{ cursor: string; id: string }> {
  const { nextCursor } = await service.list(largeAccountId, { page: 1 });
  if (nextCursor === undefined) throw new Error('There is only one page of calls.');
  await client.query(`select set_config('app.account_id', $1, false)`, [largeAccountId]);
  const { rows } = await client.query<{ id: string }>(
    `select id from calls where account_id = $1 order by id desc offset ${depth} limit 1`,
    [largeAccountId],
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new Error(`There are fewer than ${depth} calls.`);
  const [print] = JSON.parse(Buffer.from(nextCursor, 'base64url').toString()) as string[];
  return { cursor: Buffer.from(JSON.stringify([print, id])).toString('base64url'), id };
}

async function measure({ name, ours, bare, bar = usualBar }: Comparison): Promise<void> {
  const oursMs: number[] = [];
  const bareMs: number[] = [];
  for (let round = 0; round <= roundCount; round += 1) {
    for (let read = 0; read < readsPerRound; read += 1) {
      const [our, their] = [await timed(ours), await timed(bare)];
      // The first round warms caches and the JIT compiler.
      if (round === 0) continue;
      oursMs.push(our);
      bareMs.push(their);
    }
  }
  const [our, their] = [percentile(oursMs, 0.5), percentile(bareMs, 0.5)];
  const ratio = our / their;
  console.log(`${name}: ${our.toFixed(2)} ms, bare SQL ${their.toFixed(2)} ms`);
  console.log(`ratio ${name} ${ratio.toFixed(2)} (bar ${bar.toFixed(2)})`);
  if (!(ratio <= bar) && !isShort) process.exitCode = 1;
}

async function timed(read: () => Promise<number>): Promise<number> {
  const startedAtMs = performance.now();
  const rowCount = await read();
  if (rowCount < 100 && !isShort) throw new Error(`Expected a full page, got ${rowCount} rows.`);
  return performance.now() - startedAtMs;
}

const adminUrl = process.env.DATABASE_OWNER_URL;
if (adminUrl === undefined) throw new Error('DATABASE_OWNER_URL is not set.');
await main(adminUrl);
