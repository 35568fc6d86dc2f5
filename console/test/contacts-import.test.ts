import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount, type Person } from '../../server/test/harness/people.ts';
import { startConsole, type TestConsole } from './harness/console.ts';

let testConsole: TestConsole;

beforeAll(async () => {
  testConsole = await startConsole();
});
afterAll(() => testConsole?.close());

const lookUp = async ({ client }: Person, number: string) =>
  (await client.get('/contacts/lookup', { query: { number } })).body.contact;

const choose = (page: Page, text: string | Buffer): Promise<void> =>
  page
    .locator('dialog [type=file]')
    .setInputFiles({ name: 'contatos.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

async function open(person: Person, width = 1440) {
  const view = await testConsole.viewAs(person, '/contacts', { width });
  await view.page.getByRole('button', { name: 'Importar CSV' }).click();
  return view;
}

/** Waits until the dialog shows these numbers of rows, by outcome. */
const shows = async (page: Page, expected: Record<string, string>): Promise<void> => {
  for (const [name, value] of Object.entries(expected))
    await page
      .locator('dialog dl > div')
      .filter({ has: page.getByText(name, { exact: true }) })
      .getByText(value, { exact: true })
      .waitFor();
};

const refusedRow = (page: Page, line: number) =>
  page.getByRole('dialog').getByRole('row', { name: new RegExp(`^(linha )?${line} `) });

test('CONTACT-12 shows what happens to every row before anything is saved', async () => {
  const { admin } = await createAccount(testConsole.platform);
  await admin.client.post('/contacts/import', {
    contacts: [
      { number: '5511987650001', name: 'Antigo' },
      { number: '5511987650002', name: 'Igual', deal: 'D-2' },
    ],
  });
  const { page, faults, close } = await open(admin);
  await choose(page, 'quem,qual\nAna,1\n');
  await page.getByText(/A primeira linha precisa da coluna número/).waitFor();
  await choose(page, 'telefone;nome\n');
  await page.getByText('O arquivo não tem contatos.').waitFor();
  await choose(page, 'telefone;nome\n11987650001;"Ana\n');
  await page.getByText('não é um CSV válido').waitFor();
  const text = [
    'Nome;Telefone;Negócio',
    'Íris Conceição;(11) 98765-0001;Proposta 7',
    'Igual;5511987650002;D-2',
    'Rui Prado;11987650003;',
    ';+55 21 98765-0004;D-4',
    'Ana;nenhum;',
    ';11987650005;',
    'Rui de novo;+5511987650003;',
    `${'a'.repeat(201)};11987650006;`,
  ].join('\r\n');
  await choose(page, Buffer.from(text, 'latin1'));
  await shows(page, { Novos: '2', 'A substituir': '1', 'Sem alteração': '1', Recusados: '4' });
  await refusedRow(page, 6).getByText('Número inválido.').waitFor();
  await refusedRow(page, 7).getByText('Informe o nome ou o negócio.').waitFor();
  await refusedRow(page, 8).getByText('O número já está em uma linha anterior.').waitFor();
  await refusedRow(page, 9).getByText('Longo ou alto demais.').waitFor();
  expect(await lookUp(admin, '5511987650001')).toMatchObject({ name: 'Antigo' });
  expect(await lookUp(admin, '5511987650003')).toBeNull();

  await page.getByRole('button', { name: 'Importar 3 contatos' }).click();
  await page.getByText('Importação concluída.').waitFor();
  await shows(page, { Criados: '2', Substituídos: '1', 'Sem alteração': '1', Recusados: '4' });
  expect(await lookUp(admin, '5511987650001')).toMatchObject({ name: 'Íris Conceição', deal: 'Proposta 7' });
  expect(await lookUp(admin, '5511987650003')).toMatchObject({ name: 'Rui Prado', deal: null });
  expect(await lookUp(admin, '5521987650004')).toMatchObject({ name: null, deal: 'D-4' });
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Baixar linhas recusadas' }).click(),
  ]);
  const lines = readFileSync(await saved.path(), 'utf8').split('\r\n');
  expect(lines[0]).toBe('\ufeffnúmero;nome;negócio;motivo');
  expect(lines[1]).toMatch(/^nenhum;Ana;;"Número inválido\./);
  expect(lines[3]).toBe("'+5511987650003;Rui de novo;;O número já está em uma linha anterior.");
  await page.getByRole('dialog').getByRole('button', { name: 'Fechar' }).last().click();
  await page.getByRole('row', { name: /Íris Conceição/ }).waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('CONTACT-12 reads the example file, tabs, UTF-16, English columns and files of refused rows', async () => {
  const { admin } = await createAccount(testConsole.platform);
  const { page, faults, close } = await open(admin);
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Baixar exemplo' }).click(),
  ]);
  await choose(page, readFileSync(await saved.path()));
  await shows(page, { Novos: '2', Recusados: '0' });
  const tabs = '\ufeffPhone number\tFull name\tOpportunity\r\n+14155550132\tJosé\tD-1\r\n';
  await choose(page, Buffer.from(tabs, 'utf16le'));
  await shows(page, { Novos: '1', Recusados: '0' });
  await page.getByRole('button', { name: 'Importar 1 contato', exact: true }).click();
  await page.getByText('Importação concluída.').waitFor();
  expect(await lookUp(admin, '14155550132')).toMatchObject({ name: 'José', deal: 'D-1' });
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Importar CSV' }).click();
  await choose(page, "número;nome;negócio;motivo\r\n'+5511987650003;Rui;;x\r\n+14155550132;José;D-1;\r\n");
  await shows(page, { Novos: '1', 'Sem alteração': '1', Recusados: '0' });
  expect(faults).toEqual([]);
  await close();
});

test('CONTACT-12 a long file is sent in parts, and a number is imported once', async () => {
  const { admin } = await createAccount(testConsole.platform);
  const { page, requests, faults, close } = await open(admin, 360);
  const rows = Array.from({ length: 700 }, (_, n) => `55119${80_000_000 + n};Pessoa ${n};Negócio ${n}`);
  await choose(page, ['number;name;deal', ...rows, '(11) 98000-0000;De novo;'].join('\n'));
  await shows(page, { Novos: '700', Recusados: '1' });
  expect(requests.filter((each) => each === 'POST /contacts/import')).toHaveLength(2);
  await refusedRow(page, 702).getByText('O número já está em uma linha anterior.').waitFor();
  await page.getByRole('button', { name: 'Importar 700 contatos' }).click();
  await page.getByText('Importação concluída.').waitFor();
  expect(await lookUp(admin, '5511980000000')).toMatchObject({ name: 'Pessoa 0' });
  const { budgets } = (await admin.client.get('/accounts/limits')).body;
  expect(budgets).toContainEqual(expect.objectContaining({ resource: 'contacts', used: 700 }));
  expect(faults).toEqual([]);
  await close();
});

test('CONTACT-12 an import over the limit of the account says how many were saved', async () => {
  const { id, admin } = await createAccount(testConsole.platform);
  await testConsole.platform.database.query(`insert into account_budgets values ($1, 'contacts', 600)`, [id]);
  const { page, faults, close } = await open(admin);
  const rows = Array.from({ length: 700 }, (_, n) => `55119${80_000_000 + n},Pessoa ${n}`);
  await choose(page, ['number,name', ...rows].join('\n'));
  await shows(page, { Novos: '700' });
  await page.getByRole('button', { name: 'Importar 700 contatos' }).click();
  await page.getByText('A conta atingiu o limite.').waitFor();
  await page.getByText(/^500 contatos foram salvos\./).waitFor();
  expect(await lookUp(admin, '5511980000499')).not.toBeNull();
  expect(await lookUp(admin, '5511980000500')).toBeNull();
  expect(faults).toEqual([]);
  await close();
});

test('CONTACT-12 an import that is over a limit of requests waits and goes on', async () => {
  const { admin } = await createAccount(testConsole.platform);
  const { page, faults, close } = await open(admin);
  let refusals = 0;
  await page.route(/\/contacts\/import$/, async (route) => {
    if (refusals > 0) return await route.continue();
    refusals += 1;
    const error = { errorCode: 'RATE_LIMITED', message: 'Too many requests.' };
    await route.fulfill({ status: 429, headers: { 'Retry-After': '1' }, json: { error } });
  });
  await choose(page, 'number,name\n5511987650001,Ana\n');
  await shows(page, { Novos: '1' });
  expect(refusals).toBe(1);
  expect(faults).toEqual([]);
  await close();
});
