import { afterAll, beforeEach, expect, test } from 'vitest';
import { addTotp, totpCode } from '../../../harness/factors.ts';
import { listOperations } from '../../../harness/operations.ts';
import { createAccount, type Person, password, type TestAccount } from '../../../harness/people.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;
let bare: Person;

beforeEach(async () => {
  platform ??= await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  account = await createAccount(platform);
  bare = await account.addUser('ADMIN');
});
afterAll(() => platform.close());

const require = async (isRequired: boolean): Promise<void> => {
  const { status, body } = await account.admin.client.patch('/accounts', {
    secondFactorRequired: isRequired,
  });
  expect([status, body.secondFactorRequired]).toEqual([200, isRequired]);
};

async function openConsole({ email }: Person) {
  const { status, headers } = await platform.client().post('/console/session', { email, password });
  expect(status).toBe(204);
  const cookie = String(headers['set-cookie']).split(';', 1)[0] ?? '';
  return { headers: { cookie, 'x-disca-console': '1' } };
}

test('FACTOR-10 shows which ADMINs have a factor, and when each last logged in through the API', async () => {
  await addTotp(platform, account.admin);
  await account.addUser();
  const { body } = await bare.client.get('/accounts/second-factor');
  expect(body.isRequired).toBe(false);
  expect(body.admins).toHaveLength(2);
  expect(body.admins).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ email: account.admin.email, hasFactor: true }),
      expect.objectContaining({ email: bare.email, hasFactor: false, lastApiLoginAt: expect.any(String) }),
    ]),
  );
  await require(true);
  expect((await bare.client.get('/accounts/second-factor')).body.isRequired).toBe(true);
});

test('FACTOR-11 an ADMIN without a factor logs in to the console only, to add one', async () => {
  await addTotp(platform, account.admin);
  const user = await account.addUser();
  const { body: created } = await bare.client.post('/users/accessTokens', { name: 'CRM' });
  await require(true);
  const refused = await platform.client().post('/users/login', { email: bare.email, password });
  expect([refused.status, refused.body.error.errorCode]).toEqual([403, 'SECOND_FACTOR_SETUP_REQUIRED']);
  expect((await platform.client().post('/users/login', { email: user.email, password })).status).toBe(200);
  expect((await platform.client(created.id).get('/accounts')).status).toBe(200);

  const session = await openConsole(bare);
  const client = platform.client();
  const context = await client.get('/users/me/context', session);
  expect([context.status, context.body.user.lacksFactor]).toEqual([200, true]);
  const { body: started } = await client.post('/users/me/factors/totp/start', undefined, session);
  const code = totpCode(started.secret, platform.clock.now());
  const added = { name: 'Phone', setUp: started.setUp, code };
  expect((await client.post('/users/me/factors/totp', added, session)).status).toBe(200);
  expect((await client.get('/accounts', session)).status).toBe(200);
  expect((await client.get('/users/me/context', session)).body.user.lacksFactor).toBe(false);
});

test('FACTOR-11 every other route refuses the console session of an ADMIN without a factor', async () => {
  await require(true);
  const session = await openConsole(bare);
  const served: string[] = [];
  for (const { name, method, path, access } of listOperations(platform.document)) {
    if (access === 'PUBLIC') continue;
    const url = path.replaceAll(/[{}]/g, '');
    const options = { ...session, query: { planted: '1' } };
    const answer = await platform.client().request(method, url, options);
    if (answer.body?.error?.errorCode !== 'SECOND_FACTOR_SETUP_REQUIRED') served.push(name);
  }
  expect(served.sort()).toEqual([
    'DELETE /users/me/factors/{id}',
    'GET /users/me/context',
    'GET /users/me/factors',
    'POST /console/sso/proof',
    'POST /users/logout',
    'POST /users/me/factors/passkey',
    'POST /users/me/factors/passkey/start',
    'POST /users/me/factors/recovery-codes',
    'POST /users/me/factors/totp',
    'POST /users/me/factors/totp/start',
    'POST /users/me/proof',
  ]);
});

test('FACTOR-11 the last factor of an ADMIN cannot be removed while it is required', async () => {
  await addTotp(platform, bare);
  await require(true);
  const { body } = await bare.client.get('/users/me/factors');
  const path = `/users/me/factors/${body.factors[0].id}`;
  const kept = await bare.client.delete(path);
  expect([kept.status, kept.body.error.errorCode]).toEqual([409, 'LAST_FACTOR']);
  expect((await bare.client.get('/users/me/factors')).body).toMatchObject({
    isRequired: true,
    recoveryCodesLeft: 10,
    factors: [{ kind: 'totp' }],
  });
  await require(false);
  expect((await bare.client.delete(path)).status).toBe(204);
});
