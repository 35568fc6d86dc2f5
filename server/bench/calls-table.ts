import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Client } from 'pg';
import { migrate } from '../src/main/migrate.ts';
import { insertPlainAccounts } from '../test/harness/fixtures/billing-rows.ts';
import { databaseUrl } from '../test/harness/template.ts';
import { callWords } from './call-words.ts';

/** Change this whenever the statements below change, so that calls of older runs are not reused. */
const recipe = 'recipe 4';
/** A short run checks that a benchmark works, with few calls. */
export const isShort = process.argv.includes('--short');
const serviceRole = 'bench_app';
const monthCount = 24;
const connectionCount = 2;

export const endOfCalls = new Date(Date.UTC(2024, monthCount, 1));
export const largeAccountId = 1;
const accountCount = 5_000;
/** One thousand a month. */
export const leastCalls = 24_000;

export interface CallsDatabase {
  ownerUrl: string;
  /** Connects as the service: row-level security applies. */
  serviceUrl: string;
}

/** What to prepare, by default for the lists. */
interface Recipe {
  database: string;
  rowCount: number;
  /** The SQL that fills further tables with the calls of a month, such as `2024_01`. */
  more: { table: string; sql: (month: string) => string }[];
}

/** All short runs use one database. */
const usual: Recipe = isShort
  ? { database: 'disca_calls_short', rowCount: leastCalls, more: [callWords] }
  : { database: 'disca_calls', rowCount: 5_000_000, more: [] };

/**
 * Creates the migrated schema with five million calls or another number of them, a fifth in one account, in a database
 * that is kept for the next run. Every value is derived from the row number, so all runs measure the same data.
 */
export async function prepareCallsTable(adminUrl: string, chosen: Recipe = usual): Promise<CallsDatabase> {
  const { database } = chosen;
  const ownerUrl = databaseUrl(adminUrl, database);
  const serviceUrl = databaseUrl(adminUrl, database, serviceRole);
  const version = await hashRecipe(chosen);
  const admin = await connect(adminUrl);
  try {
    const made = await admin.query('select from pg_database where datname = $1', [database]);
    if (made.rowCount === 0 || !(await isPrepared(ownerUrl, version))) {
      await admin.query(`drop database if exists ${database} with (force)`);
      await admin.query(`create database ${database}`);
      await admin.query(
        `do $$ begin create role ${serviceRole} login; exception when duplicate_object then null; end $$`,
      );
      await migrate(ownerUrl, serviceUrl);
      await fill(ownerUrl, version, chosen);
    }
  } finally {
    await admin.end();
  }
  return { ownerUrl, serviceUrl };
}

/** Returns a hash of everything that determines the generated calls; unrelated migrations do not change it. */
async function hashRecipe({ more }: Recipe): Promise<string> {
  const hash = createHash('sha256').update(recipe);
  for (const { table, sql } of more) hash.update(table).update(sql('2024_01'));
  for (const file of ['0015_calls.sql', '0018_call_lists.sql']) {
    hash.update(await readFile(new URL(`../migrations/${file}`, import.meta.url)));
  }
  return hash.digest('hex').slice(0, 16);
}

async function isPrepared(ownerUrl: string, version: string): Promise<boolean> {
  const owner = await connect(ownerUrl);
  try {
    const { rows } = await owner.query<{ comment: string | null; filled: boolean }>(
      `select obj_description(to_regclass('calls'), 'pg_class') as comment,
              exists (select from pg_class where relname = 'calls_2025_12' and reltuples > 0) as filled`,
    );
    return rows[0]?.comment === version && rows[0].filled;
  } finally {
    await owner.end();
  }
}

async function fill(ownerUrl: string, version: string, chosen: Recipe): Promise<void> {
  const startedAtMs = Date.now();
  const owner = await connect(ownerUrl);
  try {
    await insertPlainAccounts(async (text, values) => (await owner.query(text, values)).rows, accountCount);
    await owner.query(`select make_call_months('2024-01-01', '2025-12-01')`);
    const months = Array.from({ length: monthCount }, (_, month) => month).values();
    await Promise.all(Array.from({ length: connectionCount }, () => fillMonths(ownerUrl, months, chosen)));
    await owner.query('analyze calls, call_pairs');
    // The last day has active calls, so it is not counted.
    for (let isMore = true; isMore; ) {
      const { rows } = await owner.query(`select count_call_day('2026-01-01') as day`);
      isMore = rows[0].day !== null;
    }
    for (let isMore = true; isMore; ) {
      const { rows } = await owner.query(`select sum_calls('2026-01-01Z') as until`);
      isMore = rows[0].until !== null;
    }
    await owner.query('vacuum analyze call_counts, call_sums, unsummed_calls');
    await owner.query(`comment on table calls is '${version}'`);
  } finally {
    await owner.end();
  }
  console.log(`${chosen.rowCount} calls prepared in ${Math.round((Date.now() - startedAtMs) / 1000)} s`);
}

