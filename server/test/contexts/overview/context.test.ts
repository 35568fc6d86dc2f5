import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDeck, billingOfCall, billingOfCharge, giveCredit } from '../../harness/fixtures/billing.ts';
import { insertCalls } from '../../harness/fixtures/call-rows.ts';
import { extensionBody, markRegistered } from '../../harness/fixtures/extensions.ts';
import { integrationBody } from '../../harness/fixtures/integrations.ts';
import { createAccount, type Person, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000', EDGE_TLS_ADDRESS: 'sip.disca.test:5061' });
  account = await createAccount(platform);
});
afterAll(() => platform.close());

const readContext = async ({ client }: Person) => (await client.get('/users/me/context')).body;
const minutes = async () => (await readContext(account.admin)).credit.minutes;

test('USER-22 PRESENCE-02 returns user, account and credit in one response', async () => {
  const [me, own, balance] = await Promise.all(
    ['/users/me', '/accounts', '/accounts/balance'].map(
      async (path) => (await account.admin.client.get(path)).body,
    ),
  );
  const { uuid, name, email, phone, role, emailVerified } = me;
  expect(await readContext(account.admin)).toEqual({
    user: { uuid, name, email, phone, role, emailVerified, locale: 'pt-BR', lacksFactor: false },
    availability: { status: 'available', reason: null, since: null },
    account: {
      uuid: own.uuid,
      name: own.name,
      domain: own.domain,
      mode: 'test',
      timezone: 'America/Sao_Paulo',
      balanceLowThreshold: 10,
      liveRequestedAt: null,
      callingSuspended: false,
      awaitsApproval: false,
    },
    permissions: { calls: 'all', recordings: 'all', money: true, webhooks: true, supervision: true },
    credit: { ...balance, isLow: true, minutes: null },
    liveCalls: 0,
    extensions: [],
    softphones: { tls: 'sip.disca.test:5061', plain: null },
    webhooks: { failing: 0, disabled: 0 },
    firstSteps: { called: false, webhook: false },
  });
});

test('USER-31 returns whether the caller sees a call and whether the account has a webhook', async () => {
  const { id, admin, addUser, domain } = await createAccount(platform);
  const [agent, colleague] = [await addUser(), await addUser()];
  const firstSteps = async (person: Person) => (await readContext(person)).firstSteps;
  await insertCalls(platform.database, { id, domain }, [{ startedAt: new Date() }]);
  expect(await firstSteps(admin)).toEqual({ called: true, webhook: false });
  expect(await firstSteps(agent)).toEqual({ called: false, webhook: false });
  await platform.database.query(
    `update calls set user_id = (select id from users where uuid = $2), requested_by = null where account_id = $1`,
    [id, agent.uuid],
  );
  expect(await firstSteps(agent)).toMatchObject({ called: true });
  expect(await firstSteps(colleague)).toMatchObject({ called: false });
  await platform.database.query(
    `update calls set user_id = null, requested_by = (select id from users where uuid = $2) where account_id = $1`,
    [id, colleague.uuid],
  );
  expect(await firstSteps(colleague)).toMatchObject({ called: true });
  await agent.client.patch('/integrations', integrationBody());
  expect(await firstSteps(admin)).toEqual({ called: true, webhook: true });
  await agent.client.patch('/integrations', { ...integrationBody(), webhook: false });
  expect(await firstSteps(admin)).toEqual({ called: true, webhook: false });
});

test('USER-31 returns since when the account waits for live mode', async () => {
  const { admin } = await createAccount(platform);
  const { liveRequestedAt } = (await admin.client.post('/accounts/live-request')).body;
  expect((await readContext(admin)).account.liveRequestedAt).toBe(liveRequestedAt);
  expect(liveRequestedAt).not.toBeNull();
});

test('USER-22 a USER gets everything but the credit', async () => {
  const user = await account.addUser();
  expect(await readContext(user)).toMatchObject({
    user: { role: 'USER', email: user.email },
    account: { uuid: account.uuid },
    permissions: { calls: 'own', recordings: 'own', money: false, webhooks: true, supervision: false },
    credit: null,
  });
});

test('USER-22 returns the user’s own extensions and whether a softphone is registered', async () => {
  const user = await account.addUser();
  await platform.database.query('update users set email_verified = true where uuid = $1', [user.uuid]);
  const add = async (ramal: string, email: string) =>
    (await account.admin.client.post('/extensions', extensionBody({ ramal, email_address: email }))).body.id;
  const [second, first] = [await add('4002', user.email), await add('4001', user.email)];
  await add('4003', account.admin.email);
  await markRegistered(platform, second);
  expect((await readContext(user)).extensions).toEqual([
    { id: first, ramal: '4001', registered: false },
    { id: second, ramal: '4002', registered: true },
  ]);
});

test('USER-22 counts the account’s running calls and the user’s webhooks needing attention', async () => {
  await platform.database.query(
    `insert into live_calls (call_id, account_id, book, kind, state, requested_at, order_data, funded_seconds)
     select gen_random_uuid(), $1, 'test', 'click', state, now(), '{}', 0 from unnest('{queued,answered}'::text[]) state`,
    [account.id],
  );
  const set = async (gateway: string, change: string) => {
    const { body } = await account.admin.client.patch('/integrations', integrationBody({ gateway }));
    await platform.database.query(`update integrations set ${change} where id = $1`, [body.id]);
  };
  await set('well', 'updated_at = now()');
  await set('failing', 'failing_since = now()');
  await set('disabled', 'failing_since = now(), disabled_at = now()');
  await set('off', 'failing_since = now(), webhook = false');
  expect(await readContext(account.admin)).toMatchObject({
    liveCalls: 2,
    webhooks: { failing: 1, disabled: 1 },
  });
  const colleague = await account.addUser('ADMIN');
  expect(await readContext(colleague)).toMatchObject({ liveCalls: 2, webhooks: { failing: 0, disabled: 0 } });
  const otherAdmin = (await createAccount(platform)).admin;
  expect(await readContext(otherAdmin)).toMatchObject({ liveCalls: 0, extensions: [] });
});

test('LEDGER-15 shows credit as whole minutes to a Brazilian mobile, with their price', async () => {
  expect(await minutes()).toBeNull();
  await addDeck(platform, [
    { prefix: '55', price: 0.05 },
    { prefix: '55119', price: 0.09 },
  ]);
  expect(await minutes()).toEqual({
    count: 0,
    prefix: '55119',
    description: expect.any(String),
    minutePrice: 0.09,
  });
  await giveCredit(platform, account.id, 500);
  expect((await minutes()).count).toBe(5555);
  expect((await readContext(account.admin)).credit.isLow).toBe(false);
  // Credit on hold for running calls buys no minutes.
  await billingOfCall(platform, account).hold();
  expect((await minutes()).count).toBe(5554);
});

test('LEDGER-15 credit below zero buys no minutes', async () => {
  const poor = await createAccount(platform);
  const charge = billingOfCharge(platform, poor, 4711, 10);
  await charge.credit();
  await giveCredit(platform, poor.id, -5);
  await charge.takeBack('refund');
  expect((await readContext(poor.admin)).credit).toMatchObject({
    available: -5,
    isLow: true,
    minutes: { count: 0 },
  });
});
