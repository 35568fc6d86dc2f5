import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Client } from '../../harness/client.ts';
import { addDeck, giveCredit } from '../../harness/fixtures/billing.ts';
import { extensionBody, markRegistered } from '../../harness/fixtures/extensions.ts';
import { createAccount, type Person, password, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

const path = '/accounts/accessTokens';
let platform: Platform;
let account: TestAccount;
let boss: Person;

beforeAll(async () => {
  platform = await startPlatform({ EVENT_HEARTBEAT_MS: '200' });
  await addDeck(platform, [{ prefix: '55', price: 0.12 }]);
});
beforeEach(async () => {
  account = await createAccount(platform);
  await giveCredit(platform, account.id, 100);
  boss = await account.addUser('ADMIN');
});
afterAll(() => platform.close());

async function create(scopes: string[], more: object = {}): Promise<Client> {
  const { status, body } = await boss.client.post(path, { name: 'CRM', scopes, ...more });
  expect(status).toBe(200);
  return platform.client(body.id);
}

const prefixOf = (client: Client): string => String(client.token).slice(0, 8);
const newcomer = (email: string) => ({ name: 'Novo', email, password, phone: '5511912345678', role: 'USER' });

describe('service tokens', () => {
  test('TOKEN-15 TOKEN-21 are created by an ADMIN and returned once, with id, ttl and created only', async () => {
    const { body } = await boss.client.post(path, { name: 'CRM', scopes: ['money'], ttl: 3600 });
    expect(Object.keys(body).sort()).toEqual(['created', 'id', 'ttl']);
    expect([body.id, body.ttl]).toEqual([expect.stringMatching(/^dsk_[\w-]{60}$/), 3600]);
    const { body: listed, text } = await account.admin.client.get(path);
    expect(listed).toEqual([
      {
        prefix: body.id.slice(0, 8),
        name: 'CRM',
        ttl: 3600,
        created: body.created,
        expiresAt: new Date(Date.parse(body.created) + 3_600_000).toISOString(),
        lastUsedAt: null,
        scopes: ['money'],
        allowedAddresses: null,
        uuid: expect.any(String),
        createdBy: boss.email,
      },
    ]);
    expect(text).not.toContain(body.id.slice(0, 9));
    expect((await boss.client.get('/users/accessTokens')).text).not.toContain(body.id.slice(0, 8));
    const found = await account.admin.client.list(path, { where: { name: 'crm' }, fields: ['uuid'] });
    expect(found.body).toEqual([{ uuid: listed[0].uuid }]);
  });

  test('TOKEN-21 need a name and scopes', async () => {
    for (const [field, wanted] of [
      ['name', { scopes: ['money'] }],
      ['scopes', { name: 'CRM' }],
      ['scopes', { name: 'CRM', scopes: [] }],
    ] as const) {
      const { status, body } = await boss.client.post(path, wanted);
      expect([status, body.error.details[0].path]).toEqual([422, field]);
    }
  });

  test('TOKEN-21 are neither seen nor managed by a USER, nor from another account', async () => {
    const token = await create(['money']);
    const user = await account.addUser('USER');
    const stranger = (await createAccount(platform)).admin;
    expect((await user.client.get(path)).status).toBe(403);
    expect((await user.client.post(path, { name: 'CRM', scopes: ['money'] })).status).toBe(403);
    expect((await user.client.delete(`${path}/${prefixOf(token)}`)).status).toBe(403);
    expect((await stranger.client.get(path)).body).toEqual([]);
    expect((await stranger.client.delete(`${path}/${prefixOf(token)}`)).status).toBe(404);
    expect((await boss.client.delete(`/users/accessTokens/${prefixOf(token)}`)).status).toBe(404);
    expect((await token.get('/accounts/balance')).status).toBe(200);
  });

  test('TOKEN-21 are revoked by any ADMIN or by themselves, and both are audited', async () => {
    const [first, second] = [await create(['money']), await create(['money'])];
    expect((await account.admin.client.delete(`${path}/${prefixOf(first)}`)).status).toBe(204);
    expect((await account.admin.client.delete(`${path}/${prefixOf(first)}`)).status).toBe(404);
    expect((await second.post('/users/logout')).status).toBe(204);
    for (const token of [first, second])
      expect((await token.get('/accounts/balance')).body.error.errorCode).toBe('INVALID_TOKEN');
    const { body } = await boss.client.list('/audit', { where: { targetType: 'token' } }, { page: '1' });
    const changes = body.data.filter(({ action }: { action: string }) => action.startsWith('service-token.'));
    expect(changes).toMatchObject([
      { action: 'service-token.revoke', actorEmail: 'service token CRM', targetId: prefixOf(second) },
      { action: 'service-token.revoke', actorEmail: account.admin.email, targetId: prefixOf(first) },
      { action: 'service-token.create', actorEmail: boss.email, after: { name: 'CRM', scopes: ['money'] } },
      { action: 'service-token.create', actorEmail: boss.email },
    ]);
  });

  test('TOKEN-21 stay when their creator changes the password, is demoted and is removed', async () => {
    const token = await create(['money']);
    await boss.client.post('/users/change-password', {
      oldPassword: password,
      newPassword: 'another horse battery',
    });
    expect((await token.get('/accounts/balance')).status).toBe(200);
    await account.admin.client.patch('/users', { uuid: boss.uuid, role: 'USER' });
    expect((await token.get('/accounts/balance')).status).toBe(200);
    expect((await account.admin.client.delete(`/users/${boss.uuid}`)).status).toBe(204);
    expect((await token.get('/accounts/balance')).status).toBe(200);
    expect((await account.admin.client.get(path)).body).toMatchObject([{ name: 'CRM', createdBy: null }]);
  });

  test('TOKEN-04 TOKEN-21 expire like others, and stop with their account', async () => {
    const token = await create(['money'], { ttl: 60 });
    const other = await create(['money'], { ttl: -1 });
    platform.clock.advance(61);
    expect((await token.get('/accounts/balance')).body.error.errorCode).toBe('INVALID_TOKEN');
    await platform.database.query(`update accounts set status = 'blocked' where id = $1`, [account.id]);
    expect((await other.get('/accounts/balance')).body.error.errorCode).toBe('INVALID_TOKEN');
  });
});

describe('a service token', () => {
  test('TOKEN-22 acts as ADMIN within its scopes, as the author in the audit log', async () => {
    const token = await create(['users', 'extensions', 'account', 'money']);
    const email = `novo${account.id}@empresa.test`;
    expect((await token.post('/users', newcomer(email))).status).toBe(200);
    const made = await token.post('/extensions', extensionBody({ email_address: email }));
    expect(made.status).toBe(200);
    expect((await token.patch('/accounts', { name: 'Nova' })).body.name).toBe('Nova');
    const charge = { paymentMethod: 'PIX', amount: 50, description: 'Créditos' };
    const dueDate = new Date(platform.clock.now().getTime() + 2 * 86_400_000).toISOString().slice(0, 10);
    const charged = await token.post('/charges', { ...charge, dueDate });
    expect(charged.status).toBe(200);
    const users = await platform.database.query<{ id: string }>('select id from users');
    expect(users.map(({ id }) => Number(id))).not.toContain(charged.body.userId);
    const { uuid } = (await boss.client.get(path)).body[0];
    const { body } = await token.list('/audit', { where: { actorUuid: uuid } }, { page: '1' });
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['user.create', 'extension.create', 'account.update']),
    );
    for (const entry of body.data) expect(entry.actorEmail).toBe('service token CRM');
  });

  test('TOKEN-22 places calls from every extension, which belong to its owner', async () => {
    const token = await create(['calls:place', 'calls:read']);
    const { body: extension } = await boss.client.post(
      '/extensions',
      extensionBody({ email_address: boss.email }),
    );
    await markRegistered(platform, extension.id);
    const placed = await token.post('/calls', { extension: extension.ramal, called: '5511987654321' });
    expect(placed.status).toBe(200);
    const { body } = await token.get(`/calls/${placed.body.id}`);
    expect(body).toMatchObject({ email: boss.email, requested_by: null });
    expect((await token.post(`/calls/${placed.body.id}/hangup`)).status).toBe(200);
  });

  test('TOKEN-22 is refused where a user is needed', async () => {
    const token = await create(['webhooks', 'calls:place', 'users']);
    for (const answer of [
      await token.get('/users/me'),
      await token.get('/integrations'),
      await token.patch('/integrations', { gateway: 'crm' }),
      await token.post('/extensions/1/phone-sessions'),
    ])
      expect([answer.status, answer.body.error.errorCode]).toEqual([403, 'ACCESS_DENIED']);
    expect((await token.patch('/users', { name: 'Outro' })).status).toBe(404);
    expect((await token.get('/events')).status).toBe(200);
  });

  test('TOKEN-23 counts as one user for rate limits, apart from its creator', async () => {
    const [token, other] = [await create(['account']), await create(['account'])];
    const left = async (client: Client) => (await client.get('/accounts')).headers['ratelimit-remaining'];
    expect([await left(token), await left(token), await left(token)]).toEqual(['59', '58', '57']);
    // The creator made two requests that count, for the tokens.
    expect([await left(other), await left(boss.client)]).toEqual(['59', '57']);
  });

  test('TOKEN-23 LIMIT-24 counts in the budget of tokens of the account', async () => {
    await platform.database.query(
      `insert into account_budgets (account_id, resource, most) values ($1, 'tokens', 2)`,
      [account.id],
    );
    await create(['money']);
    expect((await boss.client.post('/users/accessTokens', {})).status).toBe(200);
    const refused = await boss.client.post(path, { name: 'CRM', scopes: ['money'] });
    expect([refused.status, refused.body.error.errorCode]).toEqual([409, 'ACCOUNT_LIMIT']);
    expect((await boss.client.get(path)).body).toHaveLength(1);
  });

  test('TOKEN-20 TOKEN-21 shows when it was last used', async () => {
    const token = await create(['money']);
    await token.get('/accounts/balance');
    await platform.api.app.tokenUse.flush();
    const [listed] = (await boss.client.get(path)).body;
    const ageMs = platform.clock.now().getTime() - Date.parse(listed.lastUsedAt);
    expect(Math.abs(ageMs)).toBeLessThan(60_000);
  });

  test('TOKEN-24 an event stream needs the scope, and ends when the token is revoked or expires', async () => {
    const url = `${await platform.listen()}/api/v1/events/stream`;
    const open = (client: Client) =>
      fetch(url, { headers: { authorization: String(client.token) }, signal: AbortSignal.timeout(20_000) });
    expect((await open(await create(['calls:read']))).status).toBe(403);
    const revoked = await create(['webhooks']);
    const stream = await open(revoked);
    expect(stream.status).toBe(200);
    await boss.client.delete(`${path}/${prefixOf(revoked)}`);
    // The text is complete only once the stream has ended.
    expect(await stream.text()).toContain('retry:');
    const expiring = await open(await create(['webhooks'], { ttl: 60 }));
    platform.clock.advance(61);
    expect(await expiring.text()).toContain('retry:');
  });
});
