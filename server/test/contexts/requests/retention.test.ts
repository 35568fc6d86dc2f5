import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepRequestDays } from '../../../src/contexts/requests/keep-days.ts';
import { secondsAfter } from '../../../src/platform/time.ts';
import { flushRequests, listRequests } from '../../harness/fixtures/requests.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

const day = 24 * 3600;
let platform: Platform;
let account: TestAccount;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  account = await createAccount(platform);
});
afterAll(() => platform.close());

const partitions = async (): Promise<string[]> =>
  (
    await platform.database.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'requests'::regclass order by 1`,
    )
  ).map(({ name }) => name);

const partitionOf = (days: number): string =>
  `requests_${secondsAfter(platform.clock.now(), days * day)
    .toISOString()
    .slice(0, 10)
    .replaceAll('-', '_')}`;

const countRows = async (table: string): Promise<number> =>
  (await platform.database.query(`select from ${table} where account_id = $1`, [account.id])).length;

test('REQLOG-07 partitions are created ahead, with the rows that were written before them', async () => {
  await account.admin.client.patch('/accounts', { name: 'Cedo' });
  await flushRequests(platform);
  expect([await partitions(), await countRows('requests_default')]).toEqual([['requests_default'], 1]);
  await keepRequestDays(platform.api.base);
  expect(await partitions()).toEqual(
    [...Array.from({ length: 8 }, (_, ahead) => partitionOf(ahead)), 'requests_default'].toSorted(),
  );
  expect([await countRows('requests_default'), await countRows(partitionOf(0))]).toEqual([0, 1]);
  await keepRequestDays(platform.api.base);
  await account.admin.client.patch('/accounts', { name: 'Tarde' });
  expect(await listRequests(platform, account.admin.client)).toHaveLength(2);
  expect(await countRows(partitionOf(0))).toBe(2);
});

test('REQLOG-01 REQLOG-07 requests are listed for 7 days, then their partition and counts are dropped', async () => {
  const name = partitionOf(0);
  platform.clock.advance(7 * day - 3600);
  await keepRequestDays(platform.api.base);
  expect(await listRequests(platform, account.admin.client)).toHaveLength(2);
  platform.clock.advance(2 * 3600);
  expect(await listRequests(platform, account.admin.client)).toEqual([]);
  expect(await countRows('request_counts')).toBe(1);
  platform.clock.advance(day);
  await keepRequestDays(platform.api.base);
  expect(await partitions()).not.toContain(name);
  expect([await countRows('requests'), await countRows('request_counts')]).toEqual([0, 0]);
});

test('REQLOG-07 a reader that holds the table delays the drop, and batches for a second at most', async () => {
  platform.clock.advance(3 * day);
  const reader = new pg.Client({ connectionString: platform.database.ownerUrl });
  await reader.connect();
  await reader.query('begin; select from requests');
  const dropping = expect(keepRequestDays(platform.api.base)).rejects.toThrow(/lock timeout/);
  await account.admin.client.patch('/accounts', { name: 'Durante' });
  await flushRequests(platform);
  await dropping;
  await reader.query('commit');
  await reader.end();
  await keepRequestDays(platform.api.base);
  expect(await listRequests(platform, account.admin.client)).toHaveLength(1);
});
