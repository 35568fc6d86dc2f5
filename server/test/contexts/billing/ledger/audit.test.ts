import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLedgerQueue, billingJobs } from '../../../../src/contexts/billing/billing.jobs.ts';
import { expireHolds } from '../../../../src/contexts/billing/holds/settle-call.ts';
import { auditLedger } from '../../../../src/contexts/billing/index.ts';
import { priceMicros } from '../../../../src/contexts/billing/rates/rating.rules.ts';
import { jobSchedule } from '../../../../src/main/jobs.ts';
import { addDeck, billingOfCall, billingOfCharge, giveCredit } from '../../../harness/fixtures/billing.ts';
import { insertPlainAccounts } from '../../../harness/fixtures/billing-rows.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';

let platform: Platform;
let owner: pg.Client;
let accountId: number;
beforeAll(async () => {
  platform = await startPlatform();
  await addDeck(platform, [{ prefix: '55', price: 0.3 }]);
  [accountId = 0] = await insertPlainAccounts(platform.database.query, 3);
  await fillBook();
  owner = new pg.Client(platform.database.ownerUrl);
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await platform.close();
});

/** Creates calls of every kind: settled, free, expired and running. */
async function fillBook(): Promise<void> {
  const account = { id: accountId };
  const kept = billingOfCharge(platform, account, 1, 20);
  await kept.credit({ feeMicros: 500_000 });
  const returned = billingOfCharge(platform, account, 2, 5);
  await returned.credit();
  await returned.takeBack('chargeback');
  await giveCredit(platform, accountId, 1.5);
  const forgotten = billingOfCall(platform, account);
  await forgotten.hold();
  platform.clock.advance(400);
  await expireHolds(platform.api.base, AbortSignal.timeout(120_000));
  const [ended, short, running] = [0, 1, 2].map(() => billingOfCall(platform, account));
  await ended?.hold();
  await ended?.renew(30);
  await ended?.settle(61);
  await short?.hold();
  await short?.settle(2);
  await running?.hold();
  await running?.renew(40);
}

const audit = async (): Promise<{ check: string }[]> =>
  (await owner.query('select * from audit_ledger($1)', [accountId])).rows;

/** Returns the audit's findings after a change made with superuser rights, which is then rolled back. */
async function auditAfter(change: string, values: unknown[] = []): Promise<string[]> {
  await owner.query('begin');
  try {
    await owner.query(`
      alter table ledger_transactions disable trigger all;
      do $$ declare c record; begin
        for c in select conrelid::regclass as owner, conname from pg_constraint where contype = 'c'
             and conrelid in ('ledger_transactions'::regclass, 'ledger_balances'::regclass, 'call_holds'::regclass)
        loop execute format('alter table %s drop constraint %I', c.owner, c.conname); end loop; end $$`);
    const { rowCount } = await owner.query(change, values);
    if (rowCount !== 1) throw new Error(`${rowCount} rows were changed by ${change}`);
    return (await audit()).map(({ check }) => check);
  } finally {
    await owner.query('rollback');
  }
}

test('an unmodified ledger is clean', async () => {
  expect(await auditLedger(platform.api.base)).toEqual([]);
});

test.each([
  ['ledger_transactions', 'number'],
  ['ledger_transactions', 'available_micros'],
  ['ledger_transactions', 'held_micros'],
  ['ledger_transactions', 'revenue_micros'],
  ['ledger_transactions', 'gateway_micros'],
  ['ledger_transactions', 'adjustments_micros'],
  ['ledger_transactions', 'balance_after_micros'],
  ['ledger_balances', 'available_micros'],
  ['ledger_balances', 'held_micros'],
  ['ledger_balances', 'last_number'],
  ['call_holds', 'held_micros'],
  ['call_holds', 'billed_seconds'],
  ['call_holds', 'price_micros'],
])('the audit finds a changed %s.%s in every row', async (table, column) => {
  const { rows } = await owner.query(
    `select ctid::text as place, number from (
       select ctid, row_number() over (order by ctid desc) as number from ${table}
        where account_id = $1 and ${column} is not null) t`,
    [accountId],
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const { place } of rows) {
    // Numbers are unique, so add a large offset to those.
    const change = `update ${table} set ${column} = ${column} + ${column === 'number' ? 1000 : 1} where ctid = $1::tid`;
    expect(await auditAfter(change, [place])).not.toEqual([]);
  }
});

test('the audit finds every removed entry, hold and balance', async () => {
  for (const table of ['ledger_transactions', 'call_holds', 'ledger_balances']) {
    const { rows } = await owner.query(`select ctid::text as place from ${table} where account_id = $1`, [
      accountId,
    ]);
    for (const { place } of rows)
      expect(await auditAfter(`delete from ${table} where ctid = $1::tid`, [place])).not.toEqual([]);
  }
});

