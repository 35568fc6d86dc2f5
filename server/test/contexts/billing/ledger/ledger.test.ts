import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adjustCredit } from '../../../../src/contexts/billing/index.ts';
import {
  addDeck,
  billingOfCall,
  giveCredit,
  readBalance,
  within,
} from '../../../harness/fixtures/billing.ts';
import { createAccount, type TestAccount } from '../../../harness/people.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;
let service: pg.Client;
let owner: pg.Client;
beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  await addDeck(platform, [{ prefix: '55', price: 0.3 }]);
  account = await createAccount(platform);
  await giveCredit(platform, account.id, 5);
  await billingOfCall(platform, account).hold();
  service = new pg.Client(platform.database.serviceUrl);
  owner = new pg.Client(platform.database.ownerUrl);
  await service.connect();
  await owner.connect();
  await setAccount(account.id);
});
afterAll(async () => {
  await service.end();
  await owner.end();
  await platform.close();
});

const setAccount = async (id: number | '') =>
  await service.query(`select set_config('app.account_id', $1, false)`, [String(id)]);

const digestTable = async (table: string) =>
  (await owner.query(`select md5(string_agg(t::text, ',' order by t::text)) as digest from ${table} t`)).rows;

/** Posts as the service role: kind and the five legs. */
async function post(kind: string, legs: number[], key: string = randomUUID()) {
  const { rows } = await service.query(
    `select * from ledger_post($1, 'test', $2, 'subject', $3, sha256($4), $5, $6, $7, $8, $9, 'By hand', now())`,
    [randomUUID(), kind, key, JSON.stringify([kind, legs]), ...legs],
  );
  return rows[0];
}

const changes = [
  'update ledger_transactions set available_micros = available_micros',
  'update ledger_transactions set description = $$another$$',
  'delete from ledger_transactions',
  'truncate ledger_transactions',
  'truncate accounts cascade',
];

test('LEDGER-03 service, owner and replica role can neither change nor remove an entry', async () => {
  const before = await digestTable('ledger_transactions');
  for (const change of changes) {
    await expect(service.query(change)).rejects.toThrow('permission denied');
    await expect(owner.query(change)).rejects.toThrow('append-only');
    await owner.query('set session_replication_role = replica');
    await expect(owner.query(change)).rejects.toThrow('append-only');
    await owner.query('reset session_replication_role');
  }
  expect(await digestTable('ledger_transactions')).toEqual(before);
});

test('the service writes entries and balances only through the functions of the ledger', async () => {
  for (const attempt of [
    'insert into ledger_transactions select * from ledger_transactions',
    'update ledger_balances set available_micros = available_micros + 1',
    'delete from ledger_balances',
    `insert into ledger_balances (account_id, book) values (${account.id}, 'live')`,
    'alter table ledger_transactions disable trigger all',
    'delete from call_holds',
    'delete from rates',
    'update rates set price_per_minute_micros = 0',
  ]) {
    await expect(service.query(attempt)).rejects.toThrow(/permission denied|must be owner/);
  }
});

test.each([
  ['legs that do not sum to zero', 'adjustment', [1_000_000, 0, 0, 0, 0]],
  ['a hold that takes nothing', 'hold', [0, 0, 0, 0, 0]],
  ['a hold that pays the operator', 'hold', [-100, 0, 0, 0, 100]],
  ['a hold that adds credit', 'hold', [100, -100, 0, 0, 0]],
  ['a call that earns nothing', 'call', [100, -100, 0, 0, 0]],
  ['a call that takes more than was held', 'call', [-100, -100, 200, 0, 0]],
  ['a call paid by the operator', 'call', [0, 0, 100, 0, -100]],
  ['a charge that takes credit', 'charge', [-100, 0, 0, 100, 0]],
  ['a charge paid by the operator', 'charge', [100, 0, 0, 0, -100]],
  ['a refund that adds credit', 'refund', [100, 0, 0, -100, 0]],
  ['an adjustment paid by a gateway', 'adjustment', [100, 0, 0, -100, 0]],
  ['an unknown kind', 'gift', [100, 0, 0, 0, -100]],
])('the database rejects %s', async (_what, kind, legs) => {
  await expect(post(kind, legs)).rejects.toThrow('violates check constraint');
});

test('rejects releasing more than is held', async () => {
  await expect(post('release', [400_000, -400_000, 0, 0, 0])).rejects.toThrow(
    'ledger_balances_held_micros_check',
  );
});

