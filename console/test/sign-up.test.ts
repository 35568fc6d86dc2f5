import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkTo } from '../../server/test/harness/mailbox.ts';
import { createAccount, password, signupBody, type TestAccount } from '../../server/test/harness/people.ts';
import { startConsole, type TestConsole } from './harness/console.ts';

let testConsole: TestConsole;
let account: TestAccount;

beforeAll(async () => {
  testConsole = await startConsole();
  account = await createAccount(testConsole.platform);
});
afterAll(() => testConsole?.close());

async function logIn(page: Page, email: string, given = password): Promise<void> {
  await page.locator('[name=email]').fill(email);
  await page.locator('[name=password]').fill(given);
  await page.locator('[type=submit]').click();
}

test('SIGNUP-22 SIGNUP-33 a new company signs up, confirms by email, logs in and has proved its address', async () => {
  const { page, faults, close } = await testConsole.view({ language: 'en' });
  await page.goto('/login');
  await page.getByRole('link', { name: 'No account yet? Sign up' }).click();
  await page.getByLabel('Company name').fill('Padaria Central');
  await page.getByLabel('Account domain').fill('padaria-central');
  await page.getByLabel('Work email').fill('dona@padaria.test');
  await page.getByLabel('Phone with area code').fill('11 98765-4321');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Your CRM').selectOption('Pipedrive');
  await page.getByRole('button', { name: 'Create account' }).click();
  const name = page.getByLabel('Your name');
  await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
  await name.fill('Dona Padeira');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Confirm your email' }).waitFor();
  expect(await page.getByText('dona@padaria.test').count()).toBe(1);
  await page.getByRole('link', { name: 'Back to login' }).click();
  await logIn(page, 'dona@padaria.test');
  await page.getByText('Your email is not confirmed yet.').waitFor();
  await page.getByRole('button', { name: 'Resend link' }).click();
  await page.getByText('we have sent a new link').waitFor();
  await page.goto((await linkTo(testConsole.platform, 'dona@padaria.test', 'confirm-email')).href);
  await page.getByText('Email confirmed. You can log in now.').waitFor();
  await logIn(page, 'dona@padaria.test');
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  expect(await page.getByRole('banner').textContent()).toContain('Padaria Central');
  const [proved] = await testConsole.platform.database.query(
    `select address_proved from accounts where email = 'dona@padaria.test'`,
  );
  expect(proved).toEqual({ address_proved: true });
  expect(faults).toEqual([]);
  await close();
});

test('USER-23 sign-up errors are shown by field, in the language of the page', async () => {
  const { page, close } = await testConsole.view();
  await page.goto('/signup');
  const submit = page.getByRole('button', { name: 'Criar conta' });
  await page.locator('[name=email]').fill('not an address');
  await page.locator('[name=phone]').fill('12');
  await page.locator('[name=password]').fill('short');
  await submit.click();
  const faultText = (label: string) =>
    page.getByLabel(label, { exact: true }).evaluate((input) => {
      const ids = (input.getAttribute('aria-describedby') ?? '').split(' ');
      return ids.map((id) => document.getElementById(id)?.textContent).join(' ');
    });
  await page.locator('[aria-invalid=true]').first().waitFor();
  expect(await faultText('Seu nome')).toContain('Preencha este campo.');
  expect(await faultText('Nome da empresa')).toContain('Preencha este campo.');
  expect(await faultText('Domínio da conta')).toContain('Preencha este campo.');
  expect(await faultText('E-mail de trabalho')).toContain('Informe um e-mail válido');
  expect(await faultText('Telefone com DDD')).toContain('Informe um telefone válido');
  expect(await faultText('Senha')).toContain('pelo menos 8 caracteres');
  expect(await page.getByRole('button', { name: 'Mostrar ou ocultar senha' }).count()).toBe(1);
  const taken = signupBody();
  await page.getByLabel('Nome da empresa').fill('Outra');
  await page.getByLabel('Domínio da conta').fill(account.domain.replace('.disca.test', ''));
  await page.locator('[name=email]').fill(account.admin.email);
  await page.locator('[name=phone]').fill(String(taken.phone));
  await page.locator('[name=password]').fill('password1');
  await submit.click();
  await page.getByText('Este domínio já está em uso. Escolha outro.').waitFor();
  expect(await faultText('E-mail de trabalho')).toContain('Este e-mail já tem um usuário.');
  expect(await faultText('Senha')).toContain('Esta senha é fácil de adivinhar. Escolha outra.');
  await close();
});

test('a login error does not reveal whether the email exists, and can be corrected', async () => {
  const { page, close } = await testConsole.view();
  await page.goto('/login');
  await logIn(page, account.admin.email, 'wrong password');
  const alert = page.getByRole('alert');
  await alert.getByText('E-mail ou senha incorretos.').waitFor();
  expect(await alert.textContent()).toContain('LOGIN_FAILED');
  await page.locator('[name=password]').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Início' }).waitFor();
  await close();
});

test('a forgotten password is reset by an emailed link, once', async () => {
  const { email } = await account.addUser('USER');
  await testConsole.platform.database.query('update users set email_verified = true where email = $1', [
    email,
  ]);
  const { page, close } = await testConsole.view();
  await page.goto('/login');
  await page.getByRole('link', { name: 'Esqueci minha senha' }).click();
  // The login page also has a field for the e-mail.
  await page.getByRole('button', { name: 'Enviar link' }).waitFor();
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Enviar link' }).click();
  await page.getByText(`Se ${email} for de um usuário confirmado`).waitFor();
  const link = (await linkTo(testConsole.platform, email, 'reset-password')).href;
  await page.goto(link);
  await page.getByLabel('Nova senha').fill('a new sentence to remember');
  await page.getByRole('button', { name: 'Alterar senha' }).click();
  await page.getByText('Senha alterada. Entre com a nova senha.').waitFor();
  await logIn(page, email, 'a new sentence to remember');
  await page.getByRole('heading', { level: 1, name: 'Início' }).waitFor();
  await page.goto(link);
  await page.getByLabel('Nova senha').fill('another sentence');
  await page.getByRole('button', { name: 'Alterar senha' }).click();
  await page.getByText('Este link expirou ou já foi usado.').waitFor();
  await close();
});

test('the login page does not redirect to other sites', async () => {
  for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
    const { page, faults, close } = await testConsole.view();
    await page.goto(`/login?next=${encodeURIComponent(next)}`);
    await logIn(page, account.admin.email);
    await page.getByRole('heading', { level: 1, name: 'Início' }).waitFor();
    expect([page.url(), faults]).toEqual([`${testConsole.baseUrl}/`, []]);
    await close();
  }
});

test('an expired session leads to login and then back to the page', async () => {
  const user = await account.addUser('ADMIN');
  const { page, close } = await testConsole.viewAs(user, '/settings');
  await page.getByLabel('Nome da empresa').waitFor();
  await testConsole.platform.database.query('delete from access_tokens where name = $1', ['Console']);
  await page.getByRole('button', { name: 'Salvar' }).click();
  await page.getByText('Sua sessão expirou.').waitFor();
  await logIn(page, user.email);
  await page.getByRole('heading', { level: 1, name: 'Configurações' }).waitFor();
  await close();
});
