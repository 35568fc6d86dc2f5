import { afterAll, beforeAll, expect, test } from 'vitest';
import { uuidv7 } from '../../../src/platform/ids.ts';
import { addDeck, giveCredit } from '../../harness/fixtures/billing.ts';
import { insertCalls } from '../../harness/fixtures/call-rows.ts';
import { insertCallWithEvents, numberEvents } from '../../harness/fixtures/events.ts';
import { addStoredRecording } from '../../harness/fixtures/recordings.ts';
import { createFormerDatabase } from '../../harness/former-database.ts';
import { createAccount, type Person, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  await addDeck(platform, [{ prefix: '55', price: 0.12 }]);
  account = await createAccount(platform);
  await giveCredit(platform, account.id, 1_000);
});
afterAll(() => platform.close());

const initial = {
  calls: 'own',
  recordings: 'own',
  money: false,
  webhooks: true,
  supervision: false,
  isDecided: false,
};
const wide = { calls: 'all', recordings: 'all', money: true, webhooks: false, supervision: true };

const put = (client: Person['client'], { uuid }: Person, body: unknown) =>
  client.request('PUT', `/users/${uuid}/permissions`, { body });

test('PERM-01 an ADMIN reads and sets the permissions of a user, with an audit entry', async () => {
  const user = await account.addUser();
  const { client } = account.admin;
  expect(await client.get(`/users/${user.uuid}/permissions`)).toMatchObject({ status: 200, body: initial });
  const after = { ...wide, isDecided: true };
  expect(await put(client, user, wide)).toMatchObject({ status: 200, body: after });
  expect((await client.get(`/users/${user.uuid}/permissions`)).body).toEqual(after);
  const [entry] = (await client.list('/audit', { where: { action: 'user.permit' } }, { page: '1' })).body
    .data;
  expect(entry).toMatchObject({ before: initial, after });
  expect(JSON.stringify(entry)).toContain(user.uuid);
});

test('PERM-01 a USER cannot read or set permissions, and a foreign user is not found', async () => {
  const user = await account.addUser();
  expect((await user.client.get(`/users/${user.uuid}/permissions`)).status).toBe(403);
  expect((await put(user.client, user, wide)).status).toBe(403);
  const { admin: stranger } = await createAccount(platform);
  expect((await put(account.admin.client, stranger, wide)).status).toBe(404);
  expect((await account.admin.client.get(`/users/${stranger.uuid}/permissions`)).status).toBe(404);
});

test('PERM-01 the fields of users do not change', async () => {
  const user = await account.addUser();
  await put(account.admin.client, user, wide);
  const specified = ['uuid', 'name', 'email', 'phone', 'role', 'emailVerified'];
  const fields = [...specified, 'createdAt', 'updatedAt', 'lastLoginAt'];
  expect(Object.keys((await user.client.get('/users/me')).body)).toEqual(fields);
  const [listed] = (await account.admin.client.list('/users', { where: { uuid: user.uuid } })).body;
  expect(Object.keys(listed)).toEqual([...fields, 'locale']);
});

test('PERM-02 users without a decision follow the account, which starts with own calls', async () => {
  const fresh = await createAccount(platform);
  const user = await fresh.addUser();
  const { client } = fresh.admin;
  expect((await client.get('/accounts')).body.usersSee).toBe('own');
  expect((await client.patch('/accounts', { usersSee: 'all' })).body.usersSee).toBe('all');
  const path = `/users/${user.uuid}/permissions`;
  expect((await client.get(path)).body).toEqual({ ...initial, calls: 'all', recordings: 'all' });
  expect((await user.client.get('/users/me/context')).body.permissions).toMatchObject({ calls: 'all' });
  const { isDecided: _, ...own } = initial;
  await put(client, user, own);
  expect((await user.client.get('/users/me/context')).body.permissions).toEqual(own);
});

test('PERM-02 an account from before permissions shows all calls to USERs, also to new ones', async () => {
  const former = await createFormerDatabase('0063', 'live');
  try {
    await former.migrateBefore('0064');
    const { rows } = await former.client.query('select users_see from accounts');
    expect(rows).toEqual([{ users_see: 'all' }]);
    const { rows: columns } = await former.client.query(
      `select column_default from information_schema.columns where table_name = 'accounts' and column_name = 'users_see'`,
    );
    expect(columns).toEqual([{ column_default: "'own'::text" }]);
  } finally {
    await former.drop();
  }
});

