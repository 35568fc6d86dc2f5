import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { stopTime } from '../../harness/clock.ts';
import { nextBody } from '../../harness/fixtures/extensions.ts';
import { linkTo, mailsTo, tokenFrom } from '../../harness/mailbox.ts';
import { runOperator } from '../../harness/operator-cli.ts';
import { createAccount, password, signupBody, type TestAccount } from '../../harness/people.ts';
import { type SharedPlatform, sharedPlatform } from '../../harness/platform.ts';

let platform: SharedPlatform;
let account: TestAccount;
beforeAll(async () => {
  platform = await sharedPlatform();
  account = await createAccount(platform);
});

const newAddress = (): string => `${randomUUID()}@example.com`;

async function invite(of: TestAccount, changes: Record<string, unknown> = {}) {
  const { status, text, body } = await of.admin.client.post('/users/invitations', {
    email: newAddress(),
    role: 'USER',
    ...changes,
  });
  if (status !== 200) throw new Error(`The invitation returned ${status}: ${text}`);
  return body as { uuid: string; email: string; expiresAt: string };
}

const tokenFor = async (email: string): Promise<string> =>
  tokenFrom(await linkTo(platform, email, 'invitation'));

const open = (token: string) => platform.client().post('/users/invitations/open', { token });
const accept = (token: string, changes: Record<string, unknown> = {}) =>
  platform.client().post('/users/invitations/accept', { token, name: 'Zélia Prado', password, ...changes });
const logIn = (email: string) => platform.client().post('/users/login', { email, password });

const isDead = ({
  status,
  body,
}: {
  status: number;
  body: { error: { details: { path: string; code: string }[] } };
}): boolean =>
  status === 422 &&
  isDeepStrictEqual(
    body.error.details.map(({ path, code }) => [path, code]),
    [['token', 'invalid_token']],
  );

/** Expires the link and the invitation as if the time had passed. */
async function age(uuid: string, interval: string): Promise<void> {
  await platform.database.query(
    'update invitations set expires_at = expires_at - $2::interval where uuid = $1',
    [uuid, interval],
  );
}

test('INVITE-01 an ADMIN invites a person by e-mail, in the language of the person', async () => {
  const email = newAddress();
  const person = { email, role: 'ADMIN', name: 'Zélia', phone: '5511987654321', locale: 'en' };
  const { status, body } = await account.admin.client.post('/users/invitations', person);
  expect([status, body]).toEqual([
    200,
    {
      ...person,
      uuid: expect.any(String),
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
    },
  ]);
  expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBe(72 * 3600 * 1000);
  const [mail, ...others] = await mailsTo(platform, email);
  const { name } = (await account.admin.client.get('/users/me')).body;
  const company = (await account.admin.client.get('/accounts')).body.name;
  expect(others).toEqual([]);
  expect(mail).toMatchObject({
    template: 'invitation',
    locale: 'en',
    data: { inviterName: name, companyName: company },
  });
  expect((await logIn(email)).status).toBe(401);
});

test('INVITE-01 role and e-mail are required, other fields are not, and a USER cannot invite', async () => {
  const missing = await account.admin.client.post('/users/invitations', {});
  expect(missing.body.error.details.map(({ path }: { path: string }) => path).sort()).toEqual([
    'email',
    'role',
  ]);
  const { email } = await invite(account);
  expect((await mailsTo(platform, email))[0]?.locale).toBe('pt-BR');
  const user = await account.addUser('USER');
  const refused = await user.client.post('/users/invitations', { email: newAddress(), role: 'USER' });
  expect([refused.status, refused.body.error.errorCode]).toEqual([403, 'ACCESS_DENIED']);
});

test('INVITE-02 USER-23 the invited person sets a name and a password, and can log in once', async () => {
  const { uuid, email } = await invite(account, { phone: '5511987654321', locale: 'en' });
  const token = await tokenFor(email);
  const common = await accept(token, { password: 'password1' });
  expect([common.status, common.body.error.details[0].code]).toEqual([422, 'common_password']);
  expect((await accept(token)).status).toBe(204);
  const { status, body } = await logIn(email);
  expect([status, body.userId]).toEqual([200, uuid]);
  const me = (await platform.client(body.id).get('/users/me')).body;
  expect(me).toMatchObject({
    uuid,
    email,
    name: 'Zélia Prado',
    phone: '5511987654321',
    role: 'USER',
    emailVerified: true,
  });
  expect(isDead(await accept(token))).toBe(true);
  expect(isDead(await open(token))).toBe(true);
});

