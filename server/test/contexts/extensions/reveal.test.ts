import { beforeAll, expect, test } from 'vitest';
import { extensionBody } from '../../harness/fixtures/extensions.ts';
import { createAccount, password, type TestAccount } from '../../harness/people.ts';
import { type SharedPlatform, sharedPlatform } from '../../harness/platform.ts';

let platform: SharedPlatform;
let account: TestAccount;

beforeAll(async () => {
  platform = await sharedPlatform();
  account = await createAccount(platform);
});

async function openConsole(email = account.admin.email) {
  const { headers } = await platform.client().post('/console/session', { email, password });
  const cookie = String(headers['set-cookie']).split(';', 1)[0] ?? '';
  return { headers: { cookie, 'x-disca-console': '1' } };
}

test('EXT-31 console sessions reveal SIP passwords one by one, and each is recorded', async () => {
  const { client } = account.admin;
  const { body: created } = await client.post('/extensions', extensionBody());
  const session = await openConsole();
  const browser = platform.client();
  const [listed] = (await browser.get('/extensions', session)).body;
  expect(listed).not.toHaveProperty('senha');
  expect((await browser.get(`/extensions/${created.id}`, session)).body).not.toHaveProperty('senha');
  expect((await client.get(`/extensions/${created.id}`)).body.senha).toBe(created.senha);
  const revealed = await browser.post(`/extensions/${created.id}/reveal`, undefined, session);
  expect([revealed.status, revealed.body]).toEqual([200, { senha: created.senha }]);
  const filter = { where: { action: 'extension.reveal' } };
  const { body } = await client.list('/audit', filter, { page: '1' });
  expect(body.data).toMatchObject([{ targetId: String(created.id), actorEmail: account.admin.email }]);
  expect(JSON.stringify(body)).not.toContain(created.senha);
});

test('EXT-31 only ADMINs reveal SIP passwords', async () => {
  const { body: created } = await account.admin.client.post('/extensions', extensionBody());
  const user = await account.addUser();
  expect((await user.client.post(`/extensions/${created.id}/reveal`)).status).toBe(403);
});

test('EXT-32 SIP passwords that a token reads are recorded once per token and hour', async () => {
  const { admin, ...own } = await createAccount(platform);
  const { client } = admin;
  const { body: created } = await client.post('/extensions', extensionBody());
  const entries = async () =>
    (await client.list('/audit', { where: { action: 'extension.read-passwords' } }, { page: '1' })).body.data;
  await client.list('/extensions', { fields: ['id', 'ramal'] });
  await client.list('/extensions', { where: { ramal: '99999999' } });
  const user = await own.addUser();
  await user.client.get('/extensions');
  expect(await entries()).toEqual([]);
  await Promise.all([client.get('/extensions'), client.get('/extensions')]);
  expect((await client.get(`/extensions/${created.id}`)).body.senha).toBe(created.senha);
  const first = { targetType: 'token', targetId: admin.token.slice(0, 8), actorEmail: admin.email };
  expect(await entries()).toMatchObject([first]);
  const { body: other } = await client.post('/users/accessTokens', { name: 'CRM' });
  await platform.client().as(other.id).get('/extensions');
  expect(await entries()).toHaveLength(2);
  await platform.database.query(
    `update access_tokens set senhas_noted_at = senhas_noted_at - interval '1 hour' where account_id = $1`,
    [own.id],
  );
  await client.get('/extensions');
  expect(await entries()).toHaveLength(3);
});

test('EXT-33 PATCH returns no SIP password to console sessions, and a new one needs a proof', async () => {
  const { admin } = await createAccount(platform);
  const { body: created } = await admin.client.post('/extensions', extensionBody());
  const session = await openConsole(admin.email);
  const browser = platform.client();
  const patch = (body: object) => browser.patch('/extensions', body, session);
  const named = await patch({ id: created.id, first_name: 'Bia' });
  expect([named.status, named.body.first_name]).toEqual([200, 'Bia']);
  expect(named.body).not.toHaveProperty('senha');
  await platform.database.query(
    `update access_tokens set proved_at = proved_at - interval '11 minutes' where is_console_session`,
  );
  expect(await patch({ id: created.id })).toMatchObject({ status: 200 });
  expect((await patch({ id: created.id })).body).not.toHaveProperty('senha');
  const refused = await patch({ id: created.id, senha: 'uma-outra-senha' });
  expect([refused.status, refused.body.error.errorCode]).toEqual([403, 'PROOF_REQUIRED']);
  expect((await admin.client.get(`/extensions/${created.id}`)).body.senha).toBe(created.senha);
  expect((await browser.post('/users/me/proof', { password }, session)).status).toBe(204);
  const changed = await patch({ id: created.id, senha: 'uma-outra-senha' });
  expect(changed.status).toBe(200);
  expect(changed.body).not.toHaveProperty('senha');
  expect((await admin.client.get(`/extensions/${created.id}`)).body.senha).toBe('uma-outra-senha');
});

test('EXT-33 PATCH returns the SIP password to a token, which is recorded as a read one', async () => {
  const { admin } = await createAccount(platform);
  const { client } = admin;
  const { body: created } = await client.post('/extensions', extensionBody());
  const entries = async () =>
    (await client.list('/audit', { where: { action: 'extension.read-passwords' } }, { page: '1' })).body.data;
  expect(await entries()).toEqual([]);
  expect((await client.patch('/extensions', { id: created.id })).body.senha).toBe(created.senha);
  expect(await entries()).toMatchObject([{ targetType: 'token', targetId: admin.token.slice(0, 8) }]);
  await client.get('/extensions');
  expect(await entries()).toHaveLength(1);
});
