import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inAccount } from '../../../../src/platform/db/database.ts';
import { createAccount, type TestAccount } from '../../../harness/people.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;

/** More calls than one search may read: 66,960 in January, in which `par` is frequent, and the rest in February. */
const count = 90_000;

/**
 * All calls have the words `ana` and a number; one in 1,500 has `rara`, one in 2 `par` and the others `impar`. Five calls
 * have both `par` and `unica`.
 */
beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '100000' });
  account = await createAccount(platform);
  const { query } = platform.database;
  await query(`select make_call_months('2026-01-01', '2026-02-01')`);
  await query(
    `insert into calls (id, account_id, domain, book, call_type, status, started_at, answered_at, ended_at, "from", "to",
       email, first_name, last_name, recorded, duration, metadata, timeline)
     select (left(uuid_floor(at)::text, 14) || '7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1, $2, 'test', 'outbound',
            'ended', at, at, at, '1000', '55119' || 80000000 + n, 'ana@empresa.test', 'Ana', 'Souza', false, n % 60, '{}',
            '[]'
       from generate_series(0, ${count - 1}) n, lateral (select timestamptz '2026-01-01Z' + n * interval '40 s') as t(at)`,
    [account.id, account.domain],
  );
  await query(
    `insert into call_words select account_id, word, id from calls,
       lateral (select ('x' || right(id::text, 8))::bit(32)::int as n) as c,
       lateral unnest(array['ana', "to", case when n % 2 = 0 then 'par' else 'impar' end,
         case when n % 1500 = 0 then 'rara' end, case when n % 18000 = 0 then 'unica' end]) as w(word)
      where account_id = $1 and word is not null`,
    [account.id],
  );
  await query('vacuum analyze calls, call_words');
});
afterAll(() => platform?.close());

interface Walked {
  ids: string[];
  pages: number;
}

/** Follows the cursors of a search to its end. */
async function walk(q: string, filter: object = {}, maxPages = 1_000): Promise<Walked> {
  const ids: string[] = [];
  let cursor: string | undefined;
  for (let pages = 1; ; pages += 1) {
    const { status, body, text } = await account.admin.client.list(
      '/calls/search',
      { limit: 500, fields: ['id'], ...filter },
      { q, ...(cursor === undefined ? {} : { cursor }) },
    );
    expect(status, text).toBe(200);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    cursor = body.meta.nextCursor;
    if (cursor === undefined || pages === maxPages) return { ids, pages };
  }
}

const idsWhere = async (condition: string) =>
  (
    await platform.database.query<{ id: string }>(
      `select id from calls, lateral (select ('x' || right(id::text, 8))::bit(32)::int as n) as c
        where account_id = $1 and ${condition} order by id desc`,
      [account.id],
    )
  ).map(({ id }) => id);

test('SEARCH-03 rare words are found on one page in all months', async () => {
  expect(await walk('rara')).toEqual({ ids: await idsWhere('n % 1500 = 0'), pages: 1 });
  expect((await walk('5511980045000')).ids).toEqual(await idsWhere('n = 45000'));
  expect((await walk('ana unica')).ids).toEqual(await idsWhere('n % 18000 = 0'));
});

test('SEARCH-03 a page of frequent words is full, and their intersection is complete', async () => {
  const expected = await idsWhere('n % 2 = 0');
  expect((await walk('ana par', {}, 2)).ids).toEqual(expected.slice(0, 1_000));
  const oldest = await walk('ana par', { order: 'id ASC' }, 2);
  expect(oldest.ids).toEqual(expected.toReversed().slice(0, 1_000));
  expect((await walk('55119800450')).ids).toEqual(await idsWhere(`"to" like '55119800450%'`));
  const where = { duration: 58, date: { gte: '2026-02-01T00:00:00Z' } };
  expect((await walk('par ana', { where })).ids).toEqual(
    await idsWhere(`n % 60 = 58 and started_at >= '2026-02-01Z'`),
  );
});

test('SEARCH-03 frequent words that never meet end with short pages, not with a refusal', async () => {
  const { ids, pages } = await walk('par impar');
  expect(ids).toEqual([]);
  expect(pages).toBeGreaterThan(1);
  expect(pages).toBeLessThan(20);
});

test('SEARCH-03 the index on words is used under row-level security', async () => {
  const plan = await inAccount(platform.api.base.db, account.id, async (tx) => {
    const explain = `explain (analyze, format text)
      select id from call_words where account_id = $1 and word ^@ $2::text and id >= $3::uuid order by word limit 1001`;
    const { rows } = await tx.executeQuery<{ 'QUERY PLAN': string }>(
      CompiledQuery.raw(explain, [account.id, 'rara', '00000000-0000-0000-0000-000000000000']),
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  expect(plan).toMatch(/Index Only Scan using call_words_2026_01_pkey/);
  expect(plan).toMatch(/Index Cond: .*word >= 'rara'::text\) AND \(word < 'rarb'::text/);
  // Empty partitions are scanned sequentially.
  expect(plan).not.toMatch(/Seq Scan on call_words_2026_0[12]/);
});
