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

async function openConsole() {
  const { email } = account.admin;
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
