import fc from 'fast-check';
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  defineList,
  fetchCursorPage,
  fetchPage,
  type List,
  parseQuery,
} from '../../../src/platform/filter/index.ts';
import { cloneDatabase, type TestDatabase } from '../../harness/database.ts';

interface Database {
  ring: { id: string; account_id: string; started_at: Date; to: string; duration: number; metadata: unknown };
  slow_ring: Database['ring'];
}

/** Two accounts with 4,000 and 40 calls, one second apart, read as the service under row-level security. */
const schema = `
create table ring (
  id uuid primary key, account_id bigint not null, started_at timestamptz not null, "to" text collate "C" not null,
  to_reversed text collate "C" generated always as (reverse("to")) stored, duration int not null, metadata jsonb not null
);
create table ring_pairs (account_id bigint not null, pair bigint not null, id uuid not null);
insert into ring (id, account_id, started_at, "to", duration, metadata)
select (lpad(to_hex(1735689600000 + i * 1000), 12, '0') || '7000' || '8000' || lpad(to_hex(i), 12, '0'))::uuid,
  case when i % 101 = 0 then 2 else 1 end, to_timestamp(1735689600 + i), '5511' || 900000000 + i * 7919 % 100000, i % 97,
  case when i % 3 = 0 then '{}' else jsonb_build_object('deal', 'D' || i % 500, 'size', i % 5, 'open', i % 2 = 0) end
from generate_series(1, 4040) as i;
insert into ring_pairs select account_id, hashtextextended(key || '=' || value::text, 0), ring.id
from ring, jsonb_each(metadata) where jsonb_typeof(value) in ('string', 'number', 'boolean');
create index on ring (account_id, id);
create index on ring (account_id, "to", id);
create index on ring (account_id, to_reversed);
create unique index on ring_pairs (account_id, pair, id);
alter table ring enable row level security;
alter table ring_pairs enable row level security;
create policy own on ring using (account_id = current_setting('test.account')::bigint);
create policy own on ring_pairs using (account_id = current_setting('test.account')::bigint);
create view slow_ring as select ring.* from ring where pg_sleep(0.002) is not null;
grant select on ring, ring_pairs, slow_ring to public;
analyze ring, ring_pairs;`;

const definition = {
  name: 'ring',
  fields: {
    id: { type: 'uuid', sortable: true },
    started_at: { type: 'timestamp', sortable: true, sortColumn: 'id', clockSkewMs: 0, aliases: ['date'] },
    to: { type: 'text', sortable: true, reversedColumn: 'to_reversed' },
    duration: { type: 'integer' },
    metadata: { type: 'json', pairsTable: 'ring_pairs' },
  },
  defaultOrder: ['started_at DESC'],
  tieBreaker: 'id',
  maxLimit: 10,
} as const;
const budgeted = defineList({
  ...definition,
  scan: { walkRows: 100, seekRows: 30, seeks: ['metadata', 'to'] },
});
const unbudgeted = defineList(definition);

let database: TestDatabase;
let db: Kysely<Database>;

