import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adjustCredit } from '../../server/src/contexts/billing/index.ts';
import { startOfDay, wallTime } from '../../server/src/platform/time.ts';
import { addDeck, within } from '../../server/test/harness/fixtures/billing.ts';
import { addChargedCall } from '../../server/test/harness/fixtures/charged-calls.ts';
import { createAccount, type Person, type TestAccount } from '../../server/test/harness/people.ts';
import { addDays, dayInZone } from '../src/shared/time/zoned-days.ts';
import { chooseCsv } from './harness/choose-csv.ts';
import { startConsole, type TestConsole } from './harness/console.ts';
import { type Cell, openInSpreadsheet } from './harness/spreadsheet.ts';

const zone = 'America/Sao_Paulo';
const month = addDays(`${dayInZone(new Date(), zone).slice(0, 7)}-01`, -1).slice(0, 7);
const seconds = (from: Date, count: number): Date => new Date(from.getTime() + count * 1000);
const monthStart = startOfDay(`${month}-01`, zone);

let testConsole: TestConsole;
let account: TestAccount;
let payer: Person;
let callId: string;

/** A person of finance, and a month with credit and the calls of two people, between those of other months. */
beforeAll(async () => {
  testConsole = await startConsole();
  const { platform } = testConsole;
  await addDeck(platform, [{ prefix: '55', price: 0.0925 }]);
  account = await createAccount(platform);
  payer = await account.addUser('USER');
  const body = { calls: 'all', recordings: 'none', money: true, webhooks: false, supervision: false };
  await account.admin.client.request('PUT', `/users/${payer.uuid}/permissions`, { body });
  const credit = (micros: number, at: Date) =>
    within(platform, account.id, (tx) =>
      adjustCredit(tx, platform.api.app, {
        accountId: account.id,
        micros,
        reason: 'Crédito; "bônus"',
        key: at.toISOString(),
        at,
      }),
    );
  await credit(1_500_000_000, seconds(monthStart, -60));
  await credit(20_000_000, seconds(monthStart, 60));
  const ana = { from: '1000', firstName: 'Ana', lastName: 'Souza', email: 'ana@empresa.test' };
  const beto = { from: '1001', firstName: 'José', lastName: 'Conceição', email: 'jose@empresa.test' };
  callId = await addChargedCall(platform, account, {
    ...ana,
    startedAt: seconds(monthStart, 3600),
    duration: 61,
  });
  await addChargedCall(platform, account, { ...beto, startedAt: seconds(monthStart, 7200), duration: 3661 });
  await addChargedCall(platform, account, { ...beto, startedAt: seconds(monthStart, 11_000), duration: 0 });
  await addChargedCall(platform, account, {
    ...ana,
    startedAt: seconds(monthStart, 40 * 86_400 - 86_400),
    duration: 30,
  });
});
afterAll(() => testConsole?.close());

const texts = {
  'pt-BR': {
    statement: 'Extrato',
    month: 'Mês',
    save: 'Baixar CSV',
    excel: 'Excel (Brasil)',
    byExtension: 'Por ramal e pessoa',
    exportCalls: 'Exportar CSV',
    totals: ['Saldo inicial', 'Recargas', 'Gasto em chamadas', 'Estornos e ajustes', 'Saldo final'],
    amounts: ['R$ 1.500,0000', 'R$ 0,0000', '-R$ 5,7536', 'R$ 20,0000', 'R$ 1.514,2464'],
    rows: [
      'José Conceição ramal 1001 2 chamadas 1 atendida 1 h 1 min R$ 5,6518',
      'Ana Souza ramal 1000 1 chamada 1 atendida 1 min 1 s R$ 0,1018',
      'Total 3 chamadas 2 atendidas 1 h 2 min R$ 5,7536',
    ],
  },
  en: {
    statement: 'Statement',
    month: 'Month',
    save: 'Download CSV',
    excel: 'Excel (Brazil)',
    byExtension: 'By extension and person',
    exportCalls: 'Export CSV',
    totals: [
      'Opening balance',
      'Credit added',
      'Spent on calls',
      'Refunds and adjustments',
      'Closing balance',
    ],
    amounts: ['R$1,500.0000', 'R$0.0000', '-R$5.7536', 'R$20.0000', 'R$1,514.2464'],
    rows: [
      'José Conceição extension 1001 2 calls 1 answered 1 h 1 min R$5.6518',
      'Ana Souza extension 1000 1 call 1 answered 1 min 1 s R$0.1018',
      'Total 3 calls 2 answered 1 h 2 min R$5.7536',
    ],
  },
} as const;

const plainText = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

async function save(page: Page, button: string, format: string): Promise<string> {
  const downloading = page.waitForEvent('download');
  await chooseCsv(page, button, format);
  return await (await downloading).path();
}

