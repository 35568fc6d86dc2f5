import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { extensionBody } from '../../server/test/harness/fixtures/extensions.ts';
import { createAccount, type TestAccount } from '../../server/test/harness/people.ts';
import { startConsole, type TestConsole } from './harness/console.ts';

let testConsole: TestConsole;
let account: TestAccount;

beforeAll(async () => {
  testConsole = await startConsole();
  account = await createAccount(testConsole.platform);
  await account.admin.client.post('/extensions', extensionBody({ ramal: '1000' }));
});
afterAll(() => testConsole?.close());

const choose = (page: Page, text: string | Buffer): Promise<void> =>
  page
    .locator('dialog [type=file]')
    .setInputFiles({ name: 'ramais.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

const cells = (page: Page, line: number) =>
  page.getByRole('dialog').getByRole('row', { name: new RegExp(`^${line} `) });

test('EXT-21 errors are shown by cell, and nothing is created until all rows are valid', async () => {
  const { page, faults, close } = await testConsole.viewAs(account.admin, '/extensions');
  await page.getByRole('button', { name: 'Importar CSV' }).click();
  await choose(page, 'ramal,first_name\n1,Ana\n');
  await page.getByText('Faltam colunas na primeira linha: last_name, email_address.').waitFor();
  await choose(page, 'ramal,first_name,last_name,email_address\n1001,"Ana,Souza,ana@example.com\n');
  await page.getByText('não é um CSV válido').waitFor();
  await choose(
    page,
    [
      'ramal;nome;sobrenome;e-mail;gravar',
      '1000;Ana;Souza;ana@example.com;sim',
      '1001;Bruno;Lima;bruno(at)example.com;talvez',
      '1002;Íris;;iris@example.com;não',
      '1003;Davi;Rocha;davi@example.com;sim',
      '1003;Davi;Rocha;davi@example.com;sim',
    ].join('\n'),
  );
  await page.getByText('4 de 5 linhas precisam de correção.').waitFor();
  await cells(page, 2).getByText('Este número já está em uso. Escolha outro.').waitFor();
  expect(await cells(page, 3).getByText('inválido').count()).toBe(1);
  expect(await cells(page, 3).getByText('Escolha uma das opções.').count()).toBe(1);
  expect(await cells(page, 4).getByText('Preencha este campo.').count()).toBe(1);
  expect(await cells(page, 5).count()).toBe(0);
  await cells(page, 6).getByText('Este número já está em uso. Escolha outro.').waitFor();
  await page.getByText('Todas', { exact: true }).click();
  await cells(page, 5).getByText('gerada').waitFor();
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Baixar exemplo' }).click(),
  ]);
  await choose(page, readFileSync(await saved.path()));
  await page.getByText('2 ramais prontos para serem criados.').waitFor();
  const { body } = await account.admin.client.get('/extensions');
  expect(body).toHaveLength(1);
  expect(faults).toEqual([]);
  await close();
});

test('EXT-19 imports Windows-1252 files and offers the generated passwords', async () => {
  const { page, faults, close } = await testConsole.viewAs(account.admin, '/extensions');
  await page.getByRole('button', { name: 'Importar CSV' }).click();
  const text = 'ramal;nome;sobrenome;email;senha;gravar\r\n1100;Íris;Conceição;iris@example.com;;Sim\r\n';
  await choose(page, Buffer.from(text, 'latin1'));
  await page.getByText('1 ramal pronto para ser criado.').waitFor();
  await page.getByRole('button', { name: 'Criar 1 ramal' }).click();
  await page.getByText('1 ramal criado.').waitFor();
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Baixar lista de senhas' }).click(),
  ]);
  const list = readFileSync(await saved.path(), 'utf8');
  const { body } = await account.admin.client.get('/extensions?filter={"where":{"ramal":"1100"}}');
  expect(body).toMatchObject([{ first_name: 'Íris', last_name: 'Conceição', gravar_audio: 1 }]);
  expect(list).toContain(`1100,Íris,Conceição,iris@example.com,${body[0].senha},1`);
  await page.getByRole('dialog').getByRole('button', { name: 'Fechar' }).last().click();
  await page.getByRole('row', { name: /1100.*Íris Conceição/ }).waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('a long file is imported in batches of the maximum request size', async () => {
  const own = await createAccount(testConsole.platform);
  const { page, requests, faults, close } = await testConsole.viewAs(own.admin, '/extensions', {
    width: 360,
  });
  await page.getByRole('button', { name: 'Importar CSV' }).click();
  const rows = Array.from(
    { length: 700 },
    (_, n) => `${30_000 + n},Pessoa,Número ${n},p${n}@example.com,uma-senha-longa-${n},1`,
  );
  await choose(page, ['ramal,first_name,last_name,email_address,senha,gravar_audio', ...rows].join('\n'));
  await page.getByText('700 ramais prontos para serem criados.').waitFor();
  await page.getByText(/O arquivo será importado em \d lotes/).waitFor();
  await page.getByRole('button', { name: 'Criar 700 ramais' }).click();
  await page.getByText('700 ramais criados.').waitFor();
  const counted = await own.admin.client.get('/extensions?limit=1');
  expect(counted.headers['x-total-count']).toBe('700');
  expect(requests.filter((each) => each === 'POST /extensions/bulk').length).toBeLessThanOrEqual(6);
  expect(faults).toEqual([]);
  await close();
});
