import { afterAll, beforeAll, expect, test } from 'vitest';
import { extensionBody, markRegistered } from '../../server/test/harness/fixtures/extensions.ts';
import { createAccount, type TestAccount } from '../../server/test/harness/people.ts';
import { startConsole, type TestConsole } from './harness/console.ts';

let testConsole: TestConsole;
let account: TestAccount;

beforeAll(async () => {
  testConsole = await startConsole({
    EDGE_TLS_ADDRESS: 'sip.disca.test:5061',
    EDGE_SIP_ADDRESS: '192.0.2.7:5060',
  });
  account = await createAccount(testConsole.platform);
});
afterAll(() => testConsole?.close());

const add = async (owner: TestAccount, changes: Record<string, unknown>) =>
  (await owner.admin.client.post('/extensions', extensionBody(changes))).body;

test('an empty account sees what an extension is and how to create one', async () => {
  const { page, faults, requests, close } = await testConsole.viewAs(account.admin, '/extensions');
  await page.getByText('Com um ramal, uma pessoa registra').waitFor();
  await page.getByText('/extensions/next-available').waitFor();
  expect(requests.length).toBeLessThanOrEqual(6);
  expect(await page.getByRole('button', { name: 'Novo ramal' }).count()).toBe(2);
  expect(faults).toEqual([]);
  await close();
});