beforeAll(async () => {
  database = await cloneDatabase();
  await database.query(schema);
  const pool = new pg.Pool({ connectionString: database.serviceUrl, max: 2 });
  db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const asAccount = <T>(account: number, work: (trx: Transaction<Database>) => Promise<T>) =>
  db.transaction().execute(async (trx) => {
    await sql`select set_config('test.account', ${`${account}`}, true)`.execute(trx);
    return work(trx);
  });

const find = (list: List, filter: object, account = 1, cursor?: string) =>
  asAccount(account, (trx) => {
    const source = trx.selectFrom('ring').selectAll().where('account_id', '=', `${account}`);
    return fetchCursorPage(trx, list, source, parseQuery(list, JSON.stringify(filter)), cursor);
  });

/** Expects success within the budget, with the same rows that an unlimited query finds. */
async function expectServed(where: object, leastRows: number) {
  for (const order of ['started_at DESC', 'started_at ASC', 'to', 'to DESC']) {
    const page = await find(budgeted, { where, order });
    expect(page.rows).toEqual((await find(unbudgeted, { where, order })).rows);
    expect(page.rows.length).toBeGreaterThanOrEqual(leastRows);
  }
}

describe('page with a scan budget', () => {
  it('LIST-23 is rejected with advice when it would scan too much', async () => {
    const refused = find(budgeted, { where: { duration: { gt: 96 } } });
    await expect(refused).rejects.toMatchObject({ code: 'FILTER_TOO_EXPENSIVE' });
    await expect(refused).rejects.toThrow(/shorter range of `started_at`.*exact `metadata`, `to`/);
  });

  it('is served when matches are near enough, if necessary with a longer scan', async () => {
    await expectServed({ duration: { lt: 50 } }, 10);
    await expectServed({ duration: { lt: 3 } }, 10);
  });

  it('is served for a short time range, wherever it lies', async () => {
    const hour = { gte: '2025-01-01T00:10:00Z', lt: '2025-01-01T00:11:30Z' };
    const page = await find(budgeted, { where: { date: hour, duration: { gt: 90 } } });
    expect(page.rows).toEqual((await find(unbudgeted, { where: { date: hour, duration: { gt: 90 } } })).rows);
    expect(page.rows.length).toBeGreaterThan(0);
  });

  it('LIST-07 finds rare metadata by key and by containment', async () => {
    await expectServed({ 'metadata.deal': 'D7' }, 4);
    await expectServed({ metadata: { deal: 'D7', open: false } }, 4);
    await expectServed({ 'metadata.deal': 'none' }, 0);
    const common = await find(budgeted, { where: { 'metadata.size': 3 } });
    expect(common.rows).toEqual((await find(unbudgeted, { where: { 'metadata.size': 3 } })).rows);
  });

  it('LIST-09 finds numbers by exact match, prefix and suffix', async () => {
    const { to } = (await find(unbudgeted, {})).rows[0] ?? { to: '' };
    await expectServed({ to }, 1);
    await expectServed({ to: { like: `${to.slice(0, 11)}%` } }, 1);
    await expectServed({ to: { ilike: `%${to.slice(-5)}` } }, 1);
    await expectServed({ to: { inq: [to, '5511'] } }, 1);
    await expectServed({ to: 'none' }, 0);
  });

  it('is never rejected for an account with few rows', async () => {
    const few = await find(budgeted, { where: { duration: { gt: 96 } } }, 2);
    expect(few.rows).toEqual((await find(unbudgeted, { where: { duration: { gt: 96 } } }, 2)).rows);
  });

  it('LIST-18 pages by cursor without gaps or repetition', async () => {
    const walks: [where: object, meaning: string][] = [
      [{ 'metadata.size': 3 }, `metadata @> '{"size":3}'`],
      [{ metadata: { open: true } }, `metadata @> '{"open":true}'`],
      [{ duration: { lt: 20 } }, 'duration < 20'],
      [{}, 'true'],
    ];
    for (const [where, meaning] of walks) {
      const ids: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await find(budgeted, { where }, 1, cursor);
        ids.push(...page.rows.map(({ id }) => id));
        cursor = page.meta.nextCursor;
      } while (cursor !== undefined && ids.length < 5_000);
      const text = `select id from ring where account_id = 1 and ${meaning} order by id desc`;
      expect(ids).toEqual((await database.query<{ id: string }>(text)).map(({ id }) => id));
      expect(ids.length).toBeGreaterThan(500);
    }
  });

  it('returns the rows of an unlimited query or is rejected, for any filter', async () => {
    const condition = fc.oneof(
      fc.record({ duration: fc.record({ lt: fc.integer({ min: 0, max: 97 }) }) }),
      fc.record({ 'metadata.deal': fc.integer({ min: 0, max: 500 }).map((i) => `D${i}`) }),
      fc.record({ metadata: fc.record({ size: fc.integer({ min: 0, max: 5 }), open: fc.boolean() }) }),
      fc.record({
        to: fc.record({
          like: fc.integer({ min: 0, max: 99_999 }).map((i) => `%${`${i}`.padStart(5, '0')}`),
        }),
      }),
      fc.record({ to: fc.record({ like: fc.integer({ min: 0, max: 99 }).map((i) => `55119000${i}%`) }) }),
      fc.record({
        date: fc.record({
          lt: fc.integer({ min: 0, max: 4000 }).map((s) => new Date(1735689600000 + s * 1000).toISOString()),
        }),
      }),
    );
    const filter = fc.record({
      where: fc.array(condition, { minLength: 1, maxLength: 3 }).map((and) => ({ and })),
      order: fc.constantFrom('id', 'started_at DESC', 'to', ['to DESC']),
      limit: fc.integer({ min: 1, max: 10 }),
      offset: fc.constantFrom(0, 0, 0, 3, 40),
    });
    let served = 0;
    const property = fc.asyncProperty(filter, async (generated) => {
      const page = await find(budgeted, generated).catch((error: { code?: string }) => error);
      if (!('rows' in page)) {
        expect(page.code).toBe('FILTER_TOO_EXPENSIVE');
        return;
      }
      served += 1;
      expect(page.rows).toEqual((await find(unbudgeted, generated)).rows);
    });
    await fc.assert(property, { numRuns: 400, seed: 7 });
    expect(served).toBeGreaterThan(200);
  });
});

describe('time limits', () => {
  const slow = (list: List, limit: number) =>
    asAccount(1, async (trx) => {
      const source = trx.selectFrom('slow_ring').selectAll().where('account_id', '=', '1');
      const page = await fetchPage(trx, list, source, parseQuery(list, JSON.stringify({ limit })), 1);
      const { rows } = await sql<{
        one: number;
      }>`select 1 as one, current_setting('statement_timeout') as timeout`.execute(trx);
      return { page, rows };
    });

  it('LIST-23 rejects queries that exceed the time limit of the list', async () => {
    const hasty = defineList({ ...definition, statementTimeoutMs: 20 });
    await expect(slow(hasty, 10)).rejects.toMatchObject({ code: 'FILTER_TOO_EXPENSIVE' });
  });

  it('LIST-22 estimates a total that takes over a second, and leaves the transaction usable', async () => {
    const { page, rows } = await slow(unbudgeted, 5);
    expect(page.isEstimated).toBe(true);
    expect(page.rows).toHaveLength(5);
    expect(page.meta.totalItemCount).toBeGreaterThan(5);
    expect(page.meta.nextPage).toBe(2);
    expect(rows).toEqual([{ one: 1, timeout: '2s' }]);
  });

  it('LIST-22 counts exactly within the time limit', async () => {
    const page = await asAccount(1, (trx) => {
      const source = trx.selectFrom('ring').selectAll().where('account_id', '=', '1');
      return fetchPage(trx, budgeted, source, parseQuery(budgeted, '{"where":{"duration":{"lt":50}}}'), 1);
    });
    const [counted] = await database.query<{ n: number }>(
      'select count(*)::int as n from ring where account_id = 1 and duration < 50',
    );
    expect(page.meta.totalItemCount).toBe(counted?.n);
    expect(page.isEstimated).toBe(false);
  });
});
