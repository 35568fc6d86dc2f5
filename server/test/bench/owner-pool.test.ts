import { expect, inject, test } from 'vitest';
import { withClient } from '../../../tools/dev/database.ts';
import { openOwner } from '../../bench/owner-pool.ts';

const backends = (url: string, name: string): Promise<number> =>
  withClient(url, async (client) => {
    const { rows } = await client.query(
      'select count(*)::int as count from pg_stat_activity where application_name = $1',
      [name],
    );
    return rows[0].count;
  });

test('a bench continues if an idle connection is ended while its database is dropped', async () => {
  const url = inject('databaseOwnerUrl');
  const owner = openOwner(url, 1);
  const [row] = await owner.query('select pg_backend_pid() as pid');
  await withClient(url, (client) => client.query('select pg_terminate_backend($1, 10000)', [row?.pid]));
  await expect.poll(async () => (await owner.query('select 1 as one').catch(() => []))[0]?.one).toBe(1);
  await owner.close();
});

test('a closed pool has no connection left, so that its database can be dropped', async () => {
  const url = new URL(inject('databaseOwnerUrl'));
  url.searchParams.set('application_name', 'bench-owner-pool');
  const owner = openOwner(url.href, 3);
  await Promise.all([1, 2, 3].map(() => owner.query('select pg_sleep(0.2)')));
  expect(await backends(url.href, 'bench-owner-pool')).toBeGreaterThanOrEqual(3);
  await owner.close();
  await expect.poll(() => backends(inject('databaseOwnerUrl'), 'bench-owner-pool')).toBe(0);
});
