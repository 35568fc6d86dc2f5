import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { indexCalls } from '../../server/src/contexts/calls/search/index-calls.ts';
import { type CallRow, insertCalls } from '../../server/test/harness/fixtures/call-rows.ts';
import { createAccount, type Person, type TestAccount } from '../../server/test/harness/people.ts';
import { startConsole, type TestConsole } from './harness/console.ts';

let testConsole: TestConsole;

beforeAll(async () => {
  testConsole = await startConsole();
});
afterAll(() => testConsole?.close());

const save = async ({ client }: Person, number: string, name: string | null, deal: string | null = null) =>
  (await client.request('PUT', '/contacts', { body: { number, name, deal } })).body.id as string;
const lookUp = async ({ client }: Person, number: string) =>
  (await client.get('/contacts/lookup', { query: { number } })).body.contact;

const dialog = (page: Page) => page.getByRole('dialog');
const row = (page: Page, name: string) => page.locator('tbody tr').filter({ hasText: name });
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const count = (page: Page, text: string) => page.getByText(text, { exact: true }).waitFor();

/** Adds an ended call, by default without an owner. */
async function addCall(
  account: TestAccount,
  change: Partial<CallRow>,
  { owner, type }: { owner?: Person; type?: 'inbound' } = {},
): Promise<string> {
  const { database, clock } = testConsole.platform;
  const startedAt = new Date(clock.now().getTime() - 7_200_000);
  const [id = ''] = await insertCalls(database, account, [{ startedAt, ...change }]);
  if (type) await database.query('update calls set call_type = $2 where id = $1', [id, type]);
  const own = 'update calls set user_id = (select id from users where uuid = $2) where id = $1';
  if (owner) await database.query(own, [id, owner.uuid]);
  return id;
}

test('CONTACT-11 CONTACT-15 lists contacts by name and by words, and opens one with its calls', async () => {
  const account = await createAccount(testConsole.platform);
  const { admin } = account;
  const number = '5511987650001';
  await save(admin, number, 'Zélia Prado', 'Proposta 4711');
  await save(admin, '5521987650002', 'ana Lima');
  await save(admin, '14155550132', null, 'Order 9');
  const outgoing = await addCall(account, { from: '1000', to: number, duration: 75, firstName: 'Bia' });
  await addCall(account, { from: number, to: '551130304040' }, { type: 'inbound' });
  await addCall(account, { to: '5521987650002' });
  await indexCalls(testConsole.platform.api.base, AbortSignal.timeout(120_000));
  const view = await testConsole.viewAs(admin, '/contacts');
  const { page, requests, faults } = view;
  await count(page, '3 contatos');
  expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(6);
  const names = page.locator('tbody').getByRole('link');
  expect(await names.allTextContents()).toEqual(['ana Lima', 'Zélia Prado', 'Sem nome']);
  const line = (await row(page, 'Zélia').textContent()) ?? '';
  for (const text of ['+55 11 98765-0001', 'Proposta 4711', 'Manual']) expect(line).toContain(text);

  await page.getByRole('searchbox', { name: 'Nome, negócio ou número' }).fill('zelia 98765');
  await count(page, '1 contato');
  await page.waitForURL(/\?q=zelia/);
  await page.getByRole('searchbox').fill('ninguém');
  await page.getByText('Nenhum contato corresponde à busca.').waitFor();
  await press(page, 'Mostrar tudo');
  await count(page, '3 contatos');

  await row(page, 'Zélia').getByRole('link').click();
  const details = panel(page, 'Zélia Prado');
  const calls = details.getByRole('region', { name: 'Últimas chamadas' }).getByRole('listitem');
  await expect.poll(() => calls.count()).toBe(2);
  expect(await calls.filter({ hasText: 'De 1000 Bia' }).textContent()).toContain('1 min 15 s');
  expect(await calls.filter({ hasText: 'Recebida em +55 11 3030-4040' }).count()).toBe(1);
  view.requests.length = 0;
  await page.reload();
  await expect.poll(() => calls.count()).toBe(2);
  await view.following();
  expect(view.requests.length, view.requests.join('\n')).toBeLessThanOrEqual(6);
  await details.getByRole('link', { name: 'Ver todas na lista de chamadas' }).click();
  await count(page, '2 chamadas');
  await page.goBack();
  await calls.filter({ hasText: 'De 1000' }).getByRole('link').click();
  await page.waitForURL(`**/calls/${outgoing}`);
  expect(faults).toEqual([]);
  await view.close();
});

