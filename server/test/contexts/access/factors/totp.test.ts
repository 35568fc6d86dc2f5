import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer } from '../../../harness/client.ts';
import { addTotp, totpCode, totpCodeAfter } from '../../../harness/factors.ts';
import { createAccount, logIn, type Person, password, type TestAccount } from '../../../harness/people.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';
import { waitForRedis } from '../../../harness/wait-for-redis.ts';

const periodSeconds = 30;
let platform: Platform;
let account: TestAccount;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  account = await createAccount(platform);
  platform.clock.freeze();
  waitForRedis(platform);
});
afterAll(() => platform.close());

const codeOf = ({ status, body }: Answer): [number, string | undefined] => [status, body?.error?.errorCode];
const send = (email: string, more: object = {}, path = '/users/login') =>
  platform.client().post(path, { email, password, ...more });
const now = () => platform.clock.now();

async function addUserWithApp(): Promise<Person & { secret: string; recoveryCodes: string[] }> {
  const person = await account.addUser();
  const app = await addTotp(platform, person);
  // The code of the set-up is used.
  platform.clock.advance(periodSeconds);
  return { ...person, ...app };
}

test('FACTOR-01 asks a user who has a factor for a code, after the password', async () => {
  const { email } = await addUserWithApp();
  for (const path of ['/users/login', '/console/session']) {
    const asked = await send(email, {}, path);
    expect(codeOf(asked)).toEqual([401, 'SECOND_FACTOR_REQUIRED']);
    expect(asked.body.error.details).toMatchObject([{ path: 'otp', code: 'totp' }]);
    expect(asked.headers['set-cookie']).toBeUndefined();
    const wrong = await send(email, { password: 'not the password', otp: '000000' }, path);
    expect(codeOf(wrong)).toEqual([401, 'LOGIN_FAILED']);
  }
});

test('FACTOR-01 does not affect users without a factor, whatever they send in otp', async () => {
  const { email } = await account.addUser();
  const plain = await send(email);
  expect(plain.status).toBe(200);
  expect(Object.keys(plain.body).sort()).toEqual(['created', 'id', 'ttl', 'userId']);
  expect((await send(email, { otp: '123456' })).status).toBe(200);
});

test('FACTOR-02 logs in with the code of the app, with and without spaces, and refuses others', async () => {
  const { email, secret, uuid } = await addUserWithApp();
  const tokens = () =>
    platform.database.query(
      'select from access_tokens t join users u on u.id = t.user_id where u.uuid = $1',
      [uuid],
    );
  const before = (await tokens()).length;
  expect(codeOf(await send(email, { otp: totpCodeAfter(secret, 10, now()) }))).toEqual([
    401,
    'SECOND_FACTOR_FAILED',
  ]);
  expect((await tokens()).length).toBe(before);
  const code = totpCode(secret, now());
  const { status, body } = await send(email, { otp: `${code.slice(0, 3)} ${code.slice(3)}` });
  expect([status, body.userId]).toEqual([200, uuid]);
  platform.clock.advance(periodSeconds);
  expect((await send(email, { otp: totpCode(secret, now()) }, '/console/session')).status).toBe(204);
});

test('FACTOR-04 accepts a code once, and none that is older than the last one', async () => {
  const { email, secret } = await addUserWithApp();
  platform.clock.advance(3 * periodSeconds);
  const [late, current, early] = [-1, 0, 1].map((periods) => totpCodeAfter(secret, periods, now()));
  expect((await send(email, { otp: current })).status).toBe(200);
  for (const otp of [current, late])
    expect(codeOf(await send(email, { otp }))).toEqual([401, 'SECOND_FACTOR_FAILED']);
  // The clock of the device is fast by one period.
  expect((await send(email, { otp: early })).status).toBe(200);
});

test('FACTOR-04 accepts one of two simultaneous logins with the same code', async () => {
  const { email, secret } = await addUserWithApp();
  const otp = totpCode(secret, now());
  const answers = await Promise.all([send(email, { otp }), send(email, { otp })]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
});

test('FACTOR-04 refuses codes that are two periods away', async () => {
  const { email, secret } = await addUserWithApp();
  platform.clock.advance(5 * periodSeconds);
  for (const periods of [-2, 2])
    expect((await send(email, { otp: totpCodeAfter(secret, periods, now()) })).status).toBe(401);
});

test('FACTOR-05 holds off after 5 wrong codes from any address, and not without codes', async () => {
  const { client, email, secret } = await addUserWithApp();
  const guess = (otp?: string) => client.post('/users/login', { email, password, ...(otp ? { otp } : {}) });
  for (let time = 0; time < 10; time += 1) expect((await guess()).status).toBe(401);
  for (let time = 0; time < 5; time += 1) expect((await guess('000000')).status).toBe(401);
  const held = await guess(totpCode(secret, now()));
  expect([...codeOf(held), held.headers['retry-after']]).toEqual([429, 'RATE_LIMITED', '1']);
  platform.clock.advance(2 * periodSeconds);
  expect((await guess(totpCode(secret, now()))).status).toBe(200);
  platform.clock.advance(periodSeconds);
  expect((await guess('000000')).status).toBe(401);
});

test('FACTOR-03 adds nothing with a wrong code, or with the set-up of another user or an old one', async () => {
  const [ana, eva] = [await account.addUser(), await account.addUser()];
  const { body } = await ana.client.post('/users/me/factors/totp/start');
  expect(body.uri).toMatch(/^otpauth:\/\/totp\/Disca:/);
  const add = ({ client }: Person, code: string) =>
    client.post('/users/me/factors/totp', { name: 'Phone', setUp: body.setUp, code });
  const wrong = await add(ana, totpCodeAfter(body.secret, 5, now()));
  expect([wrong.status, wrong.body.error.details[0].code]).toEqual([422, 'wrong_code']);
  expect((await add(eva, totpCode(body.secret, now()))).status).toBe(404);
  platform.clock.advance(901);
  await ana.client.post('/users/me/proof', { password });
  expect((await add(ana, totpCode(body.secret, now()))).status).toBe(404);
  for (const { client, email } of [ana, eva]) {
    expect((await client.get('/users/me/factors')).body.factors).toEqual([]);
    expect((await send(email)).status).toBe(200);
  }
});

test('FACTOR-03 FACTOR-06 stores neither secrets nor recovery codes readably', async () => {
  const { secret, recoveryCodes } = await addUserWithApp();
  const dump = JSON.stringify([
    await platform.database.query('select * from second_factors'),
    await platform.database.query('select * from recovery_codes'),
    await platform.database.query('select * from audit_entries'),
  ]);
  for (const text of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))])
    expect(dump).not.toContain(text);
});

