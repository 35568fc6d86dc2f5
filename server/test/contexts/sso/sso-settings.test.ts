import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../../tools/dev/ports.ts';
import { checkDomain } from '../../../src/contexts/sso/check-domain.ts';
import type { Caller } from '../../../src/platform/caller.ts';
import type { Answer, Client } from '../../harness/client.ts';
import {
  addProviderUser,
  cookiesOf,
  createSsoAccount,
  finishSso,
  type Identity,
  logInWithSso,
  nextDomain,
  proveDomain,
  sessionHeaders,
  ssoSettings,
  startIdentity,
} from '../../harness/identity/sso-account.ts';
import { createAccount, password } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let identity: Identity;

beforeAll(async () => {
  identity = await startIdentity('http://console.disca.test');
  platform = await startPlatform(
    { ...identity.settings, RATE_LIMIT_SCALE: '1' },
    { identity: identity.override },
  );
});
afterAll(async () => {
  await platform?.close();
  await identity?.close();
});

const codeOf = ({ status, body }: Answer): [number, string | undefined] => [status, body?.error?.errorCode];
const put = (client: Client, body: object, headers = {}) =>
  client.request('PUT', '/accounts/sso', { body, headers });
const wanted = (changes: object = {}) => ssoSettings(identity.provider, changes);
const passwordLogin = (email: string, given = password) =>
  platform.client().post('/users/login', { email, password: given });

/** Returns how many proofs of domains are in the audit log. */
async function proofsOf(client: Client): Promise<number> {
  const { body } = await client.list('/audit', { where: { action: 'sso.prove-domain' } }, { page: '1' });
  return body.data.length;
}

test('SSO-01 an ADMIN sets and reads single sign-on, whose secret is never returned; a USER cannot', async () => {
  const account = await createAccount(platform);
  const { client } = account.admin;
  const before = await client.get('/accounts/sso');
  expect(before.body).toMatchObject({ isConfigured: false, issuer: null, domains: [] });
  expect((await put(client, { ...wanted(), clientSecret: undefined })).body.error.details).toMatchObject([
    { path: 'clientSecret', code: 'required' },
  ]);
  const saved = await put(client, wanted({ domains: [nextDomain()] }));
  expect(saved.body).toMatchObject({
    isConfigured: true,
    issuer: identity.provider.issuer,
    clientId: 'disca',
    redirectUrl: 'http://console.disca.test/sso/callback',
  });
  const kept = await put(client, { ...wanted(), clientSecret: undefined });
  expect(kept.status).toBe(200);
  const audit = await client.get('/audit', { query: { page: '1' } });
  for (const { text } of [saved, kept, await client.get('/accounts/sso'), audit])
    expect(text).not.toContain(identity.provider.clientSecret);
  expect(audit.body.data.map((entry: { action: string }) => entry.action)).toContain('sso.configure');
  const person = await account.addUser();
  expect(codeOf(await person.client.get('/accounts/sso'))).toEqual([403, 'ACCESS_DENIED']);
  expect(codeOf(await put(person.client, wanted()))).toEqual([403, 'ACCESS_DENIED']);
  const opened = await platform.client().post('/console/session', { email: account.admin.email, password });
  const headers = sessionHeaders(cookiesOf(opened).get('__Host-disca') ?? '');
  await platform.database.query(
    "update access_tokens set proved_at = now() - interval '1 hour' where is_console_session",
  );
  expect(codeOf(await put(platform.client(), wanted(), headers))).toEqual([403, 'PROOF_REQUIRED']);
});

test('SSO-02 refuses addresses that are not public, and providers that do not respond as they should', async () => {
  const { admin, mailDomain } = await createSsoAccount(platform, identity);
  for (const issuer of [
    'http://login.example.com',
    'https://10.0.0.1',
    'https://[::1]',
    'https://a:b@login.example.com',
  ])
    expect((await put(admin.client, wanted({ issuer }))).body.error.details).toMatchObject([
      { path: 'issuer' },
    ]);
  for (const issuer of [
    'https://missing.sso.test',
    `https://127.0.0.1:${await freePort()}`,
    `${identity.provider.issuer}/other`,
  ]) {
    const saved = await put(admin.client, wanted({ issuer, domains: [mailDomain] }));
    expect(saved.status).toBe(200);
    await proveDomain(admin.client, identity, saved);
    const started = await platform.client().post('/console/sso/start', { email: `x@${mailDomain}` });
    expect([issuer, ...codeOf(started)]).toEqual([issuer, 503, 'SSO_PROVIDER_UNAVAILABLE']);
    expect(started.body.error.details).toBeUndefined();
    const tested = await admin.client.post('/console/sso/test');
    expect(tested.body.error.details).toMatchObject([{ path: 'provider', code: 'sso_failed' }]);
  }
});

