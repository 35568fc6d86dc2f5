import { beforeAll, expect, test } from 'vitest';
import { mailsTo } from '../../harness/mailbox.ts';
import { createAccount, type Person, password, type TestAccount } from '../../harness/people.ts';
import { type SharedPlatform, sharedPlatform } from '../../harness/platform.ts';

let platform: SharedPlatform;
let account: TestAccount;

beforeAll(async () => {
  platform = await sharedPlatform();
  account = await createAccount(platform);
});

const mailed = async ({ email }: Person, template: string) =>
  (await mailsTo(platform, email)).filter((mail) => mail.template === template).map(({ data }) => data);

test('AUTH-20 mails a login from a new network, but neither the first login nor a known network', async () => {
  const person = await account.addUser();
  expect(await mailed(person, 'new-login')).toEqual([]);
  const enter = async (address: string) =>
    expect(
      (await platform.client().from(address).post('/users/login', { email: person.email, password })).status,
    ).toBe(200);
  await enter('203.0.113.7');
  await enter('203.0.113.8');
  expect(await mailed(person, 'new-login')).toEqual([{ address: '203.0.113.7', at: expect.any(String) }]);
  await enter('2001:db8:1:2::1');
  await enter('2001:db8:1:3::1');
  expect(await mailed(person, 'new-login')).toHaveLength(2);
});

test('TOKEN-25 mails new tokens to their creator, without the token', async () => {
  const { admin } = account;
  const own = await admin.client.post('/users/accessTokens', { name: 'CRM' });
  const service = { name: 'Invoices', scopes: ['money'] };
  const shared = await admin.client.post('/accounts/accessTokens', service);
  const mails = await mailed(admin, 'token-created');
  expect(mails).toMatchObject([{ name: 'CRM' }, { name: 'Invoices' }]);
  for (const { body } of [own, shared]) expect(JSON.stringify(mails)).not.toContain(body.id);
});