test('FACTOR-08 lists the factors of the caller, and removes them with the recovery codes', async () => {
  const { client, email } = await addUserWithApp();
  const { body } = await client.get('/users/me/factors');
  expect(body).toMatchObject({
    factors: [{ kind: 'totp', name: 'Phone', lastUsedAt: null }],
    recoveryCodesLeft: 10,
    isRequired: false,
    lastApiLoginAt: expect.any(String),
  });
  const path = `/users/me/factors/${body.factors[0].id}`;
  expect((await (await account.addUser()).client.delete(path)).status).toBe(404);
  expect((await client.delete(path)).status).toBe(204);
  expect((await client.delete(path)).status).toBe(404);
  expect((await client.get('/users/me/factors')).body).toMatchObject({ factors: [], recoveryCodesLeft: 0 });
  expect((await send(email)).status).toBe(200);
});

test('FACTOR-08 refuses the 11th factor', async () => {
  const person = await account.addUser();
  for (let count = 0; count < 10; count += 1) await addTotp(platform, person);
  await expect(addTotp(platform, person)).rejects.toThrow('FACTOR_LIMIT');
});

test('FACTOR-09 FACTOR-12 changes of factors need a proof of the last 10 minutes by the same token', async () => {
  const person = await addUserWithApp();
  const { client, email, secret } = person;
  const start = (by = client) => by.post('/users/me/factors/totp/start');
  expect((await start()).status).toBe(200);
  platform.clock.advance(601);
  const other = platform.client((await send(email, { otp: totpCode(secret, now()) })).body.id);
  expect(codeOf(await start())).toEqual([403, 'PROOF_REQUIRED']);
  expect((await start(other)).status).toBe(200);
  const { body } = await client.get('/users/me/factors');
  expect((await client.delete(`/users/me/factors/${body.factors[0].id}`)).status).toBe(403);
  expect((await client.post('/users/me/factors/recovery-codes')).status).toBe(403);
  const prove = (proof: object) => client.post('/users/me/proof', proof);
  expect((await prove({ password: 'not the password' })).body.error.details).toMatchObject([
    { path: 'password', code: 'wrong_password' },
  ]);
  expect(codeOf(await prove({ password }))).toEqual([401, 'SECOND_FACTOR_REQUIRED']);
  expect(codeOf(await start())).toEqual([403, 'PROOF_REQUIRED']);
  platform.clock.advance(periodSeconds);
  expect((await prove({ password, otp: totpCode(secret, now()) })).status).toBe(204);
  expect((await start()).status).toBe(200);
  const created = await client.post('/users/accessTokens', { name: 'CRM' });
  expect(codeOf(await start(platform.client(created.body.id)))).toEqual([403, 'PROOF_REQUIRED']);
});

test('FACTOR-12 holds off wrong passwords of a proof', async () => {
  const { client } = await account.addUser();
  const prove = (given: string) => client.post('/users/me/proof', { password: given });
  for (let time = 0; time < 5; time += 1) expect((await prove('a guess')).status).toBe(422);
  expect((await prove(password)).status).toBe(429);
});

test('FACTOR-14 records and mails every change, and a reset of the password keeps the factors', async () => {
  const sink = await platform.mail();
  const person = await addUserWithApp();
  const { client, email } = person;
  await sink.waitFor(
    ({ to, subject }) => to.includes(email) && subject === 'Um segundo fator foi adicionado',
  );
  const { body } = await client.get('/users/me/factors');
  await addTotp(platform, person, 'Tablet');
  await client.delete(`/users/me/factors/${body.factors[0].id}`);
  await sink.waitFor(({ to, subject }) => to.includes(email) && subject === 'Um segundo fator foi removido');
  const audit = await account.admin.client.list('/audit', { where: { actorEmail: email } }, { page: '1' });
  const actions = audit.body.data.map(({ action }: { action: string }) => action);
  expect(actions).toEqual(expect.arrayContaining(['factor.add', 'factor.remove']));
  const changed = { oldPassword: password, newPassword: 'another good phrase' };
  expect((await client.post('/users/change-password', changed)).status).toBe(204);
  const login = await platform.client().post('/users/login', { email, password: changed.newPassword });
  expect(codeOf(login)).toEqual([401, 'SECOND_FACTOR_REQUIRED']);
  await expect(logIn(platform, email)).rejects.toThrow('LOGIN_FAILED');
});
