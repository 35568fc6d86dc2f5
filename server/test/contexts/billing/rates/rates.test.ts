import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findRate } from '../../../../src/contexts/billing/holds/hold.store.ts';
import { addDeck, billingOfCall, giveCredit, within } from '../../../harness/fixtures/billing.ts';
import { createAccount, type TestAccount } from '../../../harness/people.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';

const prefixCount = 100_000;

let platform: Platform;
let account: TestAccount;
beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  platform.clock.freeze();
  await addDeck(platform, [
    { prefix: '55', price: 0.12 },
    { prefix: '5511', price: 0.1 },
    { prefix: '55119', price: 0.3, minimum: 60, step: 60, free: 0 },
    { prefix: '1', price: 0.5 },
  ]);
  account = await createAccount(platform);
});
afterAll(() => platform.close());

const quote = async (to: string, client = account.admin.client) =>
  await client.get('/rates/quote', { query: { to } });

test('LEDGER-09 the longest matching prefix of the destination applies', async () => {
  for (const [to, prefix] of [
    ['5521987654321', '55'],
    ['551133334444', '5511'],
    ['5511987654321', '55119'],
    ['(11) 3333-4444', '5511'],
    ['011 98765-4321', '55119'],
    ['12025550100', '1'],
  ] as const) {
    expect((await quote(to)).body.prefix).toBe(prefix);
  }
  const unknown = await quote('4930123456');
  expect([unknown.status, unknown.body.error.errorCode]).toEqual([403, 'DESTINATION_NOT_ALLOWED']);
});

test('LEDGER-09 a call is rated by the deck effective at its date, and keeps that rate', async () => {
  const other = await createAccount(platform);
  await giveCredit(platform, other.id, 10);
  const [begins, soon] = [600, 300].map((ahead) => new Date(platform.clock.now().getTime() + ahead * 1000));
  await addDeck(platform, [{ prefix: '55', price: 1.2 }], begins);
  await addDeck(platform, [{ prefix: '55', price: 0.6 }], soon);
  const price = async (callId: string) => (await other.admin.client.get(`/calls/${callId}/price`)).body;
  const calls: ReturnType<typeof billingOfCall>[] = [];
  for (const minutePrice of [0.1, 0.6, 1.2]) {
    const call = billingOfCall(platform, other);
    await call.hold('551133334444');
    expect(await price(call.callId)).toMatchObject({ minutePrice, callPrice: null });
    calls.push(call);
    platform.clock.advance(300);
  }
  // Only the newest deck's prefixes apply: a deck is a complete price list.
  expect((await quote('12025550100')).status).toBe(403);
  expect((await quote('5511987654321')).body).toMatchObject({ prefix: '55', minutePrice: 1.2 });
  const [first] = calls;
  await first?.renew(30);
  await first?.settle(60);
  expect(await price(first?.callId ?? '')).toMatchObject({ minutePrice: 0.1, callPrice: 0.1 });
  await platform.database.query('delete from rate_decks where effective_from > $1', [new Date(0)]);
  expect(await price(calls[2]?.callId ?? '')).toMatchObject({ minutePrice: 1.2, prefix: '55' });
});

test('LEDGER-09 finds the longest of 100,000 prefixes by index, even without statistics', async () => {
  const effectiveFrom = new Date(platform.clock.now().getTime() - 1000);
  await platform.database.query(
    `with deck as (insert into rate_decks (name, effective_from, imported_at) values ('large', $1, now()) returning id)
     insert into rates select deck.id, '7' || n, 'Rate', n, 30, 6, 3 from deck, generate_series(1, $2) n`,
    [effectiveFrom, prefixCount],
  );
  for (const isAnalyzed of [false, true]) {
    if (isAnalyzed) await platform.database.query('analyze rates');
    const { prefixes, scans } = await within(platform, account.id, async (tx) => {
      const prefixes: (string | undefined)[] = [];
      for (const to of ['7123456789', '799999', '71', '7100000123'])
        prefixes.push((await findRate(tx, to, platform.clock.now()))?.prefix);
      const { rows } = await sql<{ sequential: number; read: number }>`
        select seq_scan as sequential, seq_tup_read + idx_tup_fetch as read
          from pg_stat_xact_user_tables where relname = 'rates'`.execute(tx);
      return { prefixes, scans: rows[0] };
    });
    expect(prefixes).toEqual(['712345', '799999', '71', '7100000']);
    expect(scans?.sequential).toBe(0);
    expect(scans?.read).toBeLessThanOrEqual(4 * 15);
  }
  await platform.database.query(`delete from rate_decks where name = 'large'`);
});

test('a quote returns price, increments and, for ADMINs only, how long the balance lasts', async () => {
  const rich = await createAccount(platform);
  await giveCredit(platform, rich.id, 10);
  expect((await quote('+55 (11) 98765-4321', rich.admin.client)).body).toEqual({
    to: '5511987654321',
    prefix: '55119',
    description: 'Rate of 55119',
    minutePrice: 0.3,
    minimumSeconds: 60,
    stepSeconds: 60,
    freeSeconds: 0,
    fundedMinutes: 33,
  });
  const user = await rich.addUser('USER');
  expect((await quote('5511987654321', user.client)).body).toMatchObject({
    minutePrice: 0.3,
    fundedMinutes: null,
  });
});

test('a quote counts no minutes for credit too low to start a call', async () => {
  const poor = await createAccount(platform);
  await giveCredit(platform, poor.id, 0.2999);
  expect((await quote('5511987654321', poor.admin.client)).body.fundedMinutes).toBe(0);
  await expect(billingOfCall(platform, poor).hold('5511987654321')).rejects.toMatchObject({
    code: 'INSUFFICIENT_CREDIT',
  });
  await giveCredit(platform, poor.id, 0.0001);
  expect((await quote('5511987654321', poor.admin.client)).body.fundedMinutes).toBe(1);
  await billingOfCall(platform, poor).hold('5511987654321');
  expect((await quote('5511987654321', poor.admin.client)).body.fundedMinutes).toBe(0);
});

test('CALL-46 rejects a quote for an invalid or an ambiguous number', async () => {
  for (const to of [
    '',
    '5',
    '55',
    '551',
    '5511',
    '11987654321',
    '51 98765-4321',
    'abc',
    '55; drop table rates',
    '5'.repeat(40),
  ]) {
    expect((await quote(to)).status).toBe(422);
  }
});

test('CALL-38 CALL-46 there is no quote for emergency, short and service numbers', async () => {
  for (const to of ['190', '55190', '4004', '0800 729 0722']) {
    const { status, body } = await quote(to);
    expect([to, status, body.error.errorCode]).toEqual([to, 403, 'DESTINATION_NOT_ALLOWED']);
  }
});