test('CONTACT-11 long lists are loaded page by page', async () => {
  const { admin } = await createAccount(testConsole.platform);
  const contacts = Array.from({ length: 130 }, (_, n) => ({
    number: `55119${80_000_000 + n}`,
    name: `Cliente ${String(n).padStart(3, '0')}`,
  }));
  await admin.client.post('/contacts/import', { contacts });
  const { page, faults, close } = await testConsole.viewAs(admin, '/contacts');
  await count(page, 'Primeiros 100 contatos');
  await press(page, 'Carregar mais contatos');
  await count(page, '130 contatos');
  expect(await row(page, 'Cliente 129').textContent()).toContain('Importação');
  expect(await page.getByRole('button', { name: 'Carregar mais contatos' }).count()).toBe(0);
  // A contact that is not in the loaded part of the list opens too.
  const { id } = await lookUp(admin, '5511980000129');
  await page.goto(`/contacts?contact=${id}`);
  await panel(page, 'Cliente 129').getByText('Nenhuma chamada com este número.').waitFor();
  expect(await row(page, 'Cliente 129').count()).toBe(0);
  expect(faults).toEqual([]);
  await close();
});

test('CONTACT-11 an ADMIN adds, changes, replaces and removes a contact', async () => {
  const { admin } = await createAccount(testConsole.platform);
  const { page, faults, close } = await testConsole.viewAs(admin, '/contacts');
  await page.getByText(/criam contatos automaticamente/).waitFor();
  await page.locator('figure').getByText('curl -X PUT').waitFor();
  await page.locator('main').getByRole('button', { name: 'Adicionar contato' }).last().click();
  const form = dialog(page);
  await form.getByLabel('Número').fill('12');
  await form.getByRole('button', { name: 'Salvar' }).click();
  await form.getByText('Número inválido.').waitFor();
  // A Brazilian number needs no mark.
  await form.getByLabel('Número').fill('11987654321');
  await form.getByRole('button', { name: 'Salvar' }).click();
  await form.getByText('Informe o nome ou o negócio.').waitFor();
  await form.getByLabel('Nome').fill('Marina Alves');
  await page.keyboard.press('Enter');
  await panel(page, 'Marina Alves').waitFor();
  await count(page, '1 contato');
  expect(await lookUp(admin, '5511987654321')).toMatchObject({ name: 'Marina Alves', deal: null });

  await press(page, 'Editar');
  await form.getByLabel('Negócio').fill('Proposta 4711');
  await form.getByRole('button', { name: 'Salvar' }).click();
  await row(page, 'Proposta 4711').waitFor();
  const saved = await lookUp(admin, '5511987654321');
  expect(saved).toMatchObject({ name: 'Marina Alves', deal: 'Proposta 4711' });

  await page.locator('header').getByRole('button', { name: 'Adicionar contato' }).click();
  await form.getByLabel('Número').fill('+55 (11) 98765-4321');
  await form.getByLabel('Nome').fill('Outra pessoa');
  await form.getByRole('button', { name: 'Salvar' }).click();
  await form.getByText('Este número já tem um contato: Marina Alves · Proposta 4711.').waitFor();
  expect(await lookUp(admin, '5511987654321')).toEqual(saved);
  await form.getByRole('button', { name: 'Substituir contato' }).click();
  await panel(page, 'Outra pessoa').waitFor();
  expect(await lookUp(admin, '5511987654321')).toMatchObject({ id: saved.id, name: 'Outra pessoa' });

  await press(page, 'Remover');
  await form.getByRole('button', { name: 'Remover contato' }).click();
  await page.getByText(/criam contatos automaticamente/).waitFor();
  expect(await lookUp(admin, '5511987654321')).toBeNull();
  expect(faults).toEqual([]);
  await close();
});

test('CONTACT-11 a USER sees and changes the contacts of own calls, and removes and imports none', async () => {
  const account = await createAccount(testConsole.platform);
  const user = await account.addUser();
  const [own, other] = ['5511987650001', '5511987650002'];
  await addCall(account, { to: own }, { owner: user });
  await save(account.admin, own, 'Zélia Prado');
  await save(account.admin, other, 'Ana Lima');
  const { page, faults, close } = await testConsole.viewAs(user, '/contacts');
  await count(page, '1 contato');
  await row(page, 'Zélia').getByRole('link').click();
  await press(page, 'Editar');
  await dialog(page).getByLabel('Negócio').fill('D-1');
  await dialog(page).getByRole('button', { name: 'Salvar' }).click();
  await row(page, 'D-1').waitFor();
  for (const name of ['Remover', 'Importar CSV'])
    expect(await page.getByRole('button', { name }).count()).toBe(0);
  await press(page, 'Adicionar contato');
  await dialog(page).getByLabel('Número').fill(`+${other}`);
  await dialog(page).getByLabel('Nome').fill('Bia');
  await dialog(page).getByRole('button', { name: 'Salvar' }).click();
  await dialog(page)
    .getByText('Você só pode salvar contatos de números com os quais teve chamadas.')
    .waitFor();
  expect(await lookUp(account.admin, other)).toMatchObject({ name: 'Ana Lima' });
  // The hash of the palette's action opens nothing either.
  await page.goto('/contacts#import');
  await count(page, '1 contato');
  expect(await dialog(page).count()).toBe(0);
  expect(faults).toEqual([]);
  await close();
});