/** Chooses the month, reads the totals, and saves the statement, the month by extension, and the calls. */
async function walk(language: 'pt-BR' | 'en') {
  const words = texts[language];
  await payer.client.patch('/users', { locale: language });
  const view = await testConsole.viewAs(payer, '/assets/none', { language });
  const { page } = view;
  // Tests cannot operate the file picker; without it the browser downloads the file.
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  await page.goto('/credit');
  const statement = page.getByRole('region', { name: words.statement, exact: true });
  await statement.getByLabel(words.month).selectOption(month);
  await statement.getByText(words.amounts[0]).waitFor();
  const sums = statement.locator('dl').first();
  expect((await sums.locator('dt').allTextContents()).map(plainText)).toEqual(words.totals);
  expect((await sums.locator('dd').allTextContents()).map(plainText)).toEqual(words.amounts);
  expect(await statement.locator('tbody tr').count()).toBe(3);
  const entries = await save(page, words.save, words.excel);
  await statement.getByRole('tab', { name: words.byExtension }).click();
  await page.waitForURL(`**/credit?month=${month}&part=extensions`);
  await statement.locator('tfoot').waitFor();
  const rows = statement.locator('tbody tr, tfoot tr');
  const cells = await rows.evaluateAll((found) =>
    found.map((row) => [...row.children].map((cell) => cell.textContent).join(' ')),
  );
  expect(cells.map(plainText)).toEqual(words.rows);
  const extensions = await save(page, words.save, words.excel);
  await page.goto('/calls?extension=1000');
  await page.getByText('Ana Souza').first().waitFor();
  const calls = await save(page, words.exportCalls, words.excel);
  const sheets = await openInSpreadsheet([entries, extensions, calls]);
  expect(view.faults).toEqual([]);
  await view.close();
  return sheets;
}

const date = (at: Date): Cell => ({ type: 'date', value: wallTime(at, zone).replace(' ', 'T') });
const number = (value: number): Cell => ({ type: 'float', value: String(value) });
const text = (value: string): Cell => ({ type: 'string', value });
const empty: Cell = { type: 'empty', value: '' };
const titles = (sheet: Cell[][] | undefined): string[] => (sheet?.[0] ?? []).map(({ value }) => value);

test.each(['pt-BR', 'en'] as const)(
  'LEDGER-19 LEDGER-20 LEDGER-22 CALL-68 files of a month open in a Brazilian spreadsheet (%s)',
  async (language) => {
    const [entries, extensions, calls] = await walk(language);
    expect(titles(entries)).toEqual([
      ...['Data', 'Tipo', 'Ramal', 'Pessoa', 'Para', 'Duração (s)', 'Valor (R$)', 'Saldo (R$)'],
      ...['Descrição', 'Referência', 'Lançamento'],
    ]);
    expect(entries).toHaveLength(4);
    // Rings for 10 s and ends after 61 s more.
    expect(entries?.[2]?.slice(0, 10)).toEqual([
      ...[date(seconds(monthStart, 3671)), text('Chamada'), number(1000), text('Ana Souza')],
      ...[text('(11) 98765-4321'), number(61), number(-0.1018), number(1519.8982), empty, text(callId)],
    ]);
    expect(entries?.[3]?.slice(0, 9)).toEqual([
      ...[date(seconds(monthStart, 60)), text('Ajuste do operador'), empty, empty, empty, empty],
      ...[number(20), number(1520), text('Crédito; "bônus"')],
    ]);
    expect(extensions).toEqual([
      [
        'Ramal',
        'Pessoa',
        'E-mail',
        'Chamadas',
        'Atendidas',
        'Conversa (s)',
        'Conversa (min)',
        'Valor (R$)',
      ].map(text),
      [
        ...[number(1001), text('José Conceição'), text('jose@empresa.test'), number(2), number(1)],
        ...[number(3661), number(61.02), number(5.6518)],
      ],
      [
        ...[number(1000), text('Ana Souza'), text('ana@empresa.test'), number(1), number(1)],
        ...[number(61), number(1.02), number(0.1018)],
      ],
    ]);
    const column = (title: string): Cell | undefined => calls?.at(-1)?.[titles(calls).indexOf(title)];
    expect(calls).toHaveLength(3);
    expect(column('Início')).toEqual(date(seconds(monthStart, 3600)));
    expect(column('Encerrada em')).toEqual(date(seconds(monthStart, 3671)));
    expect(column('Para')).toEqual(text('(11) 98765-4321'));
    expect(column('Nome')).toEqual(text('Ana'));
    expect(column('Motivo do encerramento')).toEqual(text('Encerramento normal'));
    expect(column('Duração (s)')).toEqual(number(61));
    expect(column('Preço (R$)')).toEqual(number(0.1018));
    expect(column('ID da chamada')).toEqual(text(callId));
    expect(titles(calls)).toContain('Gravação (abre no console, com login)');
  },
  60_000,
);