test('INVITE-02 the invited person becomes the owner of extensions that were created for the e-mail', async () => {
  const { email } = await invite(account);
  const extension = await account.admin.client.post(
    '/extensions/next-available',
    nextBody({ email_address: email }),
  );
  expect(extension.status, extension.text).toBe(200);
  expect((await accept(await tokenFor(email))).status).toBe(204);
  const token = (await logIn(email)).body.id;
  const context = (await platform.client(token).get('/users/me/context')).body;
  expect(context.extensions.map(({ ramal }: { ramal: string }) => ramal)).toEqual([extension.body.ramal]);
});

test('INVITE-02 only one of several concurrent acceptances creates the user', async () => {
  const { email } = await invite(account);
  const token = await tokenFor(email);
  const answers = await Promise.all(Array.from({ length: 4 }, () => accept(token)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 422, 422, 422]);
});

test('INVITE-03 opening the link shows the invitation and changes nothing, however often', async () => {
  const { email } = await invite(account, { name: 'Zélia' });
  const token = await tokenFor(email);
  const { name } = (await account.admin.client.get('/users/me')).body;
  for (const _ of [1, 2, 3]) {
    const { status, body } = await open(token);
    expect([status, body]).toEqual([
      200,
      { email, name: 'Zélia', locale: 'pt-BR', inviterName: name, companyName: expect.any(String) },
    ]);
  }
  expect((await logIn(email)).status).toBe(401);
  expect((await accept(token)).status).toBe(204);
});

test('INVITE-03 a forged link and one of a blocked account do not work', async () => {
  expect(isDead(await open('k1.e30.x'))).toBe(true);
  const own = await createAccount(platform);
  const { email } = await invite(own);
  const token = await tokenFor(email);
  await runOperator(platform, ['account', 'block', own.domain]);
  expect(isDead(await open(token))).toBe(true);
  expect(isDead(await accept(token))).toBe(true);
});

test('INVITE-04 open invitations are listed and sent again, with 72 hours from then', async () => {
  const own = await createAccount(platform);
  const { uuid, email, expiresAt } = await invite(own);
  await age(uuid, '100 hours');
  const listed = await own.admin.client.get('/users/invitations');
  expect(listed.body.map((each: { uuid: string }) => each.uuid)).toEqual([uuid]);
  const again = await own.admin.client.post(`/users/invitations/${uuid}/resend`);
  expect(again.status).toBe(200);
  expect(Date.parse(again.body.expiresAt)).toBeGreaterThanOrEqual(Date.parse(expiresAt));
  expect(await mailsTo(platform, email)).toHaveLength(2);
  expect((await accept(await tokenFor(email))).status).toBe(204);
  expect((await own.admin.client.get('/users/invitations')).body).toEqual([]);
  expect((await own.admin.client.post(`/users/invitations/${uuid}/resend`)).status).toBe(404);
});

test('INVITE-05 a revoked invitation is no longer listed, and its link does not work', async () => {
  const own = await createAccount(platform);
  const { uuid, email } = await invite(own);
  const token = await tokenFor(email);
  expect((await own.admin.client.delete(`/users/invitations/${uuid}`)).status).toBe(204);
  expect((await own.admin.client.delete(`/users/invitations/${uuid}`)).status).toBe(404);
  expect((await own.admin.client.get('/users/invitations')).body).toEqual([]);
  expect(isDead(await accept(token))).toBe(true);
});

test('INVITE-06 refuses the address of a user and one that is invited already', async () => {
  const { email } = await invite(account);
  for (const taken of [email.toUpperCase(), account.admin.email]) {
    const again = await account.admin.client.post('/users/invitations', { email: taken, role: 'USER' });
    expect([again.status, again.body.error.details[0]]).toMatchObject([
      422,
      { path: 'email', code: 'duplicate' },
    ]);
  }
  const invalid = await account.admin.client.post('/users/invitations', { email, role: 'BOSS' });
  expect(invalid.body.error.details.map(({ path }: { path: string }) => path).sort()).toEqual([
    'email',
    'role',
  ]);
  // Another account may invite the same person; the first acceptance counts.
  const other = await createAccount(platform);
  await invite(other, { email });
  const [ours, theirs] = (await mailsTo(platform, email)).map(({ data }) =>
    tokenFrom((data as { link: string }).link),
  );
  expect((await accept(ours ?? '')).status).toBe(204);
  const late = await accept(theirs ?? '');
  expect([late.status, late.body.error.details[0].path]).toEqual([422, 'email']);
});