test('SSO-03 SSO-04 a domain is proved by its record, for the account whose record is in DNS', async () => {
  const [first, second] = [await createAccount(platform), await createAccount(platform)];
  const domain = nextDomain();
  const recordOf = async ({ admin }: typeof first): Promise<string> => {
    const { body } = await put(admin.client, wanted({ domains: [domain] }));
    return `${body.domains[0].recordName}. TXT "${body.domains[0].recordValue}"`;
  };
  const check = ({ admin }: typeof first) => admin.client.post('/accounts/sso/check-domain', { domain });
  const [a, b] = [await recordOf(first), await recordOf(second)];
  expect(a).not.toBe(b);
  expect((await check(first)).body).toMatchObject({ provedAt: null, found: [] });
  await identity.dns.serve([`_disca.${domain}. TXT "something else"`]);
  expect((await check(first)).body).toMatchObject({ provedAt: null, found: ['something else'] });
  await identity.dns.serve([a, b]);
  expect((await check(first)).body.provedAt).toEqual(expect.any(String));
  expect(codeOf(await check(second))).toEqual([409, 'SSO_DOMAIN_TAKEN']);
  await identity.dns.serve([b]);
  expect((await check(second)).body.provedAt).toEqual(expect.any(String));
  const lost = await first.admin.client.get('/accounts/sso');
  expect(lost.body.domains).toMatchObject([{ domain, provedAt: null }]);
  expect((await first.admin.client.post('/accounts/sso/check-domain', { domain: 'other.test' })).status).toBe(
    404,
  );
});

test('SSO-09 SSO-10 requires single sign-on of everyone except one ADMIN, who stays', async () => {
  const account = await createSsoAccount(platform, identity);
  const { admin, mailDomain } = account;
  const person = await account.addUser();
  const second = await account.addUser('ADMIN');
  const { body: me } = await admin.client.get('/users/me');
  const all = { domains: [mailDomain], isRequired: true };
  expect((await put(admin.client, wanted(all))).body.error.details).toMatchObject([{ path: 'exemptAdmin' }]);
  const unproved = { ...all, domains: [nextDomain()], exemptAdmin: admin.uuid };
  expect(codeOf(await put(admin.client, wanted(unproved)))).toEqual([409, 'SSO_DOMAIN_UNPROVED']);
  const opened = await platform.client().post('/console/session', { email: person.email, password });
  const session = sessionHeaders(cookiesOf(opened).get('__Host-disca') ?? '');
  const token = (await person.client.post('/users/accessTokens', {})).body.id;
  expect((await put(admin.client, wanted({ ...all, exemptAdmin: admin.uuid }))).status).toBe(200);
  expect((await platform.client().get('/users/me', { headers: session })).status).toBe(401);
  expect((await platform.client(token).get('/users/me')).status).toBe(200);
  for (const path of ['/users/login', '/console/session'])
    expect(codeOf(await platform.client().post(path, { email: person.email, password }))).toEqual([
      403,
      'SSO_REQUIRED',
    ]);
  expect(codeOf(await passwordLogin(person.email, 'a wrong password'))).toEqual([401, 'LOGIN_FAILED']);
  expect(codeOf(await person.client.post('/users/me/proof', { password }))).toEqual([403, 'SSO_REQUIRED']);
  expect((await passwordLogin(admin.email)).status).toBe(200);
  expect(me.email).toBe(admin.email);
  expect(codeOf(await second.client.patch('/users', { uuid: admin.uuid, role: 'USER' }))).toEqual([
    409,
    'SSO_EXEMPT_ADMIN',
  ]);
  expect(codeOf(await second.client.delete(`/users/${admin.uuid}`))).toEqual([409, 'SSO_EXEMPT_ADMIN']);
  expect((await put(admin.client, wanted({ domains: [mailDomain] }))).status).toBe(200);
  expect((await passwordLogin(person.email)).status).toBe(200);
  const other = await createAccount(platform);
  expect((await passwordLogin(other.admin.email)).status).toBe(200);
});

test('SSO-13 another client, and removal, end the sessions and links of the former provider', async () => {
  const { admin, mailDomain } = await createSsoAccount(platform, identity);
  const { email, sub } = addProviderUser(identity.provider, mailDomain);
  const open = async () =>
    sessionHeaders(cookiesOf(await logInWithSso(platform.client(), email, sub)).get('__Host-disca') ?? '');
  const isOpen = async (headers: Record<string, string>) =>
    (await platform.client().get('/users/me', { headers })).status === 200;
  const first = await open();
  expect(await isOpen(first)).toBe(true);
  await put(admin.client, wanted({ clientId: 'another', domains: [mailDomain] }));
  expect(await isOpen(first)).toBe(false);
  await put(admin.client, wanted({ domains: [mailDomain] }));
  const second = await open();
  expect((await admin.client.delete('/accounts/sso')).status).toBe(204);
  expect(await isOpen(second)).toBe(false);
  expect((await admin.client.get('/accounts/sso')).body).toMatchObject({ isConfigured: false, domains: [] });
  expect((await admin.client.delete('/accounts/sso')).status).toBe(404);
  const audit = await admin.client.get('/audit', { query: { page: '1' } });
  expect(audit.body.data.map((entry: { action: string }) => entry.action)).toContain('sso.remove');
});

