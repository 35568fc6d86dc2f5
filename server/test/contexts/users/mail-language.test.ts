import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MailSink } from '../../../../simulator/mail-sink/index.ts';
import { createAccount, password, signupBody, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;
let sink: MailSink;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  account = await createAccount(platform);
  sink = await platform.mail();
});
afterAll(() => platform.close());

const subjects = {
  'pt-BR': {
    address: 'Confirme seu novo e-mail',
    moved: 'Seu e-mail foi alterado',
    reset: 'Redefina sua senha',
    password: 'Sua senha foi alterada',
  },
  en: {
    address: 'Confirm your new email',
    moved: 'Your email was changed',
    reset: 'Reset your password',
    password: 'Your password was changed',
  },
} as const;

const mailTo = (address: string, subject: string) =>
  sink.waitFor((mail) => mail.to.includes(address) && mail.subject === subject);

const create = async (email: string, locale?: string) => {
  const body = {
    name: 'Bia',
    email,
    password,
    phone: '5511912345678',
    role: 'USER',
    ...(locale ? { locale } : {}),
  };
  expect((await account.admin.client.post('/users', body)).status).toBe(200);
  const { body: login } = await platform.client().post('/users/login', { email, password });
  await account.admin.client.patch('/users', { uuid: login.userId, emailVerified: true });
  return platform.client(login.id);
};

describe('mail language', () => {
  test.each(['pt-BR', 'en'] as const)(
    'USER-20 is %s for a user with that locale, in every mail',
    async (locale) => {
      const [email, later] = [
        `${locale.toLowerCase()}@empresa.test`,
        `${locale.toLowerCase()}-later@empresa.test`,
      ];
      const client = await create(email, locale);
      await platform.client().post('/users/reset', { email });
      await client.post('/users/change-password', { oldPassword: password, newPassword: password });
      await client.patch('/users', { email: later });
      const mails = await Promise.all([
        mailTo(email, subjects[locale].address),
        mailTo(email, subjects[locale].reset),
        mailTo(email, subjects[locale].password),
        mailTo(email, subjects[locale].moved),
        mailTo(later, subjects[locale].address),
      ]);
      for (const { html } of mails) expect(html).toContain(`lang="${locale}"`);
      expect([sink.messages(email).length, sink.messages(later).length]).toEqual([4, 1]);
    },
  );

  test('USER-20 follows a change of locale', async () => {
    const email = 'polyglot@empresa.test';
    const client = await create(email, 'pt-BR');
    expect((await client.patch('/users', { locale: 'en' })).body.locale).toBe('en');
    await platform.client().post('/users/reset', { email });
    await mailTo(email, subjects.en.reset);
  });

  test('USER-20 defaults to that of the ADMIN who creates the user', async () => {
    await create('like-the-admin@empresa.test');
    await mailTo('like-the-admin@empresa.test', subjects['pt-BR'].address);
    await account.admin.client.patch('/users', { locale: 'en' });
    await create('like-the-admin-now@empresa.test');
    await mailTo('like-the-admin-now@empresa.test', subjects.en.address);
  });

  test.each(['pt', 'en-US', 'EN', 'fr', '', null])('USER-20 rejects the locale %j', async (locale) => {
    const { status, body } = await account.admin.client.patch('/users', { locale });
    expect([status, body.error.details[0].path]).toEqual([422, 'locale']);
  });

  test.each([
    ['en-GB,en;q=0.9', 'Confirm your email', 'en'],
    ['pt-BR', 'Confirme seu e-mail', 'pt-BR'],
    ['fr', 'Confirme seu e-mail', 'pt-BR'],
  ])(
    'USER-20 of a sign-up that prefers %s is used in its confirmation',
    async (preferred, subject, locale) => {
      const body = signupBody();
      await platform.client().post('/accounts/signup', body, { headers: { 'accept-language': preferred } });
      await mailTo(String(body.email), subject);
      const rows = await platform.database.query('select locale from users where email = $1', [body.email]);
      expect(rows).toEqual([{ locale }]);
    },
  );
});
