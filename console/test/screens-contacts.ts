import type { Page } from 'playwright-core';
import { knownNumber } from './harness/demo-contacts.ts';
import { logInToEmptyAccount } from './harness/demo-extensions.ts';
import type { Screen } from './screens.ts';

const file = [
  'Telefone;Nome;Negócio',
  '(11) 98765-0001;Zélia Prado;Proposta 4712',
  `${knownNumber};Marina Alves de Souza;Proposta 4711`,
  'nenhum;Conceição do Espírito Santo de Albuquerque e Vasconcelos;Renovação do contrato',
  '11987650003;;',
  '11987650001;Zélia;',
].join('\n');

async function chooseFile(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(Importar|Import) CSV$/ }).click();
  const csv = { name: 'contatos.csv', mimeType: 'text/csv', buffer: Buffer.from(file) };
  await page.locator('dialog [type=file]').setInputFiles(csv);
  await page.locator('dialog tbody tr').first().waitFor();
}

async function openForm(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(Adicionar contato|Add contact)$/ }).click();
  await page.locator('dialog [name=number]').waitFor();
}

export const contactScreens: Screen[] = [
  {
    name: 'contacts',
    as: 'ADMIN',
    path: '/contacts',
    prepare: (page) => page.getByRole('row', { name: /Marina Alves/ }).waitFor(),
  },
  {
    name: 'contacts-open',
    as: 'USER',
    path: ({ contactId }) => `/contacts?contact=${contactId}`,
    async prepare(page) {
      await page.getByRole('row', { name: /Marina Alves/ }).waitFor();
      await page
        .getByRole('region', { name: /^(Últimas chamadas|Latest calls)$/ })
        .getByRole('listitem')
        .first()
        .waitFor();
    },
  },
  {
    name: 'contacts-empty',
    as: 'ADMIN',
    path: '/contacts',
    changesSession: true,
    async prepare(page, demo) {
      await logInToEmptyAccount(page, demo, '/contacts');
      await page.locator('figure').waitFor();
    },
  },
  {
    name: 'contact-new',
    as: 'ADMIN',
    path: '/contacts',
    async prepare(page) {
      await openForm(page);
      await page.locator('dialog [type=submit]').click();
      await page.locator('[name=number][aria-invalid=true]').waitFor();
    },
  },
  {
    name: 'contact-replace',
    as: 'ADMIN',
    path: '/contacts',
    async prepare(page) {
      await openForm(page);
      await page.locator('dialog [name=number]').fill(`+${knownNumber}`);
      await page.locator('dialog [name=name]').fill('Rui Prado');
      await page.locator('dialog [type=submit]').click();
      await page.getByRole('dialog').getByRole('alert').waitFor();
    },
  },
  { name: 'contacts-import', as: 'ADMIN', path: '/contacts', prepare: chooseFile },
  {
    name: 'contacts-imported',
    as: 'ADMIN',
    path: '/contacts',
    async prepare(page) {
      await chooseFile(page);
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^(Importar|Import) \d/ })
        .click();
      await page.getByText(/^(Importação concluída|Import finished)\.$/).waitFor();
    },
  },
];
