import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rotationDays } from '../../../../src/contexts/billing/ledger/audit-book.ts';
import { auditAccount, auditAccountSince } from '../../../../src/contexts/billing/ledger/audit-ledger.ts';
import { type Database, inAccount, openDatabase, type Tx } from '../../../../src/platform/db/database.ts';
import { uuidv7 } from '../../../../src/platform/ids.ts';
import { secondsAfter } from '../../../../src/platform/time.ts';
import { addDeck, billingOfCall, giveCredit } from '../../../harness/fixtures/billing.ts';
import { insertPlainAccounts } from '../../../harness/fixtures/billing-rows.ts';
import { checksOf, damage, inDamaged } from '../../../harness/fixtures/damaged-ledger.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';

let platform: Platform;
let ownerDb: Database;
let accountId: number;
let longAccountId: number;
/** The newest transaction when the account was first audited. */
let verified: number;
beforeAll(async () => {
  platform = await startPlatform();
  ownerDb = openDatabase(
    { url: platform.database.ownerUrl, poolSize: 1, applicationName: 'audit', statementTimeoutMs: 60_000 },
    () => undefined,
  );
  await addDeck(platform, [{ prefix: '55', price: 0.3 }]);
  [accountId = 0, longAccountId = 0] = await insertPlainAccounts(platform.database.query, 2);
  await giveCredit(platform, accountId, 20);
  await makeCalls();
  platform.clock.advance(3 * 86_400);
  expect(await inAccount(platform.api.base.db, accountId, (tx) => daily(tx))).toEqual([]);
  verified = await newest();
  await makeCalls();
});
afterAll(async () => {
  await ownerDb.close();
  await platform.close();
});

async function makeCalls(): Promise<void> {
  for (const seconds of [61, 2]) {
    const call = billingOfCall(platform, { id: accountId }, uuidv7(platform.clock.now()));
    await call.hold();
    await call.settle(seconds);
  }
}

const newest = async (): Promise<number> =>
  (await platform.database.query<{ n: number }>('select max(number) as n from ledger_transactions'))[0]?.n ??
  0;
const daily = async (tx: Tx, day = 0, of = accountId): Promise<string[]> =>
  checksOf(await auditAccountSince(tx, of, { now: secondsAfter(platform.clock.now(), day * 86_400) }));

/** Runs daily audits until one finds something; returns what it found. */
async function dailyUntilFound(tx: Tx): Promise<string[]> {
  for (let day = 0; day <= rotationDays; day++) {
    const found = await daily(tx, day);
    if (found.length > 0) return found;
  }
  return [];
}

// A hold moves money between two columns, so its balance stays right: the hardest change to find.
const moveMoney = `update ledger_transactions
  set available_micros = available_micros + 1, held_micros = held_micros - 1 where number = $1`;
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index + 1);

test('LEDGER-17 the daily audit finds a change of every new transaction on the same day', async () => {
  const all = await newest();
  expect(all).toBeGreaterThan(verified);
  for (const number of numbers(verified, all))
    expect(await inDamaged(ownerDb, (tx) => damage(tx, moveMoney, [number]).then(() => daily(tx)))).toContain(
      'available balance',
    );
});

test('LEDGER-17 the daily audits find a change of every old transaction within 90 days, the full audit at once', async () => {
  for (const number of numbers(0, verified)) {
    const [byDaily, byFull] = await inDamaged(ownerDb, async (tx) => {
      await daily(tx);
      await damage(tx, moveMoney, [number]);
      return [await dailyUntilFound(tx), await auditAccount(tx, accountId, { now: platform.clock.now() })];
    });
    expect(byDaily).not.toEqual([]);
    expect(byFull).not.toEqual([]);
  }
});

test('LEDGER-17 the daily audits find changed old calls within 90 days and report them until they are repaired', async () => {
  const change = (by: number) => `update call_holds set price_micros = price_micros + ${by}
    where call_id = (select min(call_id::text)::uuid from call_holds where account_id = ${accountId})`;
  await inDamaged(ownerDb, async (tx) => {
    await damage(tx, change(1));
    const found = await dailyUntilFound(tx);
    expect(found).toEqual(['price of a call', 'rating of a call']);
    expect(await daily(tx, rotationDays + 1)).toEqual(found);
    await damage(tx, change(-1));
    expect(await daily(tx, rotationDays + 2)).toEqual([]);
  });
});

test.each([
  ['number', 0],
  ['available_micros', 0],
  ['held_micros', 0],
  ['rotated_number', rotationDays],
  ['rotated_available_micros', rotationDays],
  ['rotated_held_micros', rotationDays],
])(
  'LEDGER-17 the audit finds a changed %s of the checkpoint, and a clean full audit repairs it',
  async (column, days) => {
    await inDamaged(ownerDb, async (tx) => {
      await daily(tx);
      await damage(tx, `update ledger_checkpoints set ${column} = ${column} + 1`);
      expect(days === 0 ? await daily(tx) : await dailyUntilFound(tx)).not.toEqual([]);
      expect(await auditAccount(tx, accountId, { now: platform.clock.now() })).toEqual([]);
      expect(await daily(tx, 1)).toEqual([]);
    });
  },
);

test('LEDGER-17 the daily audit reads the new transactions and a ninetieth of the old ones', async () => {
  /** Adds transactions, and returns how many rows the next daily audit reads. */
  const rowsReadAfter = (added: number): Promise<number> =>
    inAccount(ownerDb, longAccountId, async (tx) => {
      await sql`
        with balance as (
          insert into ledger_balances as b (account_id, book, available_micros, last_number)
          values (${longAccountId}, 'test', ${added} * 10, ${added})
          on conflict (account_id, book) do update set available_micros = b.available_micros + excluded.available_micros,
            last_number = b.last_number + excluded.last_number
          returning last_number)
        insert into ledger_transactions
        select gen_random_uuid(), ${longAccountId}, 'test', number, 'adjustment', 'operator', number::text, '',
               10, 0, 0, 0, -10, number * 10, 'Credit', now()
          from balance, generate_series(last_number - ${added} + 1, last_number) as number`.execute(tx);
      const read = sql<{ rows: number }>`
        select seq_tup_read + idx_tup_fetch as rows from pg_stat_xact_user_tables where relname = 'ledger_transactions'`;
      const before = (await read.execute(tx)).rows[0]?.rows ?? 0;
      expect(await daily(tx, 0, longAccountId)).toEqual([]);
      return ((await read.execute(tx)).rows[0]?.rows ?? 0) - before;
    });
  // Deciding whether the account has a book reads at most one row.
  expect((await rowsReadAfter(9_000)) - 9_000).toBeLessThanOrEqual(1);
  expect((await rowsReadAfter(90)) - 90 - 9_000 / rotationDays).toBeLessThanOrEqual(1);
});
