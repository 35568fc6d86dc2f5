import { afterAll, beforeAll, expect, test } from 'vitest';
import { budgetTable, saveDefault } from '../../../src/contexts/limits/index.ts';
import { migrate } from '../../../src/main/migrate.ts';
import { giveCredit } from '../../harness/fixtures/billing.ts';
import {
  createCallingAccount,
  destinations,
  startCallLimitPlatform,
  tally,
} from '../../harness/fixtures/call-limits.ts';
import { setMode } from '../../harness/fixtures/charges.ts';
import { extensionBody } from '../../harness/fixtures/extensions.ts';
import { createFormerDatabase } from '../../harness/former-database.ts';
import { openOperator, type TestOperator } from '../../harness/operator.ts';
import { runOperator } from '../../harness/operator-cli.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import type { Platform } from '../../harness/platform.ts';

let platform: Platform;
let operator: TestOperator;
beforeAll(async () => {
  platform = await startCallLimitPlatform();
  operator = openOperator(platform);
});
afterAll(async () => {
  await operator.close();
  await platform.close();
});

test('LIMIT-28 CALL-39 a live account has one call at once per extension, up to the default budget', async () => {
  await saveDefault(operator.db, ['calls'], 'live', 14);
  const account = await createCallingAccount(platform, 0);
  await setMode(platform, account, 'live');
  await giveCredit(platform, account.id, 100);
  await account.cap({ callsPerSecond: 100 });
  const { client } = account.admin;
  const atOnce = async () => (await client.get('/accounts/limits')).body.calls.atOnce;
  /** Places more calls than allowed. Returns how many are accepted, also of those that verify a number. */
  const place = async (): Promise<number> => {
    await account.endCalls();
    platform.clock.advance(1);
    const answers = await Promise.all(Array.from({ length: 20 }, () => account.call(destinations.free)));
    const verifying = await client.post('/callerIds', { number: destinations.ordinary });
    expect([verifying.status, verifying.body.error.errorCode]).toEqual([429, 'CAPACITY_EXCEEDED']);
    const { accepted = 0 } = tally(answers);
    expect(await atOnce()).toMatchObject({ limit: accepted, used: accepted });
    return accepted;
  };
  const addExtensions = (count: number) =>
    client.post('/extensions/bulk', { extensions: Array.from({ length: count }, () => extensionBody()) });
  const setBudget = (amount: string) =>
    runOperator(platform, ['budgets', 'set', account.domain, 'calls', amount]);

  expect(await place()).toBe(10);
  await addExtensions(11);
  expect(await place()).toBe(12);
  await addExtensions(4);
  expect(await place()).toBe(14);
  // The budget of the account applies alone, and none leaves the extensions.
  await setBudget('18');
  expect(await place()).toBe(18);
  await setBudget('11');
  expect(await place()).toBe(11);
  await setBudget('none');
  expect(await place()).toBe(16);
  await setBudget('default');
  expect(await place()).toBe(14);
});

const ceilings = {
  calls: 100,
  call_minutes: 240,
  recorded_minutes: 50_000,
  stored_megabytes: 500_000,
  relay_quotas: 50,
};

test('LIMIT-28 new live accounts have the documented budgets, and existing ones and set defaults stay', async () => {
  expect(budgetTable).toMatchObject(
    Object.fromEntries(Object.entries(ceilings).map(([resource, live]) => [resource, { live }])),
  );
  const database = await createFormerDatabase('0061', 'live');
  try {
    const { client } = database;
    await client.query(`update budgets set live_most = 70 where resource = 'calls'`);
    await migrate(database.url, undefined);
    await client.query(
      `insert into accounts (id, uuid, domain, name, email, phone, crm, user_quantity, status, mode, created_at, updated_at)
       values (2, gen_random_uuid(), 'b.example.com', 'B', 'b@example.com', '5511999990000', 'Outros', '1', 'active',
               'live', now(), now())`,
    );
    const budgetsOf = async (id: number) => {
      const { rows } = await client.query<{ resource: string; most: string | null }>(
        'select resource, most from effective_budgets where account_id = $1 and resource = any($2)',
        [id, Object.keys(ceilings)],
      );
      return Object.fromEntries(rows.map(({ resource, most }) => [resource, most && Number(most)]));
    };
    const none = Object.fromEntries(Object.keys(ceilings).map((resource) => [resource, null]));
    expect(await budgetsOf(1)).toEqual({ ...none, calls: 70 });
    expect(await budgetsOf(2)).toEqual({ ...ceilings, calls: 70 });
  } finally {
    await database.drop();
  }
});

test('LIMIT-29 the operator gives the defaults to all accounts of a mode without budgets', async () => {
  await saveDefault(operator.db, ['users', 'tokens'], 'test', 7);
  await saveDefault(operator.db, ['users', 'tokens'], 'live', 70);
  const [older, oldLive, raised] = [
    await createAccount(platform),
    await createAccount(platform),
    await createAccount(platform),
  ];
  await setMode(platform, oldLive, 'live');
  await platform.database.query(
    `insert into account_budgets (account_id, resource, most)
     select id, resource, case when id = $2 then 9 end
       from unnest($1::bigint[]) as id, unnest(array['users', 'tokens', 'exports']) as resource`,
    [[older.id, oldLive.id, raised.id], raised.id],
  );
  const budgetsOf = async ({ domain }: TestAccount) => {
    const { out } = await runOperator(platform, ['budgets', 'show', domain, '--json']);
    const budgets: { resource: string; most: number | null; isSet: boolean }[] = JSON.parse(out);
    return ['users', 'tokens', 'exports'].map((name) => {
      const { most, isSet } = budgets.find(({ resource }) => resource === name) ?? {};
      return [most, isSet];
    });
  };
  const none = [null, true];
  expect(await budgetsOf(older)).toEqual([none, none, none]);

  expect((await runOperator(platform, ['budgets', 'reset', 'test', 'users'])).out).toBe(
    `${older.domain}\n1 account changed.\n`,
  );
  expect(await budgetsOf(older)).toEqual([[7, false], none, none]);
  const again = await runOperator(platform, ['budgets', 'reset', 'test', 'all', '--json']);
  expect(JSON.parse(again.out)).toEqual([{ id: older.id, domain: older.domain }]);
  expect(await budgetsOf(older)).toEqual([
    [7, false],
    [7, false],
    [null, false],
  ]);
  expect((await runOperator(platform, ['budgets', 'reset', 'test', 'all'])).out).toBe(
    '0 accounts changed.\n',
  );
  // Those of other accounts stay.
  expect(await budgetsOf(oldLive)).toEqual([none, none, none]);
  expect(await budgetsOf(raised)).toEqual([
    [9, true],
    [9, true],
    [9, true],
  ]);
  const { data } = (await older.admin.client.list('/audit', undefined, { page: '1' })).body;
  expect(data.filter(({ action }: { action: string }) => action === 'account.budgets')).toMatchObject([
    { before: { tokens: null }, after: { tokens: 7 } },
    { before: { users: null }, after: { users: 7 } },
  ]);
  expect((await runOperator(platform, ['budgets', 'reset', 'live', 'users'])).out).toContain(oldLive.domain);
  expect((await budgetsOf(oldLive))[0]).toEqual([70, false]);
  expect((await runOperator(platform, ['budgets', 'reset', 'trial', 'all'])).code).not.toBe(0);
});
