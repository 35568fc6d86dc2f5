import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { linkTo, mailsTo, tokenFrom } from '../../harness/mailbox.ts';
import { createAccount, type Person, password, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;
let ana: Person;
let addresses = 0;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  account = await createAccount(platform);
});
beforeEach(async () => {
  ana = await account.addUser();
  await account.admin.client.patch('/users', { uuid: ana.uuid, emailVerified: true });
});
afterAll(() => platform.close());

const freshAddress = (): string => {
  addresses += 1;
  return `address${addresses}@empresa.test`;
};
const me = async (person = ana) => (await person.client.get('/users/me')).body;
const move = async (email: string, person = ana): Promise<void> => {
  const { status, body } = await person.client.patch('/users', { email });
  expect([status, body.email]).toEqual([200, email]);
};
const confirm = async (token: string): Promise<string | null> => {
  const { status, headers } = await platform.client().get('/accounts/confirm', { query: { token } });
  expect(status).toBe(302);
  return new URL(headers.location ?? '').searchParams.get('confirmation');
};
const confirmationFor = async (email: string) =>
  tokenFrom(await linkTo(platform, email, 'confirm-new-address'));
const resetFor = async (email: string) => {
  await platform.client().post('/users/reset', { email });
  return tokenFrom(await linkTo(platform, email, 'reset-password'));
};
const templatesTo = async (email: string): Promise<string[]> =>
  (await mailsTo(platform, email)).map(({ template }) => template);
const resetStatus = async (token: string): Promise<number> =>
  (await platform.client().post('/users/reset-password', { token, password: 'taken over' })).status;

describe('changed e-mail', () => {
  test('USER-14 is unverified until the link mailed to it is opened', async () => {
    const sink = await platform.mail();
    const email = freshAddress();
    await move(email);
    expect(await me()).toMatchObject({ email, emailVerified: false });
    const mail = await sink.waitFor(({ to }) => to.includes(email));
    const link =
      mail.links.find((each) => each.startsWith('http://api.disca.test/api/v1/accounts/confirm?')) ?? '';
    expect(await confirm(tokenFrom(link))).toBe('confirmed');
    expect(await me()).toMatchObject({ email, emailVerified: true });
  });

  test('USER-14 is unverified regardless of who changed it and what else was sent', async () => {
    const own = await ana.client.patch('/users', { email: freshAddress(), emailVerified: true });
    expect([own.status, own.body.emailVerified]).toEqual([200, false]);
    const byAdmin = { uuid: ana.uuid, email: freshAddress(), emailVerified: true };
    expect((await account.admin.client.patch('/users', byAdmin)).body.emailVerified).toBe(false);
  });

  test('USER-14 stays verified when only its case changes, and no mail is sent', async () => {
    await move(ana.email.toUpperCase());
    expect((await me()).emailVerified).toBe(true);
    expect(await templatesTo(ana.email)).toEqual(['confirm-new-address']);
  });

  test('USER-14 works for login immediately, and the old one no longer does', async () => {
    const email = freshAddress();
    await move(email);
    expect((await platform.client().post('/users/login', { email, password })).status).toBe(200);
    expect((await platform.client().post('/users/login', { email: ana.email, password })).status).toBe(401);
  });

  test('USER-21 is announced to the old address, without a link into the account', async () => {
    const sink = await platform.mail();
    const email = freshAddress();
    await move(email);
    const mail = await sink.waitFor(({ to, subject }) => to.includes(ana.email) && /alterado/.test(subject));
    expect(mail.text).toContain('@empresa.test');
    expect(mail.links.filter((link) => link.includes('token='))).toEqual([]);
    expect(await templatesTo(email)).toEqual(['confirm-new-address']);
  });

  test('USER-21 is announced when an ADMIN changed it, and not when rejected', async () => {
    await account.admin.client.patch('/users', { uuid: ana.uuid, email: account.admin.email });
    await account.admin.client.patch('/users', { uuid: ana.uuid, name: 'Ana' });
    expect(await templatesTo(ana.email)).not.toContain('email-changed');
    await account.admin.client.patch('/users', { uuid: ana.uuid, email: freshAddress() });
    expect(await templatesTo(ana.email)).toContain('email-changed');
  });

  test('USER-21 gets no reset mail until it is verified', async () => {
    const email = freshAddress();
    await move(email);
    await platform.client().post('/users/reset', { email });
    expect(await templatesTo(email)).not.toContain('reset-password');
    await confirm(await confirmationFor(email));
    await platform.client().post('/users/reset', { email });
    expect(await templatesTo(email)).toContain('reset-password');
  });

  test('USER-21 the old address gets no reset mail', async () => {
    await move(freshAddress());
    await platform.client().post('/users/reset', { email: ana.email });
    expect(await templatesTo(ana.email)).not.toContain('reset-password');
  });
});

describe('taking over a user through a change of address', () => {
  test('USER-21 fails with a reset link mailed to the old address', async () => {
    const token = await resetFor(ana.email);
    await move(freshAddress());
    expect(await resetStatus(token)).toBe(422);
    expect((await ana.client.get('/users/me')).status).toBe(200);
  });

  test('USER-14 fails with the link of an address the user no longer has', async () => {
    const [first, second] = [freshAddress(), freshAddress()];
    await move(first);
    const stale = await confirmationFor(first);
    await move(second);
    expect(await confirm(stale)).toBe('invalid');
    expect(await me()).toMatchObject({ email: second, emailVerified: false });
  });

  test('USER-14 fails with the link of a previous user of the address', async () => {
    const email = freshAddress();
    const bia = await account.addUser();
    await move(email);
    const link = await confirmationFor(email);
    await move(freshAddress());
    await move(email, bia);
    expect(await confirm(link)).toBe('invalid');
    expect(await me(bia)).toMatchObject({ email, emailVerified: false });
  });

  test('USER-14 USER-17 fails with the links of a removed user', async () => {
    const [confirmation, reset] = [await confirmationFor(ana.email), await resetFor(ana.email)];
    await account.admin.client.delete(`/users/${ana.uuid}`);
    const successor = { name: 'Outra Ana', email: ana.email, password, phone: '5511912345678', role: 'USER' };
    expect((await account.admin.client.post('/users', successor)).status).toBe(200);
    expect(await confirm(confirmation)).toBe('invalid');
    expect(await resetStatus(reset)).toBe(422);
    const [listed] = (await account.admin.client.list('/users', { where: { email: ana.email } })).body;
    expect(listed.emailVerified).toBe(false);
    expect((await platform.client().post('/users/login', { email: ana.email, password })).status).toBe(200);
  });

  test('USER-07 USER-21 fails by claiming the address of another user', async () => {
    const victim = (await createAccount(platform)).admin;
    const claimed = await ana.client.patch('/users', { email: victim.email.toUpperCase() });
    expect([claimed.status, claimed.body.error.details[0].code]).toEqual([422, 'duplicate']);
    const token = await resetFor(victim.email);
    expect(await resetStatus(token)).toBe(204);
    expect((await ana.client.get('/users/me')).status).toBe(200);
    expect((await victim.client.get('/users/me')).status).toBe(401);
  });

  test('USER-14 the link expires 48 hours after the mail', async () => {
    const email = freshAddress();
    await move(email);
    const link = await confirmationFor(email);
    platform.clock.advance(48 * 3600 + 1);
    expect(await confirm(link)).toBe('expired');
    expect((await me()).emailVerified).toBe(false);
  });
});
