import { afterAll, beforeAll, expect, test } from 'vitest';
import { addTotp } from '../../../harness/factors.ts';
import { runOperator } from '../../../harness/operator-cli.ts';
import { createAccount, type Person, password, type TestAccount } from '../../../harness/people.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  account = await createAccount(platform);
});
afterAll(() => platform.close());

const send = (email: string, otp?: string) =>
  platform.client().post('/users/login', { email, password, ...(otp === undefined ? {} : { otp }) });

async function actionsOf({ uuid }: Person): Promise<string[]> {
  const { body } = await account.admin.client.list('/audit', { where: { targetId: uuid } }, { page: '1' });
  return body.data.map(({ action }: { action: string }) => action);
}

test('FACTOR-06 each recovery code works once in place of a code, in any spelling', async () => {
  const sink = await platform.mail();
  const person = await account.addUser();
  const { recoveryCodes } = await addTotp(platform, person);
  expect(recoveryCodes).toHaveLength(10);
  expect(new Set(recoveryCodes).size).toBe(10);
  const [first = '', second = ''] = recoveryCodes;
  expect(first).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
  expect((await send(person.email, first)).status).toBe(200);
  expect((await send(person.email, first)).body.error.errorCode).toBe('SECOND_FACTOR_FAILED');
  expect((await send(person.email, second.toLowerCase().replaceAll('-', ' '))).status).toBe(200);
  expect((await person.client.get('/users/me/factors')).body.recoveryCodesLeft).toBe(8);
  await sink.waitFor(
    ({ to, subject }) => to.includes(person.email) && subject === 'Um código de recuperação foi usado',
  );
  expect(await actionsOf(person)).toContain('recovery-code.use');
});

test('FACTOR-06 does not accept the recovery code of another user', async () => {
  const [ana, eva] = [await account.addUser(), await account.addUser()];
  const { recoveryCodes } = await addTotp(platform, ana);
  await addTotp(platform, eva);
  expect((await send(eva.email, recoveryCodes[0])).status).toBe(401);
  expect((await send(ana.email, recoveryCodes[0])).status).toBe(200);
});

test('FACTOR-06 accepts one of two simultaneous logins with the same recovery code', async () => {
  const person = await account.addUser();
  const { recoveryCodes } = await addTotp(platform, person);
  const answers = await Promise.all([
    send(person.email, recoveryCodes[0]),
    send(person.email, recoveryCodes[0]),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
});

test('FACTOR-06 new recovery codes replace the earlier ones, and need a factor', async () => {
  const person = await account.addUser();
  const replace = async () =>
    (await person.client.post('/users/me/factors/recovery-codes')).body.recoveryCodes;
  expect(await replace()).toEqual([]);
  const { recoveryCodes: earlier } = await addTotp(platform, person);
  const codes = await replace();
  expect(codes).toHaveLength(10);
  expect((await send(person.email, earlier[0])).status).toBe(401);
  expect((await send(person.email, codes[0])).status).toBe(200);
});

test('FACTOR-13 an ADMIN removes the factors of a user, whose logins end and created tokens stay', async () => {
  const sink = await platform.mail();
  const person = await account.addUser();
  const { recoveryCodes } = await addTotp(platform, person);
  const { body: created } = await person.client.post('/users/accessTokens', { name: 'CRM' });
  const colleague = await account.addUser();
  const path = `/users/${person.uuid}/factors`;
  expect((await colleague.client.delete(path)).status).toBe(403);
  expect((await account.admin.client.delete(path)).status).toBe(204);
  expect((await person.client.get('/users/me')).status).toBe(401);
  expect((await platform.client(created.id).get('/users/me')).status).toBe(200);
  expect((await send(person.email)).status).toBe(200);
  expect((await send(person.email, recoveryCodes[0])).status).toBe(200);
  expect(await actionsOf(person)).toContain('factor.reset');
  await sink.waitFor(
    ({ to, subject }) => to.includes(person.email) && subject === 'Seus segundos fatores foram removidos',
  );
});

test('FACTOR-13 the operator removes the factors of a user by e-mail', async () => {
  const person = await account.addUser();
  await addTotp(platform, person);
  const other = await createAccount(platform);
  const run = (domain: string) => runOperator(platform, ['account', 'reset-factors', domain, person.email]);
  expect((await run(other.domain)).code).not.toBe(0);
  expect((await send(person.email)).status).toBe(401);
  expect(await run(account.domain)).toMatchObject({ code: 0 });
  expect((await send(person.email)).status).toBe(200);
});