test('CONTACT-11 the palette adds and imports contacts', async () => {
  const { admin } = await createAccount(testConsole.platform);
  const { page, faults, close } = await testConsole.viewAs(admin, '/settings');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const cases = [
    ['adicionar contato', 'Novo contato'],
    ['importar contatos', 'Importar contatos de um arquivo CSV'],
  ];
  for (const [text = '', title = ''] of cases) {
    await page.keyboard.press('Control+k');
    await dialog(page).getByRole('combobox').fill(text);
    await dialog(page).getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: title }).waitFor();
    expect(new URL(page.url()).hash).toBe('');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: title }).waitFor({ state: 'detached' });
  }
  expect(faults).toEqual([]);
  await close();
});

test('CONTACT-11 the list loads with rows of the height of those that come', async () => {
  const { admin } = await createAccount(testConsole.platform);
  await save(admin, '5511987650001', 'Zélia Prado', 'Proposta 4711');
  for (const width of [1440, 390]) {
    const { page, faults, close } = await testConsole.viewAs(admin, '/settings', { width });
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/contacts\?/, async (route) => {
      await released;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Contatos', exact: true }).last().click();
    const waiting = page.locator('main').getByRole('status', { name: 'Carregando' }).locator('> div > div');
    await expect.poll(() => waiting.count()).toBe(8);
    const expected = (await waiting.first().boundingBox())?.height;
    release();
    await row(page, 'Zélia').waitFor();
    const height = (await row(page, 'Zélia').boundingBox())?.height ?? 0;
    // The last row has no line below it.
    expect(Math.abs(height - (expected ?? 0)), `${width} px`).toBeLessThanOrEqual(1);
    expect(faults).toEqual([]);
    await close();
  }
});

test('CONTACT-13 a call links to its contact, or saves one with what its metadata says', async () => {
  const account = await createAccount(testConsole.platform);
  const { admin } = account;
  const number = '5511987650001';
  const known = await save(admin, number, 'Zélia Prado', 'Proposta 4711');
  const inbound = await addCall(account, { from: number, to: '551130304040' }, { type: 'inbound' });
  const metadata = { nome: 'Rui Prado', negocio: 'D-9' };
  const unknown = await addCall(account, { to: '5521987650002', metadata });
  const { page, faults, close } = await testConsole.viewAs(admin, `/calls/${inbound}`);
  await page.locator('main').getByRole('link', { name: 'Zélia Prado' }).click();
  await page.waitForURL(`**/contacts?contact=${known}`);
  await panel(page, 'Zélia Prado').waitFor();

  await page.goto(`/calls?call=${unknown}`);
  await press(page, 'Salvar contato');
  const form = dialog(page);
  await form.getByText('+55 21 98765-0002').waitFor();
  expect(await form.getByLabel('Nome').inputValue()).toBe('Rui Prado');
  expect(await form.getByLabel('Negócio').inputValue()).toBe('D-9');
  await form.getByRole('button', { name: 'Salvar' }).click();
  // The metadata of the call links to calls with the same name.
  await page.locator('main a[href^="/contacts"]').getByText('Rui Prado').waitFor();
  expect(await page.getByRole('button', { name: 'Salvar contato' }).count()).toBe(0);
  expect(await lookUp(admin, '5521987650002')).toMatchObject({
    name: 'Rui Prado',
    deal: 'D-9',
    source: 'manual',
  });
  expect(faults).toEqual([]);
  await close();
});

test('CONTACT-13 calls between extensions and anonymous calls have no contact to save', async () => {
  const account = await createAccount(testConsole.platform);
  const internal = await addCall(account, { from: '1000', to: '1001' });
  await testConsole.platform.database.query(`update calls set call_type = 'internal' where id = $1`, [
    internal,
  ]);
  const anonymous = await addCall(account, { from: 'anonymous', to: '551130304040' }, { type: 'inbound' });
  const { page, faults, close } = await testConsole.viewAs(account.admin, '/settings');
  for (const id of [internal, anonymous]) {
    await page.goto(`/calls/${id}`);
    await page.getByRole('region', { name: 'Linha do tempo' }).waitFor();
    expect(await page.getByRole('button', { name: 'Salvar contato' }).count()).toBe(0);
  }
  expect(faults).toEqual([]);
  await close();
});