test('EXT-20 an extension is created with the next free number, by keyboard', async () => {
  const { page, faults, close } = await testConsole.viewAs(account.admin, '/extensions');
  await page.getByRole('banner').waitFor();
  await page.getByRole('button', { name: 'Novo ramal' }).first().focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Novo ramal' });
  const number = dialog.getByLabel('Ramal', { exact: true });
  await number.waitFor();
  await expect.poll(() => number.inputValue()).toBe('1000');
  // The first empty field has the focus.
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')))
    .toBe('first_name');
  await page.keyboard.type('Íris');
  await page.keyboard.press('Enter');
  await dialog.getByText('Preencha este campo.').first().waitFor();
  await dialog.getByText('Informe um e-mail válido.').waitFor();
  // The focus moves to the first invalid field.
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')))
    .toBe('last_name');
  await page.keyboard.type('Lima');
  await page.keyboard.press('Tab');
  await page.keyboard.type(account.admin.email);
  await page.keyboard.press('Enter');
  const help = page.getByRole('dialog', { name: 'Configurar um telefone para o ramal 1000' });
  await help.getByText('Aguardando um telefone se registrar no ramal 1000').waitFor();
  const { body } = await account.admin.client.get('/extensions');
  expect(body).toMatchObject([{ ramal: '1000', first_name: 'Íris', last_name: 'Lima', gravar_audio: 1 }]);
  expect(body[0].senha).toMatch(/^[\w-]{19}$/);
  await help.getByLabel('Aplicativo').selectOption('linphone');
  await help.getByText(account.domain).waitFor();
  // Shows the SIP addresses that the operator has configured.
  for (const address of ['sip.disca.test:5061', '192.0.2.7:5060']) await help.getByText(address).waitFor();
  await markRegistered(testConsole.platform, body[0].id);
  await help.getByText('Um telefone está registrado').waitFor();
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  // The list shows the registration, and the new extension is open next to it.
  await page
    .getByRole('region', { name: 'Ramal 1000' })
    .getByText(/^Registrado/)
    .first()
    .waitFor();
  await page.getByRole('row', { name: /1000.*Registrado/ }).waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('the URL selects the extension and keeps filters; arrow keys move through the list', async () => {
  const own = await createAccount(testConsole.platform);
  for (const [ramal, first_name, gravar_audio] of [
    ['99', 'Ana', 1],
    ['1001', 'Bruno', 0],
    ['1002', 'Íris', 1],
  ])
    await add(own, { ramal, first_name, gravar_audio });
  const { page, faults, close } = await testConsole.viewAs(own.admin, '/extensions?ramal=1001');
  const details = page.getByRole('region', { name: 'Ramal 1001' });
  await details.getByText('Nenhum telefone está registrado').waitFor();
  const rows = page.getByRole('row');
  const numbers = async () => (await rows.getByRole('link').allTextContents()).join();
  expect(await numbers()).toBe('99,1001,1002');
  await page.getByRole('searchbox').fill('iris');
  await expect.poll(numbers).toBe('1002');
  await page.waitForURL(/find=iris/);
  await page.reload();
  await expect.poll(numbers).toBe('1002');
  await page.getByRole('searchbox').fill('');
  await page.getByLabel('Gravação').selectOption('off');
  await expect.poll(numbers).toBe('1001');
  await page.getByLabel('Gravação').selectOption('');
  await expect.poll(numbers).toBe('99,1001,1002');
  await rows.getByRole('link', { name: '99' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Ramal 1002' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('region', { name: 'Ramal 1002' }).waitFor({ state: 'detached' });
  await page.getByLabel('Status').selectOption('registered');
  await page.getByText('Nenhum ramal corresponde aos filtros.').waitFor();
  await page.getByRole('button', { name: 'Mostrar tudo' }).click();
  await expect.poll(numbers).toBe('99,1001,1002');
  expect(faults).toEqual([]);
  await close();
});

test('an extension is edited and removed; a duplicate number is reported by field', async () => {
  const own = await createAccount(testConsole.platform);
  const { id } = await add(own, { ramal: '2000', first_name: 'Ana', senha: 'senha-antiga-1' });
  await add(own, { ramal: '2001' });
  const { page, faults, close } = await testConsole.viewAs(own.admin, '/extensions?ramal=2000', {
    width: 360,
  });
  // On narrow screens the details are in a dialog.
  const details = page.getByRole('dialog', { name: 'Ramal 2000' });
  await details.getByRole('button', { name: 'Mostrar senha' }).click();
  await details.getByText('senha-antiga-1').waitFor();
  await details.getByRole('button', { name: 'Editar' }).click();
  const form = page.getByRole('dialog', { name: 'Editar ramal 2000' });
  await form.getByLabel('Ramal', { exact: true }).fill('2001');
  await form.getByLabel('Senha SIP').fill('curta');
  await form.getByRole('button', { name: 'Salvar' }).click();
  await form.getByText('Use de 8 a 64 caracteres').waitFor();
  await form.getByRole('button', { name: 'Gerar outra senha' }).click();
  await form.getByRole('button', { name: 'Salvar' }).click();
  await form.getByText('Este número já está em uso. Escolha outro.').waitFor();
  await form.getByLabel('Ramal', { exact: true }).fill('2002');
  await form.getByRole('switch', { name: 'Atendimento automático' }).press('Space');
  await form.getByRole('button', { name: 'Salvar' }).click();
  await page.getByRole('dialog', { name: 'Ramal 2002' }).waitFor();
  const { body } = await own.admin.client.get(`/extensions/${id}`);
  expect(body).toMatchObject({ ramal: '2002', first_name: 'Ana', auto_answer: 1 });
  expect(body.senha).not.toBe('senha-antiga-1');
  await page.getByRole('button', { name: 'Remover' }).click();
  await page.getByText('As chamadas continuam na lista.').waitFor();
  await page.getByRole('button', { name: 'Remover ramal' }).click();
  await page.getByRole('dialog').first().waitFor({ state: 'detached' });
  expect((await own.admin.client.get(`/extensions/${id}`)).status).toBe(404);
  await page.getByRole('row', { name: /2001/ }).waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('EXT-14 a user sees their own extensions first, no password and no edit actions', async () => {
  const own = await createAccount(testConsole.platform);
  const user = await own.addUser('USER');
  await testConsole.platform.database.query('update users set email_verified = true where uuid = $1', [
    user.uuid,
  ]);
  await add(own, { ramal: '3000', email_address: user.email, senha: 'uma-senha-secreta' });
  await add(own, { ramal: '3001' });
  const { page, faults, close } = await testConsole.viewAs(user, '/extensions?ramal=3000');
  const details = page.getByRole('region', { name: 'Ramal 3000' });
  await details.getByRole('button', { name: 'Configurar telefone' }).click();
  await page.getByRole('dialog').getByLabel('Aplicativo').selectOption('linphone');
  await page.getByText('Só administradores veem a senha.').waitFor();
  expect(await page.getByText('Mostrar QR code').count()).toBe(0);
  await page.getByRole('button', { name: 'Concluir' }).click();
  const buttons = await page.getByRole('main').getByRole('button').allTextContents();
  expect(buttons.filter((text) => /Editar|Remover|Novo|Importar/.test(text))).toEqual([]);
  expect(await page.getByRole('row').getByRole('link').allTextContents()).toEqual(['3000']);
  await page.getByText('Todos', { exact: true }).click();
  await page.getByRole('row', { name: /3001/ }).getByRole('link').click();
  await page.getByRole('region', { name: 'Ramal 3001' }).waitFor();
  expect(await page.getByRole('button', { name: 'Configurar telefone' }).count()).toBe(0);
  expect(await page.content()).not.toContain('uma-senha-secreta');
  expect(faults).toEqual([]);
  await close();
});
