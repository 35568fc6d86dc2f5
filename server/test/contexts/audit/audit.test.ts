import { beforeAll, expect, test } from 'vitest';
import { createAccount, logIn, type Person, password, type TestAccount } from '../../harness/people.ts';
import { type SharedPlatform, sharedPlatform } from '../../harness/platform.ts';

let platform: SharedPlatform;
let account: TestAccount;
let admin: Person;

beforeAll(async () => {
  platform = await sharedPlatform();
  account = await createAccount(platform, { organization_name: 'Auditada' });
  admin = account.admin;
});

type Entry = Record<string, unknown>;

/** Returns the audit entries added during `work`, oldest first. */
async function entriesDuring(work: () => Promise<unknown>): Promise<Entry[]> {
  const before = await entries();
  await work();
  return (await entries()).slice(0, -before.length).toReversed();
}

const entries = async (): Promise<Entry[]> =>
  (await admin.client.list('/audit', undefined, { page: '1' })).body.data;

test('ACCT-06 an account change records actor, action, before, after and origin', async () => {
  const requestId = 'audit-test-00000001';
  const [entry, ...others] = await entriesDuring(() =>
    admin.client.patch(
      '/accounts',
      { name: 'Nova', timezone: 'UTC' },
      { headers: { 'x-request-id': requestId } },
    ),
  );
  expect(others).toEqual([]);
  expect(entry).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    at: expect.stringMatching(/Z$/),
    actorUuid: admin.uuid,
    actorEmail: admin.email,
    action: 'account.update',
    targetType: 'account',
    targetId: account.uuid,
    before: { name: 'Auditada', timezone: 'America/Sao_Paulo' },
    after: { name: 'Nova', timezone: 'UTC' },
    address: admin.client.address,
    requestId,
  });
});

test('ACCT-06 records the creation, change and removal of a user', async () => {
  const person = { name: 'Bia', email: 'bia@auditada.test', phone: '5511912345678', role: 'USER' };
  const [created] = await entriesDuring(() => admin.client.post('/users', { ...person, password }));
  expect(created).toMatchObject({
    action: 'user.create',
    actorUuid: admin.uuid,
    before: null,
    after: person,
  });
  const uuid = String(created?.targetId);

  const [updated] = await entriesDuring(() =>
    admin.client.patch('/users', { uuid, role: 'ADMIN', name: 'Bia' }),
  );
  expect(updated).toMatchObject({ action: 'user.update', targetType: 'user', targetId: uuid });
  expect(updated).toMatchObject({ before: { role: 'USER' }, after: { role: 'ADMIN' } });
  expect(Object.keys(updated?.after as object)).toEqual(['role']);

  const [removed] = await entriesDuring(() => admin.client.delete(`/users/${uuid}`));
  expect(removed).toMatchObject({ action: 'user.remove', targetId: uuid, after: null });
  expect(removed?.before).toMatchObject({ ...person, role: 'ADMIN' });
});

test('ACCT-06 records created and revoked tokens by prefix', async () => {
  const user = await account.addUser('USER');
  let token = '';
  const changes = await entriesDuring(async () => {
    token = (await user.client.post('/users/accessTokens', { ttl: 3600 })).body.id;
    await user.client.delete(`/users/accessTokens/${token.slice(0, 8)}`);
    await user.client.post('/users/logout');
    await logIn(platform, user.email);
  });
  expect(changes.map(({ action }) => action)).toEqual([
    'token.create',
    'token.revoke',
    'token.revoke',
    'token.create',
  ]);
  expect(changes[0]).toMatchObject({
    actorUuid: user.uuid,
    targetId: token.slice(0, 8),
    after: { ttl: 3600 },
  });
  expect(changes[1]).toMatchObject({ actorUuid: user.uuid, targetId: token.slice(0, 8) });
  expect(changes[2]).toMatchObject({ actorUuid: user.uuid, targetId: user.token.slice(0, 8) });
});

