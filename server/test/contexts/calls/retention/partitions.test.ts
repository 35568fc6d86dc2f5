import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepMonths } from '../../../../src/contexts/calls/retention/keep-partitions.ts';
import { countDays } from '../../../../src/contexts/calls/summary/call-counts.ts';
import { sumCalls } from '../../../../src/contexts/calls/summary/sum-calls.ts';
import { inTransaction } from '../../../../src/platform/db/database.ts';
import { insertCalls } from '../../../harness/fixtures/call-rows.ts';
import { createAccount, type TestAccount } from '../../../harness/people.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  account = await createAccount(platform);
});
afterAll(() => platform.close());

/** Runs the jobs at another time. The platform's clock is not moved, because its tokens would expire. */
const at = (moment: string) => ({ ...platform.api.base, clock: { now: () => new Date(moment) } });
const keep = (moment: string, callRetentionMonths = 60) => keepMonths({ ...at(moment), callRetentionMonths });

async function monthsIn(schema: string): Promise<string[]> {
  const rows = await platform.database.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = $1::regnamespace and c.relkind = 'r'
        and c.relname ~ '^(calls|call_pairs|call_words)_[0-9]{4}_[0-9]{2}$' order by 1`,
    [schema],
  );
  return rows.map(({ name }) => name);
}

const countTotal = async () =>
  (await account.admin.client.list('/calls', {}, { page: '1' })).body.meta.totalItemCount;

test('creates the call partitions of the next three months, once', async () => {
  await keep('2031-11-30T23:30:00Z');
  const made = (await monthsIn('public')).filter((name) => /203[12]/.test(name));
  expect(made).toEqual(
    ['call_pairs', 'call_words', 'calls'].flatMap((table) =>
      ['2031_11', '2031_12', '2032_01', '2032_02'].map((month) => `${table}_${month}`),
    ),
  );
  await keep('2031-11-30T23:30:00Z');
  expect((await monthsIn('public')).filter((name) => /203[12]/.test(name))).toEqual(made);
});

test('a call is stored in the month of its id, to the millisecond, else in the default partition', async () => {
  const moments = ['2031-11-30T23:59:59.999Z', '2031-12-01T00:00:00.000Z', '2040-01-01T00:00:00.000Z'];
  const ids = await insertCalls(
    platform.database,
    account,
    moments.map((moment) => ({ startedAt: new Date(moment), metadata: { a: 1 } })),
  );
  await platform.database.query(
    `insert into call_words select account_id, 'ana', id from calls where id = any($1)`,
    [ids],
  );
  for (const table of ['calls', 'call_pairs', 'call_words']) {
    const rows = await platform.database.query<{ place: string }>(
      `select tableoid::regclass::text as place from ${table} where id = any($1) order by id`,
      [ids],
    );
    expect(rows.map(({ place }) => place)).toEqual([
      `${table}_2031_11`,
      `${table}_2031_12`,
      `${table}_default`,
    ]);
  }
  expect(await countTotal()).toBe(3);
});

test('SEARCH-05 months past their retention move to the archive with their totals and without words; others stay', async () => {
  await countDays(at('2032-01-20T12:00:00Z'), AbortSignal.timeout(120_000));
  await sumCalls(at('2032-01-20T12:00:00Z'), AbortSignal.timeout(120_000));
  const sums = () => platform.database.query('select from call_sums');
  expect(await sums()).toHaveLength(2);
  await keep('2032-01-20T12:00:00Z', 2);
  expect(await monthsIn('archive')).not.toContain('calls_2031_11');
  expect(await countTotal()).toBe(3);

  await keep('2032-02-01T00:00:00Z', 2);
  expect(await monthsIn('archive')).toEqual(expect.arrayContaining(['calls_2031_11', 'call_pairs_2031_11']));
  expect(await monthsIn('archive')).not.toContain('calls_2031_12');
  expect([...(await monthsIn('archive')), ...(await monthsIn('public'))]).not.toContain('call_words_2031_11');
  expect(await monthsIn('public')).toContain('call_words_2031_12');
  expect(await countTotal()).toBe(2);
  const [archived] = await platform.database.query('select count(*)::int as n from archive.calls_2031_11');
  expect(archived).toEqual({ n: 1 });
  const days = await platform.database.query(`select to_char(day, 'YYYY-MM-DD') as day from call_counts`);
  expect(days).toEqual([{ day: '2031-12-01' }]);
  expect(await sums()).toHaveLength(1);
  const { body } = await account.admin.client.list('/calls', { limit: 1 }, { page: '1' });
  expect(body.meta.totalItemCount).toBe(2);
});

test('the service role cannot read the archive', async () => {
  const { db } = platform.api.base;
  await expect(
    inTransaction(db, async () => await db.pool.query('select from archive.calls_2031_11')),
  ).rejects.toThrow(/permission denied/);
});

test('a month that started without its partition stays in the default; later ones are created', async () => {
  const [id] = await insertCalls(platform.database, account, [
    { startedAt: new Date('2035-05-02T00:00:00Z') },
  ]);
  await keep('2035-05-03T00:00:00Z', 600);
  const made = (await monthsIn('public')).filter((name) => name.startsWith('calls_2035'));
  expect(made).toEqual(['calls_2035_06', 'calls_2035_07', 'calls_2035_08']);
  expect(platform.logLines.join('')).toContain('in the default partition');
  expect((await account.admin.client.get(`/calls/${id}`)).status).toBe(200);
});
