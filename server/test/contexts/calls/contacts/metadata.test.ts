import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { indexCalls } from '../../../../src/contexts/calls/search/index-calls.ts';
import { insertCalls } from '../../../harness/fixtures/call-rows.ts';
import { createAccount, type TestAccount } from '../../../harness/people.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';

let platform: Platform;

beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.close());

/** Adds calls one after the other, and runs the job that reads them. */
async function call(account: TestAccount, ...calls: [to: string, metadata: object][]): Promise<void> {
  for (const [to, metadata] of calls) {
    platform.clock.advance(1);
    const startedAt = platform.clock.now();
    await insertCalls(platform.database, account, [{ startedAt, to, metadata: { ...metadata } }]);
  }
  platform.clock.advance(1);
  await indexCalls({ db: platform.api.base.db, clock: platform.clock }, AbortSignal.timeout(60_000));
}

const contactsOf = async ({ admin }: TestAccount): Promise<object[]> => {
  const { body } = await admin.client.list('/contacts', {
    order: 'number',
    fields: ['number', 'name', 'deal', 'source'],
  });
  return body.data;
};

test('CONTACT-07 creates and updates contacts from the metadata of calls', async () => {
  const account = await createAccount(platform);
  const [number, other] = ['5511976660001', '5511976660002'];
  await call(
    account,
    [number, { contactName: 'Marina', dealId: 7 }],
    [number, { nome: 'Marina\nAlves' }],
    [other, { purpose: 'test' }],
    ['1001', { name: 'Extension' }],
  );
  const source = 'metadata';
  expect(await contactsOf(account)).toEqual([{ number, name: 'Marina Alves', deal: '7', source }]);
  await call(account, [number, { deal: 'D-8' }], [other, { lead: { name: 'Rui' } }]);
  expect(await contactsOf(account)).toEqual([
    { number, name: 'Marina Alves', deal: 'D-8', source },
    { number: other, name: 'Rui', deal: null, source },
  ]);
});

test('CONTACT-07 metadata does not change what people saved or imported', async () => {
  const account = await createAccount(platform);
  const [saved, imported] = ['5511977770001', '5511977770002'];
  const { client } = account.admin;
  await client.request('PUT', '/contacts', { body: { number: saved, name: 'Ana', deal: null } });
  await client.post('/contacts/import', { contacts: [{ number: imported, name: 'Bia' }] });
  const before = await contactsOf(account);
  await call(account, [saved, { name: 'Other', deal: 'D-1' }], [imported, { name: 'Other' }]);
  expect(await contactsOf(account)).toEqual(before);
});

test('CONTACT-08 metadata creates no contacts beyond the budget of their account', async () => {
  const [account, other] = [await createAccount(platform), await createAccount(platform)];
  await platform.database.query(`insert into account_budgets values ($1, 'contacts', 1)`, [account.id]);
  const [first, second] = ['5511978880001', '5511978880002'];
  await call(account, [first, { name: 'A' }], [second, { name: 'B' }]);
  await call(other, [second, { name: 'C' }]);
  expect(await contactsOf(account)).toMatchObject([{ number: first, name: 'A' }]);
  await call(account, [second, { name: 'B' }], [first, { name: 'D' }]);
  expect(await contactsOf(account)).toMatchObject([{ number: first, name: 'D' }]);
  expect(await contactsOf(other)).toMatchObject([{ number: second, name: 'C' }]);
});

test('bug: CONTACT-06 CONTACT-07 an import and metadata that change the same contacts do not deadlock', async () => {
  const account = await createAccount(platform);
  const [added, present] = ['5511979990001', '5511979990002'];
  await call(account, [present, { name: 'A' }]);
  const filling = new pg.Client({ connectionString: platform.database.ownerUrl });
  await filling.connect();
  const fill = (number: string) =>
    filling.query(
      `select fill_contacts(array[$1::bigint], array[gen_random_uuid()], array[$2], array['B'], array['D-1'], array[now() + '1 day'])`,
      [account.id, number],
    );
  await filling.query('begin');
  await fill(added);
  const contacts = [present, added].map((number) => ({ number, name: 'C' }));
  const importing = account.admin.client.post('/contacts/import', { contacts });
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(() => platform.database.query(waiting)).toHaveLength(1);
  await fill(present);
  await filling.query('commit');
  await filling.end();
  expect((await importing).body.results).toEqual([
    { outcome: 'updated', number: present },
    { outcome: 'updated', number: added },
  ]);
  expect(await contactsOf(account)).toMatchObject([{ name: 'C' }, { name: 'C' }]);
});
