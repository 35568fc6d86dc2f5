import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../../src/platform/db/database.ts';
import { cloneDatabase, type TestDatabase } from '../../../harness/database.ts';
import { runLedgerModel } from './ledger-model.ts';

const operations = 20_000;

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await cloneDatabase();
  const options = { url: database.serviceUrl, poolSize: 16, applicationName: 'ledger-model' };
  db = openDatabase({ ...options, statementTimeoutMs: 20_000 }, () => undefined);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const seed = Number(process.env.FUZZ_SEED ?? 20_261_115);

test(`LEDGER-04 LEDGER-06 LEDGER-07 LEDGER-14 ${operations} operations of 16 clients match a simple model (FUZZ_SEED=${seed})`, async () => {
  const tally = await runLedgerModel({ db, query: database.query, operations, seed });
  expect(tally['hold refused']).toBeGreaterThan(0);
  expect(tally['renewed for the last time']).toBeGreaterThan(0);
}, 600_000);
