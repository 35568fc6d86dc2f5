import { afterAll, beforeAll, expect, test } from 'vitest';
import { importRates, listRateDecks } from '../../../../src/contexts/billing/index.ts';
import { type Database, openDatabase } from '../../../../src/platform/db/database.ts';
import { cloneDatabase, type TestDatabase } from '../../../harness/database.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await cloneDatabase();
  const options = {
    url: database.operatorUrl,
    poolSize: 1,
    applicationName: 'test',
    statementTimeoutMs: 5_000,
  };
  db = openDatabase(options, () => undefined);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test('a dry run writes nothing and fails where the import would', async () => {
  const at = new Date('2026-12-01T03:00:00Z');
  const deck = { csv: 'prefix,price_per_minute\n55,0.12\n', name: 'first', effectiveFrom: at, at };
  expect((await importRates({ db }, deck, true)).added).toHaveLength(1);
  expect(await listRateDecks({ db })).toEqual([]);
  await importRates({ db }, deck, false);
  await expect(importRates({ db }, deck, true)).rejects.toThrow(
    'A deck with this start time already exists.',
  );
  expect(await listRateDecks({ db })).toMatchObject([{ name: 'first', rates: 1 }]);
});
