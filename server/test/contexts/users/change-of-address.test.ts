import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { linkTo, mailsTo, tokenFrom } from '../../harness/mailbox.ts';
import { createAccount, type Person, password, signupBody, type TestAccount } from '../../harness/people.ts';
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
const logInStatus = async (email: string): Promise<number> =>
  (await platform.client().post('/users/login', { email, password })).status;
const undoPage = 'http://console.disca.test/undo-email';
const undoFor = async (email: string) => tokenFrom(await linkTo(platform, email, 'email-changed'));
const undoStatus = async (token: string): Promise<number> =>
  (await platform.client().post('/users/undo-email', { token })).status;
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

  test('USER-24 works for login immediately, and so does the old one for 72 hours', async () => {
    const email = freshAddress();
    await move(email);
    expect([await logInStatus(email), await logInStatus(ana.email.toUpperCase())]).toEqual([200, 200]);
    platform.clock.advance(72 * 3600 - 10);
    expect(await logInStatus(ana.email)).toBe(200);
    platform.clock.advance(10);
    expect([await logInStatus(email), await logInStatus(ana.email)]).toEqual([200, 401]);
  });

  test('USER-24 the old address can be taken by no other user for 72 hours, if it was verified', async () => {
    await move(freshAddress());
    const bia = await account.addUser();
    const take = async () => (await bia.client.patch('/users', { email: ana.email })).status;
    const signUp = () => platform.client().post('/accounts/signup', signupBody({ email: ana.email }));
    expect([await take(), (await signUp()).status]).toEqual([422, 422]);
    platform.clock.advance(72 * 3600);
    expect(await take()).toBe(200);
  });

  test('USER-24 an old address that was not verified logs in, but can be taken', async () => {
    const [first, second] = [freshAddress(), freshAddress()];
    await move(first);
    await move(second);
    expect(await logInStatus(first)).toBe(200);
    const bia = await account.addUser();
    await move(first, bia);
    const { body } = await platform.client().post('/users/login', { email: first, password });
    expect(body.userId).toBe(bia.uuid);
  });

  test('USER-21 USER-25 is announced to the old address, with no link but the one that undoes it', async () => {
    const sink = await platform.mail();
    const email = freshAddress();
    await move(email);
    const mail = await sink.waitFor(({ to, subject }) => to.includes(ana.email) && /alterado/.test(subject));
    expect(mail.text).toContain('@empresa.test');
    expect(new Set(mail.links.map((link) => link.split('?')[0]))).toEqual(new Set([undoPage]));
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

describe('undoing a change of address', () => {
  test('USER-25 USER-26 restores the address, ends the logins and is recorded', async () => {
    const { body: created } = await ana.client.post('/users/accessTokens', { name: 'CRM' });
    const email = freshAddress();
    await move(email);
    await confirm(await confirmationFor(email));
    const token = await undoFor(ana.email);
    expect(await undoStatus(token)).toBe(204);
    expect((await ana.client.get('/users/me')).status).toBe(401);
    const { body } = await platform.client().as(created.id).get('/users/me');
    expect(body).toMatchObject({ email: ana.email, emailVerified: true });
    expect([await logInStatus(ana.email), await logInStatus(email)]).toEqual([200, 401]);
    const filter = { where: { action: 'user.undo-email' } };
    const { body: audit } = await account.admin.client.list('/audit', filter, { page: '1' });
    const entry = {
      actorEmail: ana.email,
      targetId: ana.uuid,
      before: { email },
      after: { email: ana.email },
    };
    expect(audit.data).toMatchObject([entry]);
    expect(await undoStatus(token)).toBe(422);
    await platform.client().post('/users/reset', { email: ana.email });
    expect(await templatesTo(ana.email)).toContain('reset-password');
  });

  test('USER-25 works after a second change and a change back, which do not remove the link', async () => {
    const [first, second] = [freshAddress(), freshAddress()];
    await move(first);
    await confirm(await confirmationFor(first));
    const early = await undoFor(ana.email);
    await move(second);
    const late = await undoFor(first);
    expect(await undoStatus(early)).toBe(204);
    expect(await undoStatus(late)).toBe(422);
    expect([await logInStatus(first), await logInStatus(second)]).toEqual([401, 401]);
    const { body } = await platform.client().post('/users/login', { email: ana.email, password });
    const again = { ...ana, client: platform.client().as(body.id) };
    await move(second, again);
    await move(ana.email, again);
    expect(await me(again)).toMatchObject({ email: ana.email, emailVerified: true });
    await move(first, again);
    expect(await undoStatus(await undoFor(ana.email))).toBe(204);
  });

  test('USER-25 fails after 72 hours, with a changed token and for an unverified address', async () => {
    const [first, second] = [freshAddress(), freshAddress()];
    await move(first);
    const token = await undoFor(ana.email);
    await move(second);
    await expect(undoFor(first)).rejects.toThrow('No mail');
    expect(await undoStatus(`${token}x`)).toBe(422);
    platform.clock.advance(72 * 3600);
    expect(await undoStatus(token)).toBe(422);
    expect(await me()).toMatchObject({ email: second });
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
