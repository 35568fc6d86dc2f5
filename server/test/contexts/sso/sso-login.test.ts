import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Answer } from '../../harness/client.ts';
import {
  addProviderUser,
  cookiesOf,
  createSsoAccount,
  finishSso,
  type Identity,
  logInWithSso,
  sessionHeaders,
  startIdentity,
} from '../../harness/identity/sso-account.ts';
import { visitProvider } from '../../harness/identity/visit.ts';
import { createAccount, password, signupBody, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let identity: Identity;
let account: TestAccount & { mailDomain: string };

beforeAll(async () => {
  identity = await startIdentity('http://console.disca.test');
  const settings = { ...identity.settings, RATE_LIMIT_SCALE: '1000' };
  platform = await startPlatform(settings, { identity: identity.override });
  account = await createSsoAccount(platform, identity);
});
afterEach(() => {
  identity.provider.forge = undefined;
});
afterAll(async () => {
  await platform?.close();
  await identity?.close();
});

const codeOf = ({ status, body }: Answer): [number, string | undefined] => [status, body?.error?.errorCode];
const refused = [401, 'SSO_REFUSED'];
const usersOf = (accountId: number) =>
  platform.database.query<{ email: string; role: string; email_verified: boolean; name: string }>(
    'select email, role, email_verified, name from users where account_id = $1 order by id',
    [accountId],
  );
const newUser = (changes = {}) => addProviderUser(identity.provider, account.mailDomain, changes);
const logIn = (email: string, sub: string) => logInWithSso(platform.client(), email, sub);
const sessionOf = (answer: Answer): string => {
  expect(answer.status).toBe(200);
  return cookiesOf(answer).get('__Host-disca') ?? '';
};
const contextOf = (session: string) =>
  platform.client().get('/users/me/context', { headers: sessionHeaders(session) });

test('SSO-05 SSO-06 SSO-07 creates a USER at the first login and opens a console session', async () => {
  const { email, sub } = newUser({ name: 'Bia Reis', locale: 'en-US' });
  const answer = await logIn(email, sub);
  expect(answer.body).toEqual({ purpose: 'login', email });
  const session = sessionOf(answer);
  expect(answer.headers['set-cookie']).toEqual([
    expect.stringMatching(/^__Host-disca-sso=; Max-Age=0; Path=\/; Secure; HttpOnly; SameSite=Strict$/),
    expect.stringMatching(/^__Host-disca=.+; Path=\/; Secure; HttpOnly; SameSite=Strict$/),
  ]);
  const { body } = await contextOf(session);
  expect(body.user).toMatchObject({ email, name: 'Bia Reis', role: 'USER', locale: 'en' });
  expect((await usersOf(account.id)).find((user) => user.email === email)).toMatchObject({
    role: 'USER',
    email_verified: true,
  });
  const before = (await usersOf(account.id)).length;
  sessionOf(await logIn(email, sub));
  expect((await usersOf(account.id)).length).toBe(before);
  const entries = await account.admin.client.get('/audit', { query: { page: '1' } });
  const actions = entries.body.data.map((entry: { action: string }) => entry.action);
  for (const action of ['user.create', 'sso.link', 'sso.configure', 'sso.prove-domain'])
    expect(actions).toContain(action);
});

test('SSO-05 sends the user to the provider with PKCE, state and nonce, whether a user exists or not', async () => {
  const started = await platform.client().post('/console/sso/start', { email: `x@${account.mailDomain}` });
  const { origin, searchParams } = new URL(started.body.url);
  expect(origin).toBe(identity.provider.issuer);
  for (const name of ['state', 'nonce', 'code_challenge'])
    expect(searchParams.get(name)).toMatch(/^[\w-]{43}$/);
  expect(searchParams.get('code_challenge_method')).toBe('S256');
  const unknown = await platform.client().post('/console/sso/start', { email: 'x@elsewhere.test' });
  expect(codeOf(unknown)).toEqual([404, 'SSO_NOT_CONFIGURED']);
});

test('SSO-06 links the verified or entered address inside the account, and then follows the subject', async () => {
  const email = `ana@${account.mailDomain}`;
  await account.admin.client.post('/users', {
    name: 'Ana',
    email,
    password,
    phone: '5511912345678',
    role: 'ADMIN',
  });
  const [ana] = await platform.database.query<{ uuid: string }>('select uuid from users where email = $1', [
    email,
  ]);
  const uuid = ana?.uuid;
  const { sub } = newUser({ email });
  const { body } = await contextOf(sessionOf(await logIn(email, sub)));
  expect(body.user).toMatchObject({ uuid, role: 'ADMIN' });
  const moved = `ana.silva@${account.mailDomain}`;
  identity.provider.users.set(sub, { sub, email: moved, email_verified: true });
  const again = await contextOf(sessionOf(await logIn(moved, sub)));
  expect(again.body.user).toMatchObject({ uuid, email });
});

test('INVITE-06 INVITE-08 SSO-06 an invited person gets the invited role and seat, and an uninvited one needs a seat', async () => {
  const own = await createSsoAccount(platform, identity);
  const { client } = own.admin;
  const [boss, late, other] = [1, 2, 3].map(() => addProviderUser(identity.provider, own.mailDomain));
  const invite = async ({ email = '' } = {}) =>
    (await client.post('/users/invitations', { email: email.toUpperCase(), role: 'ADMIN' })).body.uuid;
  const uuids = [await invite(boss), await invite(late)];
  await platform.database.query(
    `update invitations set expires_at = expires_at - interval '73 hours' where uuid = $1`,
    [uuids[1]],
  );
  await platform.database.query(`insert into account_budgets values ($1, 'users', 3)`, [own.id]);
  expect(codeOf(await logIn(other?.email ?? '', other?.sub ?? ''))).toEqual([409, 'ACCOUNT_LIMIT']);
  for (const each of [boss, late]) sessionOf(await logIn(each?.email ?? '', each?.sub ?? ''));
  const users = await platform.database.query(
    'select email, role, uuid from users where account_id = $1 and uuid = any($2) order by id',
    [own.id, uuids],
  );
  expect(users).toEqual([
    { email: boss?.email, role: 'ADMIN', uuid: uuids[0] },
    { email: late?.email, role: 'USER', uuid: uuids[1] },
  ]);
  expect((await client.get('/users/invitations')).body).toEqual([]);
});

test('SSO-08 refuses alike a foreign user, a stranger at the address, and what the provider may not vouch for', async () => {
  const other = await createAccount(platform);
  const foreign = `foreign@${account.mailDomain}`;
  await other.admin.client.patch('/users', { email: foreign });
  // A user who gives themselves the address of a colleague.
  const thief = await account.addUser();
  const stolen = `boss@${account.mailDomain}`;
  await thief.client.patch('/users', { email: stolen });
  const bound = newUser();
  sessionOf(await logIn(bound.email, bound.sub));
  const attempts = [
    newUser({ email: foreign }),
    newUser({ email: stolen }),
    newUser({ email: bound.email }),
    newUser({ email_verified: false }),
    newUser({ email_verified: 'true' }),
    newUser({ email: 'someone@other.test' }),
  ];
  const before = await usersOf(account.id);
  const bodies = new Set<string>();
  for (const { email, sub } of attempts) {
    const answer = await logIn(`x@${account.mailDomain}`, sub);
    expect([email, ...codeOf(answer)]).toEqual([email, ...refused]);
    expect(cookiesOf(answer).get('__Host-disca')).toBeUndefined();
    bodies.add(answer.text);
  }
  expect(bodies.size).toBe(1);
  expect(await usersOf(account.id)).toEqual(before);
});

test('SSO-11 proves an identity again at the provider, also with a session there', async () => {
  const { email, sub } = newUser();
  const client = platform.client();
  const atProvider = new Map<string, string>();
  const headers = sessionHeaders(sessionOf(await logInWithSso(client, email, sub, { atProvider })));
  const change = () => client.patch('/users', { email: `new-${email}` }, { headers });
  const outdate = () =>
    platform.database.query(
      "update access_tokens set proved_at = proved_at - interval '11 minutes' where is_sso and user_id = (select id from users where email = $1)",
      [email],
    );
  await outdate();
  expect(codeOf(await change())).toEqual([403, 'PROOF_REQUIRED']);
  const start = () => client.post('/console/sso/proof', undefined, { headers });
  const started = await start();
  const { searchParams } = new URL(started.body.url);
  expect([searchParams.get('prompt'), searchParams.get('max_age')]).toEqual(['login', '0']);
  // The session at the provider is not enough: it asks for the user again, who is another one first.
  const other = newUser();
  sessionOf(await logIn(other.email, other.sub));
  expect(codeOf(await finishSso(client, started, other.sub, { headers }))).toEqual(refused);
  const withoutSession = await start();
  expect(codeOf(await finishSso(client, withoutSession, sub))).toEqual(refused);
  expect(codeOf(await change())).toEqual([403, 'PROOF_REQUIRED']);
  const done = await finishSso(client, await start(), sub, { headers, atProvider });
  expect(done.body).toEqual({ purpose: 'proof', email });
  expect((await change()).status).toBe(200);
  const stranger = await account.addUser();
  const none = await stranger.client.post('/console/sso/proof');
  expect(codeOf(none)).toEqual([404, 'SSO_NOT_CONFIGURED']);
});

test('SSO-08 refuses a callback of another browser, a repeated one, a cancelled one and an expired one', async () => {
  const { email, sub } = newUser();
  const client = platform.client();
  const started = await client.post('/console/sso/start', { email });
  const query = await visitProvider(started.body.url, sub);
  const flow = cookiesOf(started).get('__Host-disca-sso') ?? '';
  const send = (cookie: string, given = query) =>
    client.post('/console/sso/callback', { query: given }, { headers: { cookie } });
  expect(codeOf(await send(''))).toEqual(refused);
  const foreign = await client.post('/console/sso/start', { email });
  expect(codeOf(await send(`__Host-disca-sso=${cookiesOf(foreign).get('__Host-disca-sso')}`))).toEqual(
    refused,
  );
  expect(codeOf(await send(`__Host-disca-sso=${flow}`, 'error=access_denied'))).toEqual(refused);
  expect((await send(`__Host-disca-sso=${flow}`)).status).toBe(200);
  expect(codeOf(await send(`__Host-disca-sso=${flow}`))).toEqual(refused);
  const cancelled = await client.post('/console/sso/start', { email });
  expect(codeOf(await finishSso(client, cancelled, 'unknown'))).toEqual(refused);
  const late = await client.post('/console/sso/start', { email });
  platform.clock.advance(601);
  expect(codeOf(await finishSso(client, late, sub))).toEqual(refused);
});

test('SSO-08 refuses ID tokens with a wrong signature or of another login', async () => {
  const { email, sub } = newUser();
  identity.provider.forge = (body) => {
    const [head, claims, signature = ''] = String(body.id_token).split('.');
    body.id_token = [head, claims, signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))].join('.');
  };
  expect(codeOf(await logIn(email, sub))).toEqual(refused);
  let former: unknown;
  identity.provider.forge = (body) => {
    former ??= body.id_token;
    body.id_token = former;
  };
  expect((await logIn(email, sub)).status).toBe(200);
  expect(codeOf(await logIn(email, sub))).toEqual(refused);
});