const newest = '(select id from ledger_transactions order by account_id, number desc limit 1)';
const settled = `state = 'settled' and price_micros > 0`;

test.each([
  [
    'money moved between two legs',
    `update ledger_transactions set available_micros = available_micros + 1, adjustments_micros = adjustments_micros - 1 where id = ${newest}`,
    'available balance',
  ],
  [
    'an entry assigned to another call',
    `update ledger_transactions set subject_id = gen_random_uuid()::text where kind = 'call'`,
    'entries of an unknown call',
  ],
  [
    'an entry moved to the other book',
    `update ledger_transactions set book = 'live' where id = ${newest}`,
    'number of transactions',
  ],
  [
    'an added entry',
    `insert into ledger_transactions select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'number', t.number + 1, 'idempotency_key', 'again'))).* from ledger_transactions t where id = ${newest}`,
    'number of transactions',
  ],
  [
    'a settled call marked open',
    `update call_holds set state = 'open' where ${settled}`,
    'funding of a call',
  ],
  [
    'a running call marked settled',
    `update call_holds set state = 'settled' where state = 'open'`,
    'held by open calls',
  ],
  [
    'a call funded for longer than was paid',
    `update call_holds set funded_seconds = funded_seconds + 6 where state = 'open'`,
    'funding of a call',
  ],
  [
    'a call billed for more than was funded',
    `update call_holds set funded_seconds = 60 where ${settled}`,
    'billed seconds of a call',
  ],
  [
    'a changed rate',
    `update call_holds set price_per_minute_micros = price_per_minute_micros * 2 where ${settled}`,
    'rating of a call',
  ],
  [
    'a changed minimum',
    `update call_holds set minimum_seconds = 31 where ${settled}`,
    'billed seconds of a call',
  ],
  ['a changed step', `update call_holds set step_seconds = 7 where ${settled}`, 'billed seconds of a call'],
  [
    'more free seconds',
    `update call_holds set free_seconds = 100 where ${settled}`,
    'billed seconds of a call',
  ],
  [
    'a changed length',
    `update call_holds set used_seconds = 30 where ${settled}`,
    'billed seconds of a call',
  ],
  [
    'a hold beyond the credit',
    `update ledger_transactions set available_micros = -100000000, held_micros = 100000000 where id = ${newest}`,
    'available credit after a hold',
  ],
])('the audit finds %s and names it', async (_what, change, check) => {
  expect(await auditAfter(change)).toContain(check);
});

test('the audit reports account, subject and both amounts, and the nightly job logs them', async () => {
  const set = (micros: number) =>
    platform.database.query(
      'update ledger_balances set available_micros = available_micros + $2 where account_id = $1',
      [accountId, micros],
    );
  const { available_micros: right } = (
    await owner.query('select available_micros from ledger_balances where account_id = $1', [accountId])
  ).rows[0];
  const nightly = () =>
    billingJobs(platform.api.base)[auditLedgerQueue.name]?.(
      {},
      { id: 'audit', signal: AbortSignal.timeout(120_000) },
    );
  await set(7);
  const difference = {
    accountId,
    check: 'available balance',
    subject: 'test',
    expected: right,
    found: right + 7,
  };
  expect(await auditLedger(platform.api.base)).toEqual([difference]);
  await nightly();
  expect(JSON.parse(platform.logLines.at(-1) ?? '')).toMatchObject({
    msg: 'ledger audit found a difference',
    difference,
  });
  await set(-7);
  await nightly();
  expect(platform.logLines.at(-1)).toContain('ledger audit clean');
  expect(jobSchedule[auditLedgerQueue.name]).toMatch(/^\d+ \d+ \* \* \*$/);
});

test('the audit rounds prices as settlement does', async () => {
  const cases = Array.from({ length: 2_000 }, (_, index) => [
    (index * 7919) % 90_000,
    (index * 104_729 * 1500) % 1e9,
  ]);
  const { rows } = await owner.query(
    'select call_price_micros(seconds, price) as price from unnest($1::bigint[], $2::bigint[]) as t (seconds, price)',
    [cases.map(([seconds]) => seconds), cases.map(([, price]) => price)],
  );
  const ordinary = { minimumSeconds: 30, stepSeconds: 6, freeSeconds: 3 };
  const expected = cases.map(([seconds = 0, pricePerMinuteMicros = 0]) =>
    priceMicros({ ...ordinary, pricePerMinuteMicros }, seconds),
  );
  expect(rows.map(({ price }) => price)).toEqual(expected);
});