test('SSO-15 another issuer vouches for no domain until a new record proves it', async () => {
  const { admin, mailDomain } = await createSsoAccount(platform, identity);
  const [proved] = (await admin.client.get('/accounts/sso')).body.domains;
  const issuer = `${identity.provider.issuer}/other`;
  const start = () => platform.client().post('/console/sso/start', { email: `x@${mailDomain}` });
  const renamed = await put(admin.client, wanted({ clientId: 'another', domains: [mailDomain] }));
  expect(renamed.body.domains).toEqual([proved]);
  const moved = await put(admin.client, wanted({ issuer, domains: [mailDomain] }));
  expect(moved.body.domains).toMatchObject([{ domain: mailDomain, provedAt: null }]);
  expect(moved.body.domains[0].recordValue).not.toBe(proved.recordValue);
  expect(codeOf(await start())).toEqual([404, 'SSO_NOT_CONFIGURED']);
  // The record of the former issuer is still in DNS.
  const checked = await admin.client.post('/accounts/sso/check-domain', { domain: mailDomain });
  expect([checked.status, checked.body.provedAt]).toEqual([200, null]);
  await proveDomain(admin.client, identity, moved);
  expect(codeOf(await start())).toEqual([503, 'SSO_PROVIDER_UNAVAILABLE']);
  const required = { domains: [mailDomain], isRequired: true, exemptAdmin: admin.uuid };
  expect((await put(admin.client, wanted({ ...required, issuer }))).status).toBe(200);
  expect(codeOf(await put(admin.client, wanted(required)))).toEqual([409, 'SSO_DOMAIN_UNPROVED']);
  expect((await admin.client.get('/accounts/sso')).body).toMatchObject({ issuer, isRequired: true });
});

test('bug: SSO-15 a record that was in DNS before the issuer changed proves nothing for the new one', async () => {
  const { id, admin, mailDomain } = await createSsoAccount(platform, identity);
  const [proved] = (await admin.client.get('/accounts/sso')).body.domains;
  const [user] = await platform.database.query<{ id: number }>(
    'select id::int from users where account_id = $1',
    [id],
  );
  const caller = { accountId: id, userId: Number(user?.id), role: 'ADMIN' } as Caller;
  const issuer = `${identity.provider.issuer}/other`;
  const findTxtRecords = async () => {
    await put(admin.client, wanted({ issuer, domains: [mailDomain] }));
    return [proved.recordValue];
  };
  const checked = await checkDomain({ ...platform.api.app, findTxtRecords }, caller, mailDomain);
  expect(checked).toMatchObject({ provedAt: null, found: [proved.recordValue] });
  expect((await admin.client.get('/accounts/sso')).body.domains).toMatchObject([{ provedAt: null }]);
  const started = await platform.client().post('/console/sso/start', { email: `x@${mailDomain}` });
  expect(codeOf(started)).toEqual([404, 'SSO_NOT_CONFIGURED']);
  expect(await proofsOf(admin.client)).toBe(1);
});

test('SSO-03 a check of a domain that is proved changes nothing and is not in the audit log', async () => {
  const { admin, mailDomain } = await createSsoAccount(platform, identity);
  const [proved] = (await admin.client.get('/accounts/sso')).body.domains;
  for (const _ of [1, 2]) {
    const checked = await admin.client.post('/accounts/sso/check-domain', { domain: mailDomain });
    expect(checked.body).toMatchObject({ ...proved, found: [proved.recordValue] });
  }
  expect(await proofsOf(admin.client)).toBe(1);
});

test('SSO-14 a test login returns the address or the reason, and creates nothing', async () => {
  const account = await createSsoAccount(platform, identity);
  const { client } = account.admin;
  const good = addProviderUser(identity.provider, account.mailDomain);
  const before = (await client.get('/users')).text;
  const done = await finishSso(platform.client(), await client.post('/console/sso/test'), good.sub);
  expect(done.body).toEqual({ purpose: 'test', email: good.email });
  expect(cookiesOf(done).get('__Host-disca')).toBeUndefined();
  const bad = addProviderUser(identity.provider, account.mailDomain, { email_verified: false });
  const failed = await finishSso(platform.client(), await client.post('/console/sso/test'), bad.sub);
  expect(failed.body.error).toMatchObject({ errorCode: 'SSO_REFUSED' });
  expect(failed.body.error.details[0].message).toContain('email_verified');
  expect((await client.get('/users')).text).toBe(before);
});

test('SSO-12 limits starts and callbacks to 20 per minute and address', async () => {
  const client = platform.client();
  const answers: Answer[] = [];
  for (let count = 0; count < 10; count += 1) {
    answers.push(await client.post('/console/sso/start', { email: 'x@nowhere.test' }));
    answers.push(await client.post('/console/sso/callback', { query: 'code=x' }));
  }
  expect(answers.some(({ status }) => status === 429)).toBe(false);
  expect(codeOf(await client.post('/console/sso/start', { email: 'x@nowhere.test' }))).toEqual([
    429,
    'RATE_LIMITED',
  ]);
  expect(codeOf(await client.post('/console/sso/callback', { query: 'code=x' }))).toEqual([
    429,
    'RATE_LIMITED',
  ]);
});
