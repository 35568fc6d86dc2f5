import type { Page } from 'playwright-core';
import { addTotp } from '../../server/test/harness/factors.ts';
import { linkTo } from '../../server/test/harness/mailbox.ts';
import { type Person, password } from '../../server/test/harness/people.ts';
import type { DemoAccount } from './harness/demo-account.ts';
import type { Screen } from './screens.ts';

const addTotpButton = /^(Adicionar aplicativo autenticador|Add authenticator app)$/;

/** Enters the password of a new user with an app, in the language of the page. */
async function enterWithApp(page: Page, { platform, account }: DemoAccount): Promise<void> {
  const person = await account.addUser();
  await person.client.patch('/users', { locale: await page.evaluate(() => document.documentElement.lang) });
  await addTotp(platform, person, 'iPhone');
  await page.locator('[name=email]').fill(person.email);
  await page.locator('[name=password]').fill(password);
  await page.locator('[type=submit]').click();
  await page.locator('[name=otp]').waitFor();
}

/** Adds a user with the language of the page. */
async function addPerson(page: Page, role: 'ADMIN' | 'USER', demo: DemoAccount): Promise<Person> {
  const person = await demo.account.addUser(role);
  await person.client.patch('/users', { locale: await page.evaluate(() => document.documentElement.lang) });
  return person;
}

/** Opens a page as a user. */
export async function openAs(page: Page, person: Person, path: string): Promise<void> {
  await page.evaluate(
    (body) =>
      fetch('/api/v1/console/session', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Disca-Console': '1' },
        body,
      }),
    JSON.stringify({ email: person.email, password }),
  );
  await page.goto(path);
}

/** Opens a page as a new user. */
async function enterAs(page: Page, role: 'ADMIN' | 'USER', demo: DemoAccount, path: string): Promise<Person> {
  const person = await addPerson(page, role, demo);
  await openAs(page, person, path);
  return person;
}

