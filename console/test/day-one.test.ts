import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { giveCredit } from '../../server/test/harness/fixtures/billing.ts';
import { extensionBody } from '../../server/test/harness/fixtures/extensions.ts';
import { linkTo } from '../../server/test/harness/mailbox.ts';
import { createAccount, password } from '../../server/test/harness/people.ts';
import { startConsole, type TestConsole } from './harness/console.ts';

const termsUrl = 'https://disca.example/terms';
let testConsole: TestConsole;

beforeAll(async () => {
  testConsole = await startConsole({ TERMS_URL: termsUrl });
});
afterAll(() => testConsole?.close());

const steps = (page: Page) => page.getByRole('region', { name: 'Primeiros passos' });
const openSteps = (page: Page) =>
  steps(page)
    .locator('[data-done=false]')
    .evaluateAll((all) => all.map((each) => each.getAttribute('data-step')));

test('USER-31 USER-33 the first steps know what is done and do the rest with one click each', async () => {
  const { admin, id } = await createAccount(testConsole.platform);
  const { page, faults, requests, settled, close } = await testConsole.viewAs(admin, '/');
  await steps(page).waitFor();
  await settled();
  expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(6);
  expect(await openSteps(page)).toEqual(['credit', 'extension', 'phone', 'call', 'webhook', 'live']);
  const call = steps(page).getByRole('button', { name: 'Ligar agora' });
  expect(await call.isDisabled()).toBe(true);
  expect(await call.getAttribute('aria-describedby')).not.toBeNull();
  await steps(page).getByText('Ative primeiro um telefone.').waitFor();
  await steps(page).getByRole('button', { name: 'Adicionar saldo de teste' }).click();
  await expect.poll(() => openSteps(page)).not.toContain('credit');
  await steps(page).getByRole('button', { name: 'Pedir modo de produção' }).click();
  await expect.poll(() => openSteps(page)).not.toContain('live');
  await admin.client.post('/extensions', extensionBody({ email_address: admin.email }));
  await admin.client.patch('/integrations', {
    gateway: 'crm',
    webhook: true,
    metadata: { webhookUrl: 'https://hooks.example.com/', webhookTypes: ['channel-answer'] },
  });
  await page.reload();
  await expect.poll(() => openSteps(page)).toEqual(['phone', 'call']);
  await expect.poll(() => call.isEnabled()).toBe(true);
  expect(await steps(page).getByText('Ative primeiro um telefone.').count()).toBe(0);
  await steps(page).getByRole('button', { name: 'Ocultar' }).click();
  await page.reload();
  await page.getByText('Ao vivo').waitFor();
  expect(await steps(page).count()).toBe(0);
  await giveCredit(testConsole.platform, id, -10);
  await page.goto('/credit');
  await page.getByText('Seu saldo acabou').waitFor();
  expect(await page.getByText('Seu saldo está baixo').count()).toBe(0);
  expect(faults).toEqual([]);
  await close();
});

test('a person is invited with an extension in one form, which is theirs on acceptance', async () => {
  const { admin } = await createAccount(testConsole.platform);
  const { page, faults, close } = await testConsole.viewAs(admin, '/people');
  await page.getByRole('button', { name: 'Convidar pessoa' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Nome', { exact: true }).fill('Bia Lima');
  await dialog.getByLabel('E-mail', { exact: true }).fill('bia-day-one@empresa.test');
  await dialog.getByRole('button', { name: 'Enviar convite' }).click();
  await dialog.getByText('O ramal 1000 foi criado para esta pessoa.').waitFor();
  const { pathname, search } = await linkTo(testConsole.platform, 'bia-day-one@empresa.test', 'invitation');
  const theirs = await testConsole.view();
  await theirs.page.goto(`${pathname}${search}`);
  await theirs.page.getByLabel('Senha', { exact: true }).fill(password);
  await theirs.page.getByRole('button', { name: 'Aceitar e entrar' }).click();
  await theirs.page.locator('[data-step=extension][data-done=true]').waitFor();
  const [extension] = (await admin.client.list('/extensions', { include: 'user' })).body;
  expect(extension).toMatchObject({ first_name: 'Bia', last_name: 'Lima', user: { name: 'Bia Lima' } });
  expect([...faults, ...theirs.faults]).toEqual([]);
  await theirs.close();
  await close();
});

test('the set-up of an own extension starts with this browser', async () => {
  const { admin } = await createAccount(testConsole.platform);
  const { ramal } = (await admin.client.post('/extensions', extensionBody({ email_address: admin.email })))
    .body;
  const other = (await admin.client.post('/extensions', extensionBody({ email_address: 'x@empresa.test' })))
    .body;
  const { page, close } = await testConsole.viewAs(admin, `/extensions?ramal=${ramal}`);
  const dialog = page.getByRole('dialog').filter({ hasText: 'Configurar um telefone' });
  await page.getByRole('button', { name: 'Configurar telefone' }).click();
  await dialog.getByRole('button', { name: 'Usar este navegador como telefone' }).waitFor();
  await dialog.getByLabel('Aplicativo').selectOption('linphone');
  await dialog.getByText('Instale o Linphone').waitFor();
  await page.goto(`/extensions?ramal=${other.ramal}`);
  await page.getByRole('button', { name: 'Configurar telefone' }).click();
  await dialog.getByText('não precisa instalar nada').waitFor();
  await close();
});

test('sign-up sorts the CRMs, links the terms, and focuses the first invalid field', async () => {
  const { page, close } = await testConsole.view();
  await page.goto('/signup');
  const submit = page.getByRole('button', { name: 'Criar conta' });
  expect(await page.getByRole('link', { name: 'termos de uso' }).getAttribute('href')).toBe(termsUrl);
  const crms = await page.getByLabel('Seu CRM').locator('option').allTextContents();
  expect(crms[0]).toBe('Outros');
  expect(crms.slice(1)).toEqual(crms.slice(1).toSorted((one, other) => one.localeCompare(other)));
  await page.getByLabel('Seu nome').fill('Ana Souza');
  await submit.click();
  await page.locator('[aria-invalid=true]').first().waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name'));
  await expect.poll(focused).toBe('organization_name');
  await page.goto('/login');
  await page.locator('[name=email]').fill('unknown@empresa.test');
  await page.locator('[name=password]').fill('a wrong password');
  await page.locator('[type=submit]').click();
  await page.getByRole('alert').waitFor();
  const role = () => page.evaluate(() => document.activeElement?.getAttribute('role'));
  await expect.poll(role).toBe('alert');
  await page.getByRole('button', { name: 'English' }).click();
  await page.goto('/signup');
  const other = page.getByLabel('Your CRM').locator('option').first();
  await expect.poll(() => other.textContent()).toBe('Other');
  expect(await other.getAttribute('value')).toBe('Outros');
  await close();
});
