import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkTo } from '../../server/test/harness/mailbox.ts';
import { createAccount, logIn, type Person, type TestAccount } from '../../server/test/harness/people.ts';
import { readDevice } from '../src/features/settings/sessions/device.ts';
import { startConsole, type TestConsole } from './harness/console.ts';

let testConsole: TestConsole;
let account: TestAccount;

beforeAll(async () => {
  testConsole = await startConsole();
  account = await createAccount(testConsole.platform);
});
afterAll(() => testConsole?.close());

async function verified(): Promise<Person> {
  const person = await account.addUser();
  await account.admin.client.patch('/users', { uuid: person.uuid, emailVerified: true });
  return person;
}

test('USER-25 USER-26 a user undoes a change of e-mail with the mailed link', async () => {
  const person = await verified();
  const intruder = await testConsole.viewAs(person, '/settings');
  const { status } = await person.client.patch('/users', { email: 'intruder@example.com' });
  expect(status).toBe(200);
  const link = await linkTo(testConsole.platform, person.email, 'email-changed');
  const { page, faults, close } = await testConsole.view();
  await page.goto(`${link.pathname}${link.search}`);
  await page.getByRole('button', { name: 'Desfazer a alteração' }).click();
  await page.getByText('Seu endereço foi restaurado').waitFor();
  await page.getByRole('link', { name: 'Criar nova senha' }).click();
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByRole('button', { name: 'Enviar link' }).click();
  await page.getByText('o link chega em instantes').waitFor();
  await linkTo(testConsole.platform, person.email, 'reset-password');
  await page.goto(`${link.pathname}${link.search}`);
  await page.getByRole('button', { name: 'Desfazer a alteração' }).click();
  await page.getByText('Este link expirou ou já foi usado.').waitFor();
  expect(faults).toEqual([]);
  await close();
  await intruder.page.reload();
  await intruder.page.waitForURL(/\/login/);
  await intruder.close();
});

test('AUTH-22 AUTH-23 a user sees the sessions with their browsers and ends another one', async () => {
  const person = await account.addUser();
  const other = await testConsole.viewAs(person, '/settings');
  const third = await testConsole.viewAs(person, '/settings');
  const { page, faults, close } = await testConsole.viewAs(person, '/settings');
  await page.getByText('São Paulo, Brasília (GMT-3)', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Mostrar sessões' }).click();
  const list = page.getByRole('list', { name: 'Sessões do console' });
  await list.getByText('Esta sessão').waitFor();
  expect(await list.getByRole('listitem').count()).toBe(3);
  await list
    .getByText(/^Chrome em Linux/)
    .first()
    .waitFor();
  await list
    .getByRole('button', { name: /^Encerrar a sessão/ })
    .first()
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Encerrar sessão' }).click();
  await expect.poll(() => list.getByRole('listitem').count()).toBe(2);
  await page.getByRole('button', { name: 'Encerrar as outras sessões' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Encerrar as outras sessões' }).click();
  await expect.poll(() => list.getByRole('listitem').count()).toBe(1);
  expect(faults).toEqual([]);
  for (const view of [other, third]) {
    await view.page.reload();
    await view.page.waitForURL(/\/login/);
    await view.close();
  }
  await page.reload();
  await page.getByRole('heading', { name: 'Configurações' }).waitFor();
  await close();
  // Other tokens of the user remain valid.
  expect((await person.client.get('/users/me')).status).toBe(200);
  expect((await logIn(testConsole.platform, person.email)).uuid).toBe(person.uuid);
});

test('browsers and systems are recognised by the text that they send', () => {
  const chrome =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36';
  const edge = `${chrome.replace('X11; Linux x86_64', 'Windows NT 10.0; Win64; x64')} Edg/130.0`;
  const phone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Safari/604.1';
  const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:132.0) Gecko/20100101 Firefox/132.0';
  expect([chrome, edge, phone, mac].map(readDevice)).toEqual([
    { browser: 'Chrome', system: 'Linux' },
    { browser: 'Edge', system: 'Windows' },
    { browser: 'Safari', system: 'iOS' },
    { browser: 'Firefox', system: 'macOS' },
  ]);
  expect(readDevice('curl/8.0')).toBeUndefined();
});