test('ACCT-06 records changed and reset passwords without the passwords', async () => {
  const user = await account.addUser('USER');
  const secrets = ['first new secret', 'second new secret'] as const;
  const changes = await entriesDuring(async () => {
    await user.client.post('/users/change-password', { oldPassword: password, newPassword: secrets[0] });
    const token = platform.api.base.keyRing.sign(
      'reset-password',
      { user: user.uuid, email: user.email, passwordChangedAt: await passwordChangedAt(user) },
      new Date(Date.now() + 60_000),
    );
    const reset = await platform.client().post('/users/reset-password', { token, password: secrets[1] });
    expect(reset.status).toBe(204);
  });
  expect(changes.map(({ action }) => action)).toEqual(['password.change', 'password.reset']);
  for (const change of changes) {
    expect(change).toMatchObject({ actorUuid: user.uuid, actorEmail: user.email, targetId: user.uuid });
    expect(change).toMatchObject({ before: null, after: null, address: expect.any(String) });
  }
});

async function passwordChangedAt({ uuid }: Person): Promise<number> {
  const [row] = await platform.database.query<{ at: Date }>(
    'select password_changed_at as at from users where uuid = $1',
    [uuid],
  );
  return row?.at.getTime() ?? 0;
}

test('ACCT-06 records an address confirmed by link', async () => {
  const user = await account.addUser('USER');
  const token = platform.api.base.keyRing.sign(
    'confirm-email',
    { user: user.uuid, email: user.email },
    new Date(Date.now() + 60_000),
  );
  const open = () => platform.client().get('/accounts/confirm', { query: { token } });

  const changes = await entriesDuring(async () => {
    await open();
    await open();
  });
  expect(changes).toEqual([
    expect.objectContaining({
      action: 'user.confirm-email',
      actorUuid: user.uuid,
      targetId: user.uuid,
      before: { emailVerified: false },
      after: { emailVerified: true },
    }),
  ]);
});

test('ACCT-06 the log starts with the sign-up', async () => {
  const [first] = (await entries()).toReversed();
  expect(first).toMatchObject({ action: 'account.signup', actorUuid: admin.uuid, targetId: account.uuid });
  expect(first?.after).toMatchObject({ name: 'Auditada', domain: account.domain, email: admin.email });
});

test('ACCT-06 a rejected request leaves no entry', async () => {
  const user = await account.addUser('USER');
  const changes = await entriesDuring(async () => {
    expect((await user.client.patch('/accounts', { name: 'Não' })).status).toBe(403);
    expect((await admin.client.patch('/accounts', { name: '' })).status).toBe(422);
    expect((await admin.client.patch('/users', { uuid: account.uuid, name: 'Não' })).status).toBe(404);
    expect((await admin.client.patch('/users', { role: 'USER' })).status).toBe(409);
  });
  expect(changes).toEqual([]);
});

test('ACCT-06 the log contains no password, no hash and no complete token', async () => {
  const { text } = await admin.client.list('/audit', undefined, { page: '1' });
  const rows = await platform.database.query<{ password_hash: string }>('select password_hash from users');
  const secrets = [password, 'new secret', '$argon2', admin.token, ...rows.map((row) => row.password_hash)];
  for (const secret of secrets) expect(text).not.toContain(secret);
});

test('ACCT-06 an ADMIN sees only their own account, and a USER is rejected', async () => {
  const other = await createAccount(platform, { organization_name: 'Outra auditada' });
  const seen = (await other.admin.client.list('/audit', undefined, { page: '1' })).body;
  expect(seen.data.map((entry: Entry) => entry.action)).toEqual(['token.create', 'account.signup']);
  expect(JSON.stringify(seen)).not.toContain(admin.uuid);

  const user = await account.addUser('USER');
  const refused = await user.client.list('/audit', undefined, { page: '1' });
  expect(refused.status).toBe(403);
  expect(refused.body.error.errorCode).toBe('ACCESS_DENIED');
});