test('LEDGER-07 only refunds and chargebacks take the available credit below zero', async () => {
  const tooMuch = 100_000_000;
  expect(await post('hold', [-tooMuch, tooMuch, 0, 0, 0])).toMatchObject({ outcome: 'insufficient' });
  expect(await post('adjustment', [-tooMuch, 0, 0, 0, tooMuch])).toMatchObject({ outcome: 'insufficient' });
  await service.query('begin');
  expect(await post('refund', [-tooMuch, 0, 0, tooMuch, 0])).toMatchObject({ outcome: 'posted' });
  expect(await post('chargeback', [-tooMuch, 0, 0, tooMuch, 0])).toMatchObject({ outcome: 'posted' });
  await service.query('rollback');
});

test('a repeated key changes nothing, and with another input is rejected', async () => {
  const key = randomUUID();
  const gift = { accountId: account.id, reason: 'A gift', key, at: platform.clock.now() };
  const give = (micros: number) =>
    within(platform, account.id, (tx) => adjustCredit(tx, platform.api.app, { ...gift, micros }));
  const before = await readBalance(account);
  await Promise.all([give(100_000), give(100_000), give(100_000)]);
  await give(100_000);
  expect((await readBalance(account)).balance).toBe(Math.round((before.balance + 0.1) * 1e6) / 1e6);
  await expect(give(200_000)).rejects.toThrow('with different input');
  expect((await readBalance(account)).balance).toBe(Math.round((before.balance + 0.1) * 1e6) / 1e6);
});

test('money moves only in the account set in the session, and never without one', async () => {
  const other = await createAccount(platform);
  await giveCredit(platform, other.id, 1);
  const tables = ['ledger_balances', 'ledger_transactions', 'ledger_entries', 'call_holds'];
  for (const table of tables) {
    const { rows } = await service.query(`select distinct account_id from ${table}`);
    expect(rows).toEqual([{ account_id: account.id }]);
  }
  await setAccount('');
  await expect(post('adjustment', [100, 0, 0, 0, -100])).rejects.toThrow('ledger_post needs an account');
  for (const table of tables) expect((await service.query(`select from ${table}`)).rowCount).toBe(0);
  await setAccount(999_999);
  await expect(post('adjustment', [100, 0, 0, 0, -100])).rejects.toThrow('foreign key');
  await setAccount(account.id);
  const insert = `insert into call_holds select (jsonb_populate_record(h, jsonb_build_object(
    'account_id', $1::bigint, 'call_id', gen_random_uuid()))).* from call_holds h limit 1`;
  await expect(service.query(insert, [other.id])).rejects.toThrow('row-level security');
  expect(await readBalance(other)).toMatchObject({ balance: 1 });
});

test('a temporary table of the same name does not shadow the ledger in its functions', async () => {
  const before = await readBalance(account);
  await service.query('begin');
  for (const table of ['accounts', 'ledger_balances', 'ledger_transactions'])
    await service.query(`create temporary table ${table} (like public.${table})`);
  expect(await post('adjustment', [100, 0, 0, 0, -100])).toMatchObject({ outcome: 'posted' });
  expect((await service.query('select from pg_temp.ledger_transactions')).rowCount).toBe(0);
  const { rows } = await service.query('select available_micros from public.ledger_balances');
  expect(rows).toEqual([{ available_micros: Math.round(before.available * 1e6) + 100 }]);
  await service.query('rollback');
});

test('every security-definer function has pg_temp last in its search path', async () => {
  const { rows } = await owner.query(
    `select p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname = 'public' and p.prosecdef and p.prosqlbody is null
        and not coalesce(p.proconfig @> array['search_path=pg_catalog, public, pg_temp'], false)`,
  );
  expect(rows).toEqual([]);
});

test('an unconfirmed account with credit does not block the sweep of others', async () => {
  const { rows } = await owner.query<{ id: number }>(
    `insert into accounts (uuid, domain, name, email, phone, crm, user_quantity, mode, created_at, updated_at)
     select gen_random_uuid(), 'velha' || n || '.disca.test', 'Velha', 'velha@empresa.test', '1', 'Outros', '1-5', 'test',
            now() - interval '30 days', now() from generate_series(1, 2) n returning id`,
  );
  const [kept, swept] = rows.map(({ id }) => id);
  await giveCredit(platform, kept ?? 0, 1);
  await service.query(`select sweep_unconfirmed_accounts(now() - interval '7 days', 100)`);
  const left = await owner.query('select id from accounts where id = any($1)', [[kept, swept]]);
  expect(left.rows).toEqual([{ id: kept }]);
});
