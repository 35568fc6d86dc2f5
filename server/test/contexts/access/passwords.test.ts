import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPasswords } from '../../../src/contexts/access/passwords.ts';
import { linkTo, mailsTo, tokenFrom } from '../../harness/mailbox.ts';
import {
  createAccount,
  logIn,
  type Person,
  password,
  signupBody,
  type TestAccount,
} from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

const newPassword = 'another staple entirely';
let platform: Platform;
let account: TestAccount;
let ana: Person;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  account = await createAccount(platform);
});
beforeEach(async () => {
  ana = await account.addUser();
  await platform.database.query('update users set email_verified = true where uuid = $1', [ana.uuid]);
});
afterAll(() => platform.close());

const isTokenValid = async (token: string): Promise<boolean> =>
  (await platform.client(token).get('/users/me')).status === 200;
const canLogIn = async (email: string, given: string): Promise<boolean> =>
  (await platform.client().post('/users/login', { email, password: given })).status === 200;
const requestResetToken = async (email: string): Promise<string> => {
  expect((await platform.client().post('/users/reset', { email })).status).toBe(204);
  return tokenFrom(await linkTo(platform, email, 'reset-password'));
};
const reset = (token: string, given = newPassword) =>
  platform.client().post('/users/reset-password', { token, password: given });
const expectInvalidReset = async (token: string) => {
  const { status, body } = await reset(token);
  expect([status, body.error.details[0]]).toMatchObject([422, { path: 'token', code: 'invalid_token' }]);
};

describe('logging out', () => {
  test('AUTH-11 returns 204 and revokes only the token it was sent with', async () => {
    const phone = await logIn(platform, ana.email);
    const answer = await ana.client.post('/users/logout');
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await isTokenValid(ana.token)).toBe(false);
    for (const token of [phone.token, account.admin.token]) expect(await isTokenValid(token)).toBe(true);
    expect((await ana.client.post('/users/logout')).body.error.errorCode).toBe('INVALID_TOKEN');
  });
});

