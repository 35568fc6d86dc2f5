import type { Page } from 'playwright-core';
import { createAccount } from '../../server/test/harness/people.ts';
import type { DemoAccount } from './harness/demo-account.ts';
import { closeCharges, openCharge } from './harness/demo-charges.ts';
import { addChargedMonth } from './harness/demo-costs.ts';
import { accessScreens, openAs } from './screens-access.ts';
import { contactScreens } from './screens-contacts.ts';
import { integrationScreens, requestScreens } from './screens-integrations.ts';
import { extensionScreens, peopleScreens, teamScreens } from './screens-people.ts';

/** A screen for the tests that apply to all screens, and for `./dev screenshots`. */
export interface Screen {
  name: string;
  as: 'ADMIN' | 'USER' | 'logged-out';
  path: string | ((demo: DemoAccount) => string);
  /** Logs in to another account, so that no other screen can use the same session. */
  changesSession?: true;
  /** Brings the screen into the state to check, in either language; by default waits for the heading. */
  prepare?(page: Page, demo: DemoAccount): Promise<void>;
}

export const screens: Screen[] = [
  { name: 'login', as: 'logged-out', path: '/login' },
  {
    name: 'login-refused',
    as: 'logged-out',
    path: '/login',
    async prepare(page) {
      await page.locator('[name=email]').fill('unknown@example.com');
      await page.locator('[name=password]').fill('wrong password');
      await page.locator('[type=submit]').click();
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'login-confirmed', as: 'logged-out', path: '/login?confirmation=confirmed' },
  {
    name: 'sign-up',
    as: 'logged-out',
    path: '/signup',
    prepare: (page) => page.locator('option').first().waitFor({ state: 'attached' }),
  },
  {
    name: 'sign-up-faults',
    as: 'logged-out',
    path: '/signup',
    async prepare(page) {
      await page.locator('[type=submit]:enabled').click();
      await page.locator('[aria-invalid=true]').first().waitFor();
    },
  },
  { name: 'forgotten-password', as: 'logged-out', path: '/forgotten-password' },
  { name: 'reset-password', as: 'logged-out', path: '/reset-password?token=x' },
  ...accessScreens,
  { name: 'not-found', as: 'logged-out', path: '/nowhere' },
  { name: 'home', as: 'ADMIN', path: '/' },
  { name: 'home-user', as: 'USER', path: '/' },
  {
    name: 'home-month',
    as: 'ADMIN',
    path: '/?period=month',
    async prepare(page) {
      await page.locator('summary').first().waitFor();
      for (const table of await page.locator('summary').all()) await table.click();
    },
  },
  {
    name: 'calls',
    as: 'ADMIN',
    path: '/calls?period=7d&duration=least~60&call_type=outbound',
    prepare: (page) => page.locator('tbody tr').first().waitFor(),
  },
  {
    name: 'calls-views',
    as: 'ADMIN',
    path: '/calls?period=7d&outcome=busy',
    async prepare(page) {
      await page.locator('tbody tr').first().waitFor();
      await page.locator('fieldset label span').first().waitFor();
      for (const name of ['Ocupadas da semana', 'Retornos da equipe de vendas de sábado']) {
        await page.getByRole('button', { name: /^(Salvar visão|Save view)$/ }).click();
        await page.getByRole('dialog').locator('[name=name]').fill(name);
        await page.keyboard.press('Enter');
        await page.getByRole('button', { name, exact: true }).waitFor();
        await page.locator('fieldset label').first().click();
      }
      await page.getByRole('button', { name: 'Ocupadas da semana', exact: true }).click();
      await page.locator('tbody tr').first().waitFor();
    },
  },
  {
    name: 'calls-empty',
    as: 'ADMIN',
    path: '/settings',
    changesSession: true,
    async prepare(page, { platform }) {
      const { admin } = await createAccount(platform);
      const locale = await page.evaluate(() => document.documentElement.lang);
      await admin.client.patch('/users', { locale });
      await openAs(page, admin, '/calls');
      await page.getByRole('link', { name: /^(Configurar um telefone|Set up a phone)$/ }).waitFor();
    },
  },
  {
    name: 'calls-nothing',
    as: 'USER',
    path: '/calls?phone=5511900000000',
    prepare: (page) =>
      page
        .locator('main')
        .getByText(/filtros\.|filters\./)
        .waitFor(),
  },
  {
    name: 'calls-filter',
    as: 'ADMIN',
    path: '/calls?period=today',
    async prepare(page) {
      await page.locator('tbody tr').first().waitFor();
      await page.getByRole('button', { name: /^(Filtrar|Filter)$/ }).click();
      await page.getByRole('dialog').getByRole('combobox').first().selectOption('hangup_cause');
      await page.getByRole('checkbox').first().waitFor();
    },
  },
  {
    name: 'calls-open',
    as: 'ADMIN',
    path: ({ callId }) => `/calls?period=today&call=${callId}`,
    prepare: (page) => page.locator('main ol li').first().waitFor(),
  },
  {
    name: 'call',
    as: 'ADMIN',
    path: ({ callId }) => `/calls/${callId}`,
    async prepare(page) {
      await page.getByRole('button', { name: /Ouvir|Play/ }).click();
      await page.getByRole('slider').waitFor();
      await page.getByRole('button', { name: /Pausar|Pause/ }).click();
      await page.locator('details').last().locator('summary').click();
    },
  },
  {
    name: 'call-note',
    as: 'ADMIN',
    path: ({ callId }) => `/calls/${callId}`,
    async prepare(page) {
      await page.getByRole('button', { name: /^(Editar anotações|Edit notes)$/ }).click();
      await page.getByRole('form').getByRole('combobox').waitFor();
    },
  },
  {
    name: 'settings-dispositions',
    as: 'ADMIN',
    path: '/settings',
    async prepare(page) {
      await page.getByRole('button', { name: /^(Editar lista|Edit list)$/ }).click();
      await page.locator('[name=names]').waitFor();
    },
  },
  {
    name: 'call-live',
    as: 'USER',
    path: ({ runningId }) => `/calls/${runningId}`,
    async prepare(page) {
      await page.getByRole('button', { name: /^(Desligar|Hang up)$/ }).click();
    },
  },
  {
    name: 'call-unknown',
    as: 'ADMIN',
    path: '/calls/019a8f00-0000-7000-8000-000000000000',
    prepare: (page) => page.getByRole('alert').waitFor(),
  },
  ...contactScreens,
  ...extensionScreens,
  ...teamScreens,
  ...peopleScreens,
  ...integrationScreens,
  ...requestScreens,
  { name: 'credit', as: 'ADMIN', path: '/credit' },
  {
    name: 'credit-faults',
    as: 'ADMIN',
    path: '/credit',
    async prepare(page, { account }) {
      await closeCharges(account);
      await page.reload();
      await page.locator('[name=amount]').fill('1');
      await page.locator('form:has([name=amount]) [type=submit]').click();
      await page.locator('[name=cpfCnpj]').fill('123');
      await page.locator('form:has([name=cpfCnpj]) [type=submit]').click();
      await page.locator('[name=to]').fill('11 98765-4321');
      await page.locator('form:has([name=to]) [type=submit]').click();
      await page.locator('[name=amount][aria-invalid=true]').waitFor();
      await page.locator('[name=cpfCnpj][aria-invalid=true]').waitFor();
      await page.getByText('55119').first().waitFor();
    },
  },
  {
    name: 'credit-pix',
    as: 'ADMIN',
    path: '/credit',
    async prepare(page, { platform, account }) {
      await openCharge(platform, account, 'PIX');
      await page.reload();
      await page.locator('img[width]').waitFor();
    },
  },
  {
    name: 'credit-slip',
    as: 'ADMIN',
    path: '/credit',
    async prepare(page, { platform, account }) {
      await openCharge(platform, account, 'BOLETO');
      await page.reload();
      await page.locator('main code').waitFor();
      await page.getByRole('button', { name: /^(Cancelar cobrança|Cancel charge)$/ }).click();
    },
  },
  {
    name: 'credit-nothing',
    as: 'ADMIN',
    path: ({ chargeId }) => `/credit?type=chargeback&charge=${chargeId}`,
    prepare: (page) =>
      page
        .locator('main')
        .getByText(/filtros\.|filters\./)
        .waitFor(),
  },
  {
    name: 'credit-extensions',
    as: 'ADMIN',
    path: '/credit?part=extensions',
    async prepare(page, demo) {
      const month = await addChargedMonth(demo);
      await page.goto(`/credit?part=extensions&month=${month}`);
      await page.locator('tfoot').waitFor();
    },
  },
  { name: 'credit-user', as: 'USER', path: '/credit' },
  { name: 'settings', as: 'ADMIN', path: '/settings' },
  { name: 'settings-user', as: 'USER', path: '/settings' },
  {
    name: 'palette',
    as: 'ADMIN',
    path: '/settings',
    async prepare(page) {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('option').first().waitFor();
    },
  },
  {
    name: 'person-menu',
    as: 'ADMIN',
    path: '/settings',
    async prepare(page) {
      await page.getByRole('banner').getByRole('button').last().click();
      await page.getByRole('menu').waitFor();
    },
  },
  ...(['ADMIN', 'USER'] as const).map(
    (as): Screen => ({
      name: `phone-off-${as.toLowerCase()}`,
      as,
      path: '/settings',
      async prepare(page) {
        const phone = page.getByRole('complementary', { name: /^(Telefone|Phone)$/ });
        await phone.getByRole('button').click();
        await phone.getByRole('heading').waitFor();
      },
    }),
  ),
];