test('SSO-07 an SSO session needs no second factor, ends after 12 hours, and is listed', async () => {
  await account.admin.client.patch('/accounts', { secondFactorRequired: true });
  const email = `admin.sso@${account.mailDomain}`;
  await account.admin.client.post('/users', {
    name: 'A',
    email,
    password,
    phone: '5511912345678',
    role: 'ADMIN',
  });
  const session = sessionOf(await logIn(email, newUser({ email }).sub));
  const client = platform.client();
  const headers = sessionHeaders(session);
  expect((await client.get('/users', { headers })).status).toBe(200);
  const { body } = await client.get('/users/me/sessions', { headers });
  expect(body).toMatchObject([{ isCurrent: true, isSso: true }]);
  platform.clock.advance(11 * 3600);
  expect((await client.get('/users', { headers })).status).toBe(200);
  await platform.api.app.tokenUse.flush();
  platform.clock.advance(3601);
  expect((await client.get('/users', { headers })).status).toBe(401);
  await account.admin.client.patch('/accounts', { secondFactorRequired: false });
});

test('SIGNUP-25 an unconfirmed sign-up does not block the first login of its owner', async () => {
  const { email, sub } = addProviderUser(identity.provider, account.mailDomain);
  expect((await platform.client().post('/accounts/signup', signupBody({ email }))).status).toBe(201);
  sessionOf(await logIn(email, sub));
  expect((await usersOf(account.id)).map((user) => user.email)).toContain(email);
});