describe('resetting a password', () => {
  test('AUTH-12 mails a link over SMTP, whose token sets a new password', async () => {
    const sink = await platform.mail();
    const asked = await platform.client().post('/users/reset', { email: ana.email.toUpperCase() });
    expect([asked.status, asked.text]).toEqual([204, '']);
    const mail = await sink.waitFor(({ to, subject }) => to.includes(ana.email) && /senha/.test(subject));
    const link =
      mail.links.find((each) => each.startsWith('http://console.disca.test/reset-password?')) ?? '';
    const answer = await reset(tokenFrom(link));
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await canLogIn(ana.email, newPassword)).toBe(true);
    expect(await canLogIn(ana.email, password)).toBe(false);
    await sink.waitFor(({ to, subject }) => to.includes(ana.email) && subject === 'Sua senha foi alterada');
  });

  test('AUTH-12 returns identical bytes for an unknown e-mail and sends no mail', async () => {
    const email = 'unknown@empresa.test';
    const unknown = await platform.client().post('/users/reset', { email });
    const known = await platform.client().post('/users/reset', { email: ana.email });
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
    expect(await mailsTo(platform, email)).toEqual([]);
  });

  test('AUTH-12 applies the password rules, and a rejected password leaves the link valid', async () => {
    const token = await requestResetToken(ana.email);
    expect((await reset(token, 'seven77')).status).toBe(422);
    expect(await canLogIn(ana.email, password)).toBe(true);
    expect((await reset(token)).status).toBe(204);
  });

  test('AUTH-12 works once per link, and invalidates the user’s other links', async () => {
    const [first, second] = [await requestResetToken(ana.email), await requestResetToken(ana.email)];
    expect((await reset(second)).status).toBe(204);
    await expectInvalidReset(second);
    await expectInvalidReset(first);
    expect((await reset(await requestResetToken(ana.email), password)).status).toBe(204);
  });

  test('AUTH-12 works once when a link is used concurrently', async () => {
    const token = await requestResetToken(ana.email);
    const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => reset(token, `new password ${i}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(7).fill(422)]);
    const winner = answers.findIndex(({ status }) => status === 204);
    expect(await canLogIn(ana.email, `new password ${winner}`)).toBe(true);
  });

  test('AUTH-12 the link expires one hour after the request', async () => {
    const token = await requestResetToken(ana.email);
    platform.clock.advance(3601);
    await expectInvalidReset(token);
    expect(await canLogIn(ana.email, password)).toBe(true);
  });

  test('AUTH-12 rejects an altered token and one issued for another purpose', async () => {
    const token = await requestResetToken(ana.email);
    const confirmation = tokenFrom(await linkTo(platform, ana.email, 'confirm-new-address'));
    const [key, body, signature] = token.split('.');
    const forged = Buffer.from(JSON.stringify({ user: account.admin.uuid, exp: 9e15 })).toString('base64url');
    for (const bad of [
      confirmation,
      `${key}.${forged}.${signature}`,
      `${key}.${body}.`,
      `k9.${body}.${signature}`,
      ana.token,
    ])
      await expectInvalidReset(bad);
  });

  test('USER-21 is for verified e-mails of active accounts only', async () => {
    const created = await account.addUser();
    const pending = String(signupBody().email);
    await platform.client().post('/accounts/signup', signupBody({ email: pending }));
    for (const email of [created.email, pending]) {
      expect((await platform.client().post('/users/reset', { email })).status).toBe(204);
      const mails = await mailsTo(platform, email);
      expect(mails.filter(({ template }) => template === 'reset-password')).toEqual([]);
    }
  });

  test('AUTH-13 revokes every token of the user and of no other', async () => {
    const phone = await logIn(platform, ana.email);
    await reset(await requestResetToken(ana.email));
    for (const token of [ana.token, phone.token]) expect(await isTokenValid(token)).toBe(false);
    expect(await isTokenValid(account.admin.token)).toBe(true);
  });
});

test('USER-23 a reset refuses a common password; its link remains valid', async () => {
  const token = await requestResetToken(ana.email);
  const { status, body } = await reset(token, 'senha123');
  expect([status, body.error.details]).toMatchObject([422, [{ path: 'password', code: 'common_password' }]]);
  expect((await reset(token)).status).toBe(204);
});

describe('changing a password', () => {
  const change = (oldPassword: string, given = newPassword) =>
    ana.client.post('/users/change-password', { oldPassword, newPassword: given });

  test('USER-18 returns 204 with the right old password, and only the new one logs in', async () => {
    const answer = await change(password);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await canLogIn(ana.email, newPassword)).toBe(true);
    expect(await canLogIn(ana.email, password)).toBe(false);
  });

  test('USER-18 rejects a wrong old password and changes nothing', async () => {
    const { status, body } = await change('not the password');
    expect([status, body.error.details[0].path]).toEqual([422, 'oldPassword']);
    expect(await canLogIn(ana.email, password)).toBe(true);
    expect(await canLogIn(ana.email, newPassword)).toBe(false);
  });

  test('USER-18 accepts a new password of 8 characters and rejects 7', async () => {
    expect((await change(password, 'seven77')).body.error.details[0].path).toBe('newPassword');
    expect((await change(password, 'eight-88')).status).toBe(204);
  });

  test.for(['12345678', 'PassWord1', '87654321', '12341234', 'abcdefgh'])(
    'USER-23 refuses the common password %s, and the old one stays',
    async (common) => {
      const { status, body } = await change(password, common);
      expect([status, body.error.errorCode]).toEqual([422, 'VALIDATION_ERROR']);
      expect(body.error.details).toEqual([
        {
          path: 'newPassword',
          code: 'common_password',
          message: '`newPassword` is a common password that is easy to guess. Choose another one.',
        },
      ]);
      expect([await canLogIn(ana.email, password), await canLogIn(ana.email, common)]).toEqual([true, false]);
    },
  );

  test('USER-23 a common password from before the rule logs in and can be changed', async () => {
    const old = '12345678';
    const passwordHash = await createPasswords({ memoryCost: 64, timeCost: 1, parallelism: 1 }).hash(old);
    await platform.database.query('update users set password_hash = $1 where uuid = $2', [
      passwordHash,
      ana.uuid,
    ]);
    expect(await canLogIn(ana.email, old)).toBe(true);
    expect((await change(old)).status).toBe(204);
  });

  test('AUTH-13 revokes the user’s other tokens, but neither the current one nor other users’', async () => {
    const phone = await logIn(platform, ana.email);
    await change('not the password');
    expect(await isTokenValid(phone.token)).toBe(true);
    await change(password);
    expect(await isTokenValid(phone.token)).toBe(false);
    for (const token of [ana.token, account.admin.token]) expect(await isTokenValid(token)).toBe(true);
  });

  test('AUTH-13 invalidates a reset link mailed earlier', async () => {
    const token = await requestResetToken(ana.email);
    await change(password);
    await expectInvalidReset(token);
  });

  test('notifies the user by mail', async () => {
    await change(password);
    expect((await mailsTo(platform, ana.email)).map(({ template }) => template)).toContain(
      'password-changed',
    );
  });
});

describe('changing a role', () => {
  const setRole = (role: string) => account.admin.client.patch('/users', { uuid: ana.uuid, role });

  test('AUTH-13 promotion and demotion revoke the tokens of that user only', async () => {
    expect((await setRole('ADMIN')).status).toBe(200);
    expect(await isTokenValid(ana.token)).toBe(false);
    const again = await logIn(platform, ana.email);
    expect((await setRole('USER')).status).toBe(200);
    expect(await isTokenValid(again.token)).toBe(false);
    expect(await isTokenValid(account.admin.token)).toBe(true);
  });

  test('AUTH-13 revokes nothing when the role does not change', async () => {
    expect((await setRole('USER')).status).toBe(200);
    expect(await isTokenValid(ana.token)).toBe(true);
  });

  test('AUTH-13 an ADMIN who steps down keeps the current token and loses the others', async () => {
    const boss = await account.addUser('ADMIN');
    const phone = await logIn(platform, boss.email);
    expect((await boss.client.patch('/users', { role: 'USER' })).status).toBe(200);
    expect((await boss.client.get('/users/me')).body.role).toBe('USER');
    expect(await isTokenValid(phone.token)).toBe(false);
  });
});