/** Screens of logins, second factors and sessions. */
export const accessScreens: Screen[] = [
  {
    name: 'login-second-factor',
    as: 'logged-out',
    path: '/login',
    prepare: enterWithApp,
  },
  {
    name: 'invitation',
    as: 'logged-out',
    path: '/login',
    async prepare(page, { account, platform }) {
      const email = `zelia-${Date.now()}@example.com`;
      await account.admin.client.post('/users/invitations', { email, name: 'Zélia Prado', role: 'USER' });
      const { pathname, search } = await linkTo(platform, email, 'invitation');
      await page.goto(`${pathname}${search}`);
      await page.locator('[name=password]').waitFor();
    },
  },
  {
    name: 'invitation-dead',
    as: 'logged-out',
    path: '/invitation?token=x',
    prepare: (page) => page.getByRole('alert').waitFor(),
  },
  {
    name: 'login-passkey',
    as: 'logged-out',
    path: '/login',
    async prepare(page) {
      const details = [
        { path: 'otp', code: 'totp', message: '' },
        { path: 'passkey', code: 'passkey', message: '' },
      ];
      const error = { statusCode: 401, errorCode: 'SECOND_FACTOR_REQUIRED', message: '', details };
      await page.route('**/api/v1/console/session', (route) =>
        route.fulfill({ status: 401, json: { error } }),
      );
      await page.locator('[name=email]').fill('ana@example.com');
      await page.locator('[name=password]').fill(password);
      await page.locator('[type=submit]').click();
      await page.getByRole('button', { name: /chave de acesso|passkey/i }).waitFor();
    },
  },
  {
    name: 'login-sso',
    as: 'logged-out',
    path: '/login',
    async prepare(page) {
      await page.getByRole('button', { name: /SSO|single sign-on/i }).click();
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
  },
  {
    name: 'sso-refused',
    as: 'logged-out',
    path: '/sso/callback?state=x',
    prepare: (page) => page.getByRole('alert').waitFor(),
  },
  {
    name: 'settings-sso',
    as: 'ADMIN',
    path: '/settings',
    async prepare(page) {
      await page.getByRole('button', { name: /^(Configurar login único|Set up single sign-on)$/ }).click();
      await page.locator('[name=issuer]').waitFor();
    },
  },
  {
    name: 'audit',
    as: 'ADMIN',
    path: '/audit',
    prepare: (page) => page.locator('main li').nth(3).waitFor(),
  },
  {
    name: 'audit-nothing',
    as: 'ADMIN',
    path: '/audit?by=unknown&about=sso&days=7',
    prepare: (page) =>
      page
        .locator('main')
        .getByText(/filtros\.|filters\./)
        .waitFor(),
  },
  { name: 'undo-email', as: 'logged-out', path: '/undo-email?token=x' },
  {
    name: 'undo-email-dead',
    as: 'logged-out',
    path: '/undo-email?token=x',
    async prepare(page) {
      await page.locator('[type=submit]').click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'settings-factors',
    as: 'USER',
    path: '/settings',
    changesSession: true,
    async prepare(page, demo) {
      await page.getByRole('heading', { level: 1 }).waitFor();
      const person = await enterAs(page, 'USER', demo, '/settings');
      await addTotp(demo.platform, person, 'iPhone');
      await page.reload();
      await page.getByText('iPhone').waitFor();
      await page.getByRole('button', { name: /^(Mostrar sessões|Show sessions)$/ }).click();
      await page.getByText(/^(Esta sessão|This session)$/).waitFor();
    },
  },
  {
    name: 'settings-add-app',
    as: 'USER',
    path: '/settings',
    async prepare(page) {
      await page.getByRole('button', { name: addTotpButton }).click();
      await page.getByRole('dialog').getByRole('img', { name: /QR/ }).waitFor();
    },
  },
  {
    name: 'settings-add-passkey',
    as: 'USER',
    path: '/settings',
    async prepare(page) {
      await page.getByRole('button', { name: /^(Adicionar chave de acesso|Add passkey)$/ }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'settings-recovery-codes',
    as: 'USER',
    path: '/settings',
    changesSession: true,
    async prepare(page, demo) {
      await page.getByRole('heading', { level: 1 }).waitFor();
      const person = await enterAs(page, 'USER', demo, '/settings');
      await addTotp(demo.platform, person, 'iPhone');
      await page.reload();
      await page.getByRole('button', { name: /^(Novos códigos de recuperação|New recovery codes)$/ }).click();
      await page.getByRole('dialog').locator('li').first().waitFor();
    },
  },
  {
    name: 'proof',
    as: 'USER',
    path: '/settings',
    changesSession: true,
    async prepare(page, demo) {
      await page.getByRole('heading', { level: 1 }).waitFor();
      const person = await enterAs(page, 'USER', demo, '/settings');
      await addTotp(demo.platform, person, 'iPhone');
      await demo.platform.database.query(
        `update access_tokens set proved_at = proved_at - interval '1 hour'
          where is_console_session and user_id = (select id from users where uuid = $1)`,
        [person.uuid],
      );
      await page.getByRole('button', { name: addTotpButton }).click();
      const dialog = page.getByRole('dialog', { name: /^(Confirme que é você|Confirm that it is you)$/ });
      await dialog.locator('[type=password]').fill(password);
      await dialog.locator('[type=submit]').click();
      await dialog.locator('[name=otp]').waitFor();
    },
  },
  {
    name: 'factor-set-up',
    as: 'ADMIN',
    path: '/settings',
    changesSession: true,
    async prepare(page, demo) {
      await page.getByRole('heading', { level: 1 }).waitFor();
      const required = (isRequired: boolean) =>
        demo.platform.database.query('update accounts set second_factor_required = $1 where id = $2', [
          isRequired,
          demo.account.id,
        ]);
      const person = await addPerson(page, 'ADMIN', demo);
      await required(true);
      try {
        await openAs(page, person, '/settings');
        await page.getByRole('button', { name: addTotpButton }).waitFor();
      } finally {
        await required(false);
      }
    },
  },
];
