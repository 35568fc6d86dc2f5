import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addTotp, totpCode } from '../../server/test/harness/factors.ts';
import { createAccount, type Person, password, type TestAccount } from '../../server/test/harness/people.ts';
import { startConsole, type TestConsole } from './harness/console.ts';

const periodSeconds = 30;
let testConsole: TestConsole;
let account: TestAccount;

beforeAll(async () => {
  testConsole = await startConsole({}, {}, 'localhost');
  account = await createAccount(testConsole.platform);
});
afterAll(() => testConsole?.close());

const nextCode = (secret: string): string => {
  testConsole.platform.clock.advance(periodSeconds);
  return totpCode(secret, testConsole.platform.clock.now());
};

async function enterPassword(page: Page, { email }: Person): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Senha', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await page.getByRole('heading', { name: 'Confirme que é você' }).waitFor();
}

const panel = (page: Page) => page.getByRole('region', { name: 'Segundo fator', exact: true });

/** Adds an app on the page and returns its secret and the recovery codes that are shown. */
async function addApp(page: Page): Promise<{ secret: string; recoveryCodes: string[] }> {
  await panel(page).getByRole('button', { name: 'Adicionar aplicativo autenticador' }).click();
  const dialog = page.getByRole('dialog', { name: 'Adicionar aplicativo autenticador' });
  await dialog.getByRole('img', { name: 'Código QR para o aplicativo autenticador' }).waitFor();
  const secret = (await dialog.locator('code').textContent()) ?? '';
  await dialog.getByLabel('Código que o aplicativo mostra').fill('000000');
  await dialog.getByRole('button', { name: 'Adicionar' }).click();
  await dialog.getByText('Código incorreto.').waitFor();
  const code = totpCode(secret, testConsole.platform.clock.now());
  await dialog.getByLabel('Código que o aplicativo mostra').fill(code);
  await dialog.getByRole('button', { name: 'Adicionar' }).click();
  const codes = page.getByRole('dialog', { name: 'Guarde seus códigos de recuperação' });
  await codes.waitFor();
  const recoveryCodes = await codes.locator('li').allInnerTexts();
  await codes.getByRole('button', { name: 'Já guardei' }).click();
  return { secret, recoveryCodes };
}

test('FACTOR-02 FACTOR-03 FACTOR-06 a user adds an app and logs in with a code or a recovery code', async () => {
  const person = await account.addUser();
  const { page, faults, close } = await testConsole.viewAs(person, '/settings');
  await panel(page).getByText('Um programa entrou na API com a sua senha').waitFor();
  const { secret, recoveryCodes } = await addApp(page);
  expect(recoveryCodes).toHaveLength(10);
  await panel(page).getByText('Aplicativo autenticador', { exact: true }).waitFor();
  await panel(page).getByText('10 códigos de recuperação restantes').waitFor();
  await close();

  const second = await testConsole.view();
  await enterPassword(second.page, person);
  const otp = second.page.getByLabel('Código do aplicativo ou de recuperação');
  await otp.fill('000000');
  await second.page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await second.page.getByText('O código está incorreto ou já foi usado.').waitFor();
  await otp.fill(nextCode(secret));
  await second.page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await second.page.getByRole('heading', { level: 1 }).waitFor();
  await second.page.waitForURL((url) => url.pathname !== '/login');
  await second.close();

  const third = await testConsole.view();
  await enterPassword(third.page, person);
  await third.page.getByLabel('Código do aplicativo ou de recuperação').fill(recoveryCodes[0] ?? '');
  await third.page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await third.page.waitForURL((url) => url.pathname !== '/login');
  await third.page.goto('/settings');
  await panel(third.page).getByText('9 códigos de recuperação restantes').waitFor();
  expect([...faults, ...third.faults]).toEqual([]);
  await third.close();
});

