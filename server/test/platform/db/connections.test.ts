import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/platform/db/database.ts';
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