test('the migration uses indexes on calls that were built before it', async () => {
  const former = await createFormerDatabase('0063', 'live');
  try {
    const { rows: partitions } = await former.client.query<{ name: string }>(
      `select relid::text as name from pg_partition_tree('calls') where isleaf`,
    );
    expect(partitions.length).toBeGreaterThan(1);
    const built = partitions.flatMap(({ name }) => [`${name}_user`, `${name}_requester`]);
    for (const { name } of partitions) {
      await former.client.query(
        `create index concurrently ${name}_user on ${name} (account_id, user_id, id)`,
      );
      await former.client.query(
        `create index concurrently ${name}_requester on ${name} (account_id, requested_by, id)
           where requested_by is distinct from user_id`,
      );
    }
    await former.migrateBefore('0064');
    const { rows } = await former.client.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits
        where inhparent in ('calls_user'::regclass, 'calls_requester'::regclass)`,
    );
    expect(rows.map(({ name }) => name).sort()).toEqual(built.sort());
  } finally {
    await former.drop();
  }
});

test('PERM-03 permissions that contradict each other are refused', async () => {
  const user = await account.addUser();
  const answer = await put(account.admin.client, user, { ...wide, calls: 'own' });
  expect(answer.status).toBe(422);
  expect(answer.body.error.details).toMatchObject([
    { path: 'recordings', code: 'conflict' },
    { path: 'supervision', code: 'conflict' },
  ]);
  expect((await put(account.admin.client, user, { calls: 'own' })).status).toBe(422);
});

test('PERM-03 permissions do not limit an ADMIN, and do not add to the scopes of a token', async () => {
  const second = await account.addUser('ADMIN');
  const { isDecided: _, ...own } = initial;
  await put(account.admin.client, second, { ...own, webhooks: false });
  expect((await second.client.get('/integrations')).status).toBe(200);
  expect((await second.client.get('/users/me/context')).body.permissions).toMatchObject({ money: true });
  const user = await account.addUser();
  await put(account.admin.client, user, wide);
  const { body } = await user.client.post('/users/accessTokens', { name: 'Reports', scopes: ['calls:read'] });
  const answer = await user.client.as(body.id).get('/accounts/balance');
  expect(answer.body.error.errorCode).toBe('TOKEN_SCOPE_MISSING');
});

test('PERM-08 a USER with the permission for money reads the credit and creates charges', async () => {
  const user = await account.addUser();
  const dueDate = new Date(platform.clock.now().getTime() + 3 * 86_400_000).toISOString().slice(0, 10);
  const charge = { paymentMethod: 'PIX', dueDate, amount: 50, description: 'Créditos' };
  expect((await user.client.post('/charges', charge)).status).toBe(403);
  expect((await user.client.get('/users/me/context')).body.credit).toBeNull();
  await put(account.admin.client, user, wide);
  expect((await user.client.post('/charges', charge)).status).toBe(200);
  expect((await user.client.get('/users/me/context')).body.credit).not.toBeNull();
  expect((await user.client.get('/rates/quote?to=5511987654321')).body.fundedMinutes).toBeGreaterThan(0);
});

test('PERM-06 a supervisor does not get the events about money', async () => {
  const user = await account.addUser();
  await put(account.admin.client, user, wide);
  await insertCallWithEvents(platform, account);
  const now = platform.clock.now();
  await platform.database.query(
    `insert into event_outbox (id, account_id, type, subject_id, data, occurred_at)
     values ($2, $1, 'balance-low', $4, '{"available": 9.5}', $3)`,
    [account.id, uuidv7(now), now, String(account.id)],
  );
  await numberEvents(platform);
  const types = (items: { type: string }[]) => new Set(items.map(({ type }) => type));
  expect(types((await account.admin.client.get('/events?limit=500')).body.data)).toContain('balance-low');
  const followed = types((await user.client.get('/events?limit=500')).body.data);
  expect(followed).toContain('channel-hangup');
  expect(followed).not.toContain('balance-low');
});

test('PERM-09 the uses of a link are listed with the person to whom it was issued', async () => {
  const callId = await addStoredRecording(platform, account.id);
  const startedAt = platform.clock.now();
  await insertCalls(platform.database, account, [{ id: callId, startedAt, recorded: true, duration: 1 }]);
  const { client, uuid } = account.admin;
  const { record_url: link } = (await client.get(`/calls/${callId}`)).body;
  expect((await platform.app.inject(new URL(link).href)).statusCode).toBe(200);
  const [access] = (await client.get(`/calls/${callId}/recording/accesses?page=1`)).body.data;
  const { name } = (await client.get('/users/me')).body;
  expect(access).toMatchObject({ issuedTo: uuid, issuedToName: name });
});

test('CALL-66 a link issued to a service token is listed with its name until it is revoked', async () => {
  const callId = await addStoredRecording(platform, account.id);
  const startedAt = platform.clock.now();
  await insertCalls(platform.database, account, [{ id: callId, startedAt, recorded: true, duration: 1 }]);
  const { client } = account.admin;
  const token = { name: 'CRM of sales', scopes: ['calls:read', 'recordings'] };
  const { id } = (await client.post('/accounts/accessTokens', token)).body;
  const { record_url: link } = (await platform.client(id).get(`/calls/${callId}`)).body;
  expect((await platform.app.inject(new URL(link).href)).statusCode).toBe(200);
  const holder = async () =>
    (await client.get(`/calls/${callId}/recording/accesses?page=1`)).body.data[0].issuedToName;
  expect(await holder()).toBe(token.name);
  await client.delete(`/accounts/accessTokens/${id.slice(0, 8)}`);
  expect(await holder()).toBeNull();
});

test('PERM-10 a change applies to the next request of the same token', async () => {
  const user = await account.addUser();
  const callId = await insertCallWithEvents(platform, account);
  expect((await user.client.get(`/calls/${callId}`)).status).toBe(404);
  await put(account.admin.client, user, wide);
  expect((await user.client.get(`/calls/${callId}`)).status).toBe(200);
  const { isDecided: _, ...own } = initial;
  await put(account.admin.client, user, own);
  expect((await user.client.get(`/calls/${callId}`)).status).toBe(404);
});
