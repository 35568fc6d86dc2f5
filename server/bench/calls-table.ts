import { Client } from 'pg';

/** Change it whenever the statements below change, so that an older table is not reused. */
const recipe = 'recipe 2';
const rowCount = 5_000_000;
const monthCount = 24;
const rowsPerMonth = Math.ceil(rowCount / monthCount);
const connectionCount = 2;

/** The restricted role reads as the service does in production: row-level security applies to it. */
export const benchRole = 'bench_service';
export const largeAccountId = 1;
export const accountCount = 5_000;

/**
 * Fills an empty database with five million call-shaped rows, one account owning a million of them.
 * Every value is derived from the row's number, so two runs measure the same data.
 */
export async function prepareCallsTable(ownerUrl: string): Promise<void> {
  const owner = await connect(ownerUrl);
  try {
    if (!(await isPrepared(owner))) await fill(owner, ownerUrl);
    // Another benchmark may have migrated the database, which closes the schema to everybody.
    await owner.query(`grant usage on schema public to ${benchRole}`);
  } finally {
    await owner.end();
  }
}

async function fill(owner: Client, ownerUrl: string): Promise<void> {
  const startedAtMs = Date.now();
  await owner.query(schemaSql);
  const months = Array.from({ length: monthCount }, (_, month) => month).values();
  await Promise.all(Array.from({ length: connectionCount }, () => fillMonths(ownerUrl, months)));
  await owner.query(finishSql);
  await owner.query(`comment on table bench_calls is '${recipe}'`);
  console.log(`${rowCount} rows prepared in ${Math.round((Date.now() - startedAtMs) / 1000)} s`);
}

async function connect(url: string): Promise<Client> {
  const client = new Client(url);
  await client.connect();
  await client.query(`set client_min_messages = warning; set maintenance_work_mem = '256MB'; set jit = off`);
  return client;
}

async function isPrepared(owner: Client): Promise<boolean> {
  const { rows } = await owner.query<{ comment: string | null }>(
    `select obj_description(to_regclass('bench_calls'), 'pg_class') as comment`,
  );
  return rows[0]?.comment === recipe;
}

async function fillMonths(url: string, months: Iterable<number>): Promise<void> {
  const client = await connect(url);
  try {
    for (const month of months) {
      await client.query(fillSql(month));
      for (const index of indexes) await client.query(`create index on bench_calls_${month} ${index}`);
      await client.query(`alter table bench_calls_${month} add primary key (id)`);
      await client.query(pairsSql(month));
      await client.query(`create unique index on bench_call_pairs_${month} ${pairsIndex}`);
      await client.query(`vacuum (freeze, analyze) bench_calls_${month}, bench_call_pairs_${month}`);
    }
  } finally {
    await client.end();
  }
}

/** The lowest UUIDv7 of a month counted from January 2024. */
function monthFloor(month: number): string {
  const hex = Date.UTC(2024, month, 1).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

function partitionSql(table: string, month: number): string {
  const range = `from ('${monthFloor(month)}') to ('${monthFloor(month + 1)}')`;
  return `create unlogged table ${table}_${month} partition of ${table} for values ${range};`;
}

const partitions = Array.from({ length: monthCount }, (_, month) => [
  partitionSql('bench_calls', month),
  partitionSql('bench_call_pairs', month),
]).flat();

/**
 * Texts that are sought by prefix have the collation "C", in which an index knows prefixes. The status is a text:
 * the equality of an enum or a numeric is not leak-proof, and row-level security would keep it from an index.
 */
const schemaSql = `
drop table if exists bench_calls, bench_call_pairs cascade;
create table bench_calls (
  id uuid not null, account_id bigint not null, started_at timestamptz not null, ended_at timestamptz,
  "from" text not null collate "C", "to" text not null collate "C",
  to_reversed text collate "C" generated always as (reverse("to")) stored,
  duration integer not null, status text not null, hangup_cause text,
  email text not null collate "C", first_name text not null, last_name text, bina text,
  minute_price double precision, call_price double precision, metadata jsonb not null
) partition by range (id);
create table bench_call_pairs (account_id bigint not null, pair bigint not null, id uuid not null)
  partition by range (id);
${partitions.join('\n')}`;

const indexes = [
  '(account_id, id)',
  '(account_id, "to", id)',
  '(account_id, to_reversed)',
  '(account_id, "from", id)',
  '(account_id, email, id)',
];
const pairsIndex = '(account_id, pair, id)';

/** The letters `a` to `e` are the row's dice, hashed from its number. */
function fillSql(month: number): string {
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
  select *, case when i % 5 = 0 then ${largeAccountId}
    else 2 + floor(${accountCount - 1} * (a / 1048576::float8) ^ 4)::int end as account from dice offset 0
), called as (
  select *, case when account < 50 then b % 60 else b % 6 end as agent,
    (hashint8extended(account * 1000003::bigint + c % 50000, 6) & 1073741823)::int as customer from owned offset 0
)
insert into bench_calls_${month} (id, account_id, started_at, ended_at, "from", "to", duration, status, hangup_cause,
  email, first_name, last_name, bina, minute_price, call_price, metadata)
select
  ('0' || to_hex(ms) || to_hex((i & 4095) | 28672) || 8000 || to_hex((a << 28) | i | (1::bigint << 47)))::uuid,
  account, to_timestamp(ms / 1000::float8), to_timestamp(ms / 1000::float8 + d % 600),
  (1000 + agent)::text, '55' || 11 + customer % 8 * 10 || 9 || 10000000 + customer / 8 % 90000000,
  case when d % 3 = 0 then 0 else d % 600 end, case when i > ${rowCount - 200} then 'answered' else 'ended' end,
  ('{NORMAL_CLEARING,NORMAL_CLEARING,NORMAL_CLEARING,NO_ANSWER,USER_BUSY}'::text[])[1 + d % 5],
  'agent' || agent || '@account' || account || '.example',
  ('{Ana,Bruno,Carla,Davi,Elisa,Fábio,Gabriela,Heitor,Íris,João}'::text[])[1 + agent % 10],
  case when b % 11 > 0 then 'Silva' || agent end, case when b % 7 > 0 then '5511' || 30000000 + account end,
  0.06, (d % 600) * 0.001::float8,
  case when c % 10 < 4 then '{}' when c % 10 < 7 then format('{"deal":"D%s"}', customer % 200000)
    else format('{"deal":"D%s","campaign":"c%s"}', customer % 200000, d % 20) end::jsonb
from called`;
}

function pairsSql(month: number): string {
  return `
insert into bench_call_pairs_${month}
select account_id, hashtextextended(key || '=' || value::text, 0), id
from bench_calls_${month}, jsonb_each(metadata)
where jsonb_typeof(value) in ('string', 'number', 'boolean') order by 1, 2, 3`;
}

const policy = `(account_id = current_setting('disca.account')::bigint)`;
const finishSql = `
alter table bench_calls add primary key (id);
${indexes.map((index) => `create index on bench_calls ${index};`).join('\n')}
create unique index on bench_call_pairs ${pairsIndex};
analyze bench_calls, bench_call_pairs;
alter table bench_calls enable row level security;
alter table bench_call_pairs enable row level security;
create policy own on bench_calls using ${policy};
create policy own on bench_call_pairs using ${policy};
do $$ begin
  if not exists (select from pg_roles where rolname = '${benchRole}') then create role ${benchRole}; end if;
end $$;
grant select on bench_calls, bench_call_pairs to ${benchRole};`;