async function connect(url: string): Promise<Client> {
  const client = new Client(url);
  await client.connect();
  // The accounts exist, so checking foreign keys five million times is unnecessary.
  await client.query(
    `set client_min_messages = warning; set maintenance_work_mem = '256MB'; set jit = off;
     set session_replication_role = replica`,
  );
  return client;
}

async function fillMonths(url: string, months: Iterable<number>, { rowCount, more }: Recipe): Promise<void> {
  const client = await connect(url);
  try {
    for (const month of months) {
      const name = new Date(Date.UTC(2024, month, 1)).toISOString().slice(0, 7).replace('-', '_');
      const tables = ['calls', 'call_pairs', ...more.map(({ table }) => table)].map(
        (table) => `${table}_${name}`,
      );
      for (const table of tables) await client.query(`alter table ${table} set unlogged`);
      await client.query(fillSql(month, rowCount));
      await client.query(pairsSql(name));
      for (const { sql } of more) await client.query(sql(name));
      await client.query(`vacuum (freeze, analyze) ${tables.join(', ')}`);
    }
  } finally {
    await client.end();
  }
}

/**
 * Returns the SQL that inserts the calls of a month. The columns `a` to `d` are pseudo-random values, hashed from the
 * row number.
 */
function fillSql(month: number, rowCount: number): string {
  const rowsPerMonth = Math.ceil(rowCount / monthCount);
  const firstMs = Date.UTC(2024, month, 1);
  const stepMs = Math.floor((Date.UTC(2024, month + 1, 1) - firstMs) / rowsPerMonth);
  const first = month * rowsPerMonth;
  const last = Math.min(rowCount, first + rowsPerMonth) - 1;
  return `
with dice as (
  select i, ${firstMs} + (i - ${first}) * ${stepMs} as ms, hashint8extended(i, 1) & 1048575 as a,
    (hashint8extended(i, 2) & 1048575)::int as b, (hashint8extended(i, 3) & 1048575)::int as c,
    (hashint8extended(i, 4) & 1048575)::int as d
  from generate_series(${first}::bigint, ${last}) as i offset 0
), owned as (
  select *, to_timestamp(ms / 1000::float8) as at, i <= ${rowCount - 200} as is_ended,
    case when i % 5 = 0 then ${largeAccountId}
      else 2 + floor(${accountCount - 1} * (a / 1048576::float8) ^ 4)::int end as account from dice offset 0
), called as (
  select *, case when account < 50 then b % 60 else b % 6 end as agent,
    case when d % 3 = 0 or not is_ended then 0 else d % 600 end as talk,
    (hashint8extended(account * 1000003::bigint + c % 50000, 6) & 1073741823)::int as customer from owned offset 0
)
insert into calls (id, account_id, domain, book, call_type, status, started_at, answered_at, ended_at, "from", "to",
  extension_id, email, first_name, last_name, bina, recorded, duration, billed_duration, hangup_cause, ended_by,
  minute_price_micros, call_price_micros, metadata, timeline)
select
  ('0' || to_hex(ms) || to_hex((i & 4095) | 28672) || 8000 || to_hex((a << 28) | i | (1::bigint << 47)))::uuid,
  account, 'empresa-' || account || '.disca.test', 'test', 'outbound', case when is_ended then 'ended' else 'answered' end,
  at, case when talk > 0 or not is_ended then at + interval '10 seconds' end,
  case when is_ended then at + interval '10 seconds' + talk * interval '1 second' end,
  (1000 + agent)::text, '55' || 11 + customer % 8 * 10 || 9 || 10000000 + customer / 8 % 90000000,
  account * 100 + agent, 'agent' || agent || '@account' || account || '.example',
  ('{Ana,Bruno,Carla,Davi,Elisa,Fábio,Gabriela,Heitor,Íris,João}'::text[])[1 + agent % 10], 'Silva' || agent,
  case when b % 7 > 0 then '5511' || 30000000 + account end, b % 2 = 0, talk, case when is_ended then talk end,
  case when is_ended then ('{NORMAL_CLEARING,NORMAL_CLEARING,NORMAL_CLEARING,NO_ANSWER,USER_BUSY}'::text[])[1 + d % 5] end,
  case when is_ended then ('{destination,extension}'::text[])[1 + b % 2] end,
  case when is_ended then 60000 end, case when is_ended then talk * 1000 end,
  case when c % 10 < 4 then '{}' when c % 10 < 7 then format('{"deal":"D%s"}', customer % 200000)
    else format('{"deal":"D%s","campaign":"c%s"}', customer % 200000, d % 20) end::jsonb,
  jsonb_build_array(jsonb_build_object('at', at, 'what', 'queued'), jsonb_build_object('at', at, 'what', 'ringing'),
    jsonb_build_object('at', at, 'what', 'ended', 'cause', 'NORMAL_CLEARING'))
from called order by ms, a`;
}

function pairsSql(month: string): string {
  return `
insert into call_pairs
select account_id, hashtextextended(key || '=' || value::text, 0), id
from calls_${month}, jsonb_each(metadata)
where jsonb_typeof(value) in ('string', 'number', 'boolean') order by 1, 2, 3`;
}