test('FACTOR-07 a user adds a passkey and logs in with it', async () => {
  const person = await account.addUser();
  const { page, context, faults, close } = await testConsole.viewAs(person, '/settings');
  const devices = await context.newCDPSession(page);
  await devices.send('WebAuthn.enable');
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await panel(page).getByRole('button', { name: 'Adicionar chave de acesso' }).click();
  const dialog = page.getByRole('dialog', { name: 'Adicionar chave de acesso' });
  await dialog.getByRole('button', { name: 'Adicionar' }).click();
  await page.getByRole('dialog', { name: 'Guarde seus códigos de recuperação' }).waitFor();
  await page.getByRole('button', { name: 'Já guardei' }).click();
  await panel(page).getByText('Este aparelho').waitFor();
  // The device belongs to the page, so the same page logs in again.
  await page.getByRole('button', { name: /^Você/ }).click();
  await page.getByRole('menuitem', { name: 'Sair' }).click();
  await page.waitForURL('**/login');
  await enterPassword(page, person);
  await page.getByRole('button', { name: 'Usar chave de acesso' }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
  expect(faults).toEqual([]);
  await close();
});

test('FACTOR-06 FACTOR-08 a user who lost the device enters with a recovery code and replaces it', async () => {
  const person = await account.addUser();
  const { recoveryCodes } = await addTotp(testConsole.platform, person, 'Aparelho perdido');
  const { page, faults, close } = await testConsole.view();
  await enterPassword(page, person);
  await page.getByLabel('Código do aplicativo ou de recuperação').fill(recoveryCodes[3] ?? '');
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
  await page.goto('/settings');
  await panel(page).getByRole('button', { name: 'Adicionar aplicativo autenticador' }).click();
  const dialog = page.getByRole('dialog', { name: 'Adicionar aplicativo autenticador' });
  const secret = (await dialog.locator('code').textContent()) ?? '';
  await dialog.getByLabel('Código que o aplicativo mostra').fill(nextCode(secret));
  await dialog.getByRole('button', { name: 'Adicionar' }).click();
  await dialog.waitFor({ state: 'detached' });
  await panel(page).getByRole('button', { name: 'Remover Aparelho perdido' }).click();
  await page.getByRole('button', { name: 'Remover', exact: true }).click();
  await panel(page).getByRole('button', { name: 'Remover Aparelho perdido' }).waitFor({ state: 'detached' });
  const { body } = await person.client.get('/users/me/factors');
  expect(body).toMatchObject({ factors: [{ name: 'Aplicativo autenticador' }], recoveryCodesLeft: 9 });
  expect(faults).toEqual([]);
  await close();
});

test('FACTOR-10 FACTOR-11 an ADMIN sees whose logins stop; one without a factor must add one first', async () => {
  const bare = await account.addUser('ADMIN');
  const settings = await testConsole.viewAs(bare, '/settings');
  const required = settings.page.getByRole('region', { name: 'Segundo fator dos administradores' });
  await required.getByRole('switch', { name: 'Exigir um segundo fator dos administradores' }).click();
  const warning = settings.page.getByRole('dialog', { name: 'Exigir um segundo fator?' });
  await warning.getByText('esses acessos vão parar').first().waitFor();
  await warning.getByRole('button', { name: 'Exigir' }).click();
  await settings.page.getByRole('heading', { name: 'Adicione um segundo fator' }).waitFor();
  await addApp(settings.page);
  await settings.page.getByRole('heading', { name: 'Configurações' }).waitFor();
  expect(settings.faults).toEqual([]);
  await settings.close();
  const { status } = await bare.client.patch('/accounts', { secondFactorRequired: false });
  expect(status).toBe(200);
});

test('FACTOR-12 FACTOR-15 a stale session asks for password and code, then continues', async () => {
  const person = await account.addUser();
  const { page, faults, close } = await testConsole.viewAs(person, '/settings');
  const { secret } = await addApp(page);
  testConsole.platform.clock.advance(601);
  await panel(page).getByRole('button', { name: 'Remover Aplicativo autenticador' }).click();
  await page.getByRole('button', { name: 'Remover', exact: true }).click();
  const proof = page.getByRole('dialog', { name: 'Confirme que é você' });
  await proof.getByLabel('Sua senha').fill('not the password');
  await proof.getByRole('button', { name: 'Confirmar' }).click();
  await proof.getByText('A senha atual está incorreta.').waitFor();
  await proof.getByLabel('Sua senha').fill(password);
  await proof.getByRole('button', { name: 'Confirmar' }).click();
  await proof.getByLabel('Código do aplicativo ou de recuperação').fill(nextCode(secret));
  await proof.getByRole('button', { name: 'Confirmar' }).click();
  await panel(page).getByText('Aplicativo autenticador', { exact: true }).waitFor({ state: 'detached' });
  expect((await person.client.get('/users/me/factors')).body.factors).toEqual([]);
  expect(faults).toEqual([]);
  await close();
});

test('FACTOR-13 an ADMIN removes the second factors of a person', async () => {
  const person = await account.addUser();
  await addTotp(testConsole.platform, person);
  const { page, faults, close } = await testConsole.viewAs(account.admin, `/people?person=${person.uuid}`);
  await page.getByRole('button', { name: 'Remover segundos fatores' }).click();
  const dialog = page.getByRole('dialog', { name: /^Remover os segundos fatores/ });
  await dialog.getByRole('button', { name: 'Remover segundos fatores' }).click();
  await dialog.waitFor({ state: 'detached' });
  const login = await testConsole.platform.client().post('/users/login', { email: person.email, password });
  expect(login.status).toBe(200);
  expect(faults).toEqual([]);
  await close();
});