test('INVITE-06 LIMIT-19 LIMIT-24 open invitations count as users, and their mails as mails', async () => {
  stopTime();
  const own = await createAccount(platform);
  await runOperator(platform, ['budgets', 'set', own.domain, 'users', '2']);
  await runOperator(platform, ['budgets', 'set', own.domain, 'mails', '1']);
  const { email, uuid } = await invite(own);
  const full = await own.admin.client.post('/users/invitations', { email: newAddress(), role: 'USER' });
  expect([full.status, full.body.error.errorCode]).toEqual([409, 'ACCOUNT_LIMIT']);
  const again = await own.admin.client.post(`/users/invitations/${uuid}/resend`);
  expect([again.status, again.body.error.errorCode]).toEqual([409, 'ACCOUNT_LIMIT']);
  await runOperator(platform, ['budgets', 'set', own.domain, 'users', '1']);
  const late = await accept(await tokenFor(email));
  expect([late.status, late.body.error.errorCode]).toEqual([409, 'ACCOUNT_LIMIT']);
  await runOperator(platform, ['budgets', 'set', own.domain, 'users', '2']);
  expect((await accept(await tokenFor(email))).status).toBe(204);
});

test('INVITE-06 INVITE-08 a created user needs a seat beside the invited people, except for the invited address', async () => {
  const own = await createAccount(platform);
  await runOperator(platform, ['budgets', 'set', own.domain, 'users', '2']);
  const { uuid, email } = await invite(own, { role: 'ADMIN' });
  const token = await tokenFor(email);
  const { body: limits } = await own.admin.client.get('/accounts/limits');
  const budget = (limits.budgets as { resource: string }[]).find(({ resource }) => resource === 'users');
  expect(budget).toMatchObject({ limit: 2, used: 2 });
  const create = (address: string) =>
    own.admin.client.post('/users', {
      name: 'Zélia Prado',
      email: address,
      password,
      phone: '5511987654321',
      role: 'USER',
    });
  const full = await create(newAddress());
  expect([full.status, full.body.error.errorCode]).toEqual([409, 'ACCOUNT_LIMIT']);
  const created = await create(email.toUpperCase());
  expect([created.status, created.body.role]).toEqual([200, 'USER']);
  expect((await own.admin.client.get('/users/invitations')).body).toEqual([]);
  const { body: users } = await own.admin.client.get('/users');
  const found = (users as { uuid: string; role: string }[]).find((user) => user.uuid === uuid);
  expect(found).toMatchObject({ email: email.toUpperCase(), role: 'USER', emailVerified: false });
  expect([isDead(await open(token)), isDead(await accept(token))]).toEqual([true, true]);
});

test('INVITE-07 each step is in the audit log, the acceptance with the new user as author', async () => {
  const own = await createAccount(platform);
  const { uuid, email } = await invite(own);
  await own.admin.client.post(`/users/invitations/${uuid}/resend`);
  await accept(await tokenFor(email));
  const second = await invite(own);
  await own.admin.client.delete(`/users/invitations/${second.uuid}`);
  const { body } = await own.admin.client.list('/audit', undefined, { page: '1' });
  const entries = (body.data as { action: string; actorEmail: string; targetId: string }[]).filter(
    ({ targetId }) => targetId === uuid || targetId === second.uuid,
  );
  expect(entries.map(({ action, actorEmail }) => [action, actorEmail]).toReversed()).toEqual([
    ['user.invite', own.admin.email],
    ['user.invite-again', own.admin.email],
    ['user.accept-invitation', email],
    ['user.invite', own.admin.email],
    ['user.revoke-invitation', own.admin.email],
  ]);
});

test('SIGNUP-25 an unconfirmed sign-up does not block the invitation of its address, a confirmed one does', async () => {
  const email = newAddress();
  const body = signupBody({ email });
  expect((await platform.client().post('/accounts/signup', body)).status).toBe(201);
  const accounts = () =>
    platform.database.query('select status from accounts where domain = $1', [String(body.domain)]);
  await invite(account, { email: email.toUpperCase() });
  expect(await accounts()).toEqual([{ status: 'pending' }]);
  expect((await platform.client().post('/accounts/signup', signupBody({ email }))).status).toBe(422);
  expect((await accept(await tokenFor(email.toUpperCase()))).status).toBe(204);
  expect(await accounts()).toEqual([]);
  expect((await logIn(email)).status).toBe(200);
  const { admin } = await createAccount(platform);
  const taken = { email: admin.email, role: 'USER' };
  expect((await account.admin.client.post('/users/invitations', taken)).status).toBe(422);
});

test('SIGNUP-25 a sign-up that is confirmed before the invitation is accepted keeps its address', async () => {
  const email = newAddress();
  expect((await platform.client().post('/accounts/signup', signupBody({ email }))).status).toBe(201);
  await invite(account, { email });
  const { pathname, search } = await linkTo(platform, email, 'confirm-email');
  await platform.client().get(pathname.replace('/api/v1', '') + search);
  expect((await accept(await tokenFor(email))).status).toBe(422);
  expect((await logIn(email)).status).toBe(200);
});
