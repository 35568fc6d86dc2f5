import { expect, test } from 'vitest';
import { inAccount, openDatabase } from '../../../src/platform/db/database.ts';
import { cloneDatabase } from '../../harness/database.ts';

test('closing ends the connections even if the query builder was never used', async () => {
  const database = await cloneDatabase();
  const options = {
    url: database.serviceUrl,
    poolSize: 2,
    applicationName: 'test',
    statementTimeoutMs: 1_000,
  };
  const db = openDatabase(options, () => undefined);
  await db.pool.query('select 1');
  await db.close();
  expect(db.pool).toMatchObject({ ended: true, totalCount: 0 });
  await database.drop();
});

test('LIMIT-17 one account uses half of the connections, and another account still gets one', async () => {
  const database = await cloneDatabase();
  const options = {
    url: database.serviceUrl,
    poolSize: 4,
    applicationName: 'test',
    statementTimeoutMs: 60_000,
  };
  const db = openDatabase(options, () => undefined);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let running = 0;
  const held = Array.from({ length: 5 }, () =>
    inAccount(db, 1, async () => {
      running += 1;
      await released;
    }),
  );
  await expect.poll(() => running).toBe(2);
  expect(await inAccount(db, 2, async () => db.pool.totalCount)).toBe(3);
  expect(running).toBe(2);
  release();
  await Promise.all(held);
  expect(running).toBe(5);
  await db.close();
  await database.drop();
});
