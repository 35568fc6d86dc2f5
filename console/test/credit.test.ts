import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDeck, billingOfCall, giveCredit } from '../../server/test/harness/fixtures/billing.ts';
import { insertCalls } from '../../server/test/harness/fixtures/call-rows.ts';
import { setMode } from '../../server/test/harness/fixtures/charges.ts';
import { createAccount, type TestAccount } from '../../server/test/harness/people.ts';
import { dayInZone } from '../src/shared/time/zoned-days.ts';
import { chooseCsv } from './harness/choose-csv.ts';
import { startConsole, type TestConsole } from './harness/console.ts';
import { startWorker } from './harness/worker.ts';

let testConsole: TestConsole;
let stopWorker: () => Promise<void>;

beforeAll(async () => {
  testConsole = await startConsole();
  stopWorker = await startWorker(testConsole.platform);
  await addDeck(testConsole.platform, [
    { prefix: '55', price: 0.03 },
    { prefix: '55119', price: 0.09 },
  ]);
});
afterAll(async () => {
  await stopWorker?.();
  await testConsole?.close();
});

const newAccount = (): Promise<TestAccount> => createAccount(testConsole.platform);
const panel = (page: Page, name: string | RegExp) => page.getByRole('region', { name });
const available = async ({ admin }: TestAccount): Promise<number> =>
  (await admin.client.get('/accounts/balance')).body.available;

async function makeCharge(page: Page, amount: string, method: string, button: string): Promise<void> {
  const form = panel(page, 'Adicionar saldo');
  await form.getByLabel('Valor (R$)').fill(amount);
  await form.getByText(method, { exact: true }).click();
  await form.getByRole('button', { name: button }).click();
}

test('the page confirms a Pix payment automatically', async () => {
  const account = await newAccount();
  const { page, requests, faults, close } = await testConsole.viewAs(account.admin, '/credit');
  await panel(page, 'Adicionar saldo').getByLabel('Valor (R$)').fill('5');
  await page.getByRole('button', { name: 'Gerar código Pix' }).click();
  await page.getByText('Informe um valor maior que 5,00').waitFor();
  await makeCharge(page, '150,50', 'Pix', 'Gerar código Pix');
  const charge = panel(page, /^Cobrança nº/);
  await charge.getByRole('img', { name: 'QR code do Pix' }).waitFor();
  expect(
    await charge.getByRole('img').evaluate((image: HTMLImageElement) => image.naturalWidth),
  ).toBeGreaterThan(100);
  expect(await charge.getByLabel('Pix copia e cola').inputValue()).toMatch(/^000201.*br\.gov\.bcb\.pix/i);
  expect(await charge.getByText(/Vence em .*\d\d:\d\d:\d\d/).count()).toBe(1);
  const before = requests.length;
  const [{ id }] = (await account.admin.client.list('/charges', undefined, { page: '1' })).body.data;
  // Paid outside this page.
  await account.admin.client.post(`/sandbox/charges/${id}/pay`);
  await charge
    .getByText(/^Pago em .*R\$\s150,50 adicionados. Seu saldo disponível agora é R\$\s150,50\.$/)
    .waitFor();
  await panel(page, 'Saldo disponível')
    .getByText(/R\$\s150,50/)
    .first()
    .waitFor();
  await panel(page, 'Extrato')
    .getByRole('link', { name: `Recarga, cobrança nº ${id}` })
    .waitFor();
  await panel(page, 'Cobranças').getByText('Paga').waitFor();
  expect(requests.slice(before).length).toBeLessThanOrEqual(8);
  await charge.getByRole('button', { name: 'Adicionar mais saldo' }).click();
  await panel(page, 'Adicionar saldo').waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('a bank slip can be cancelled; test accounts simulate card payments', async () => {
  const account = await newAccount();
  const { page, faults, close } = await testConsole.viewAs(account.admin, '/credit');
  await makeCharge(page, '80', 'Boleto', 'Gerar boleto');
  const charge = panel(page, /^Cobrança nº/);
  await charge.getByText(/^\d{5}\.\d{5} \d{5}\.\d{6} \d{5}\.\d{6} \d \d{14}$/).waitFor();
  const link = await charge.getByRole('link', { name: 'Abrir boleto' }).getAttribute('href');
  expect(link).toContain('/sandbox/pay/');
  await charge.getByRole('button', { name: 'Cancelar cobrança' }).click();
  await charge.getByRole('button', { name: 'Não' }).click();
  await charge.getByRole('button', { name: 'Cancelar cobrança' }).click();
  await charge.getByRole('button', { name: 'Sim, cancelar' }).click();
  await panel(page, 'Cobranças').getByText('Cancelada').waitFor();
  await makeCharge(page, '60', 'Cartão', 'Continuar com cartão');
  await charge.getByRole('link', { name: 'Pagar com cartão' }).waitFor();
  await charge.getByRole('button', { name: 'Pagar agora (teste)' }).click();
  await charge.getByText(/R\$\s60,00 adicionados/).waitFor();
  expect(await available(account)).toBe(60);
  expect(faults).toEqual([]);
  await close();
});

test('a charge opened elsewhere is reported as a conflict and listed', async () => {
  const account = await newAccount();
  const { page, close } = await testConsole.viewAs(account.admin, '/credit');
  await panel(page, 'Adicionar saldo').getByRole('button', { name: 'Gerar código Pix' }).waitFor();
  const dueDate = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  const body = { amount: 20, paymentMethod: 'PIX', dueDate, description: 'Other' };
  expect((await account.admin.client.post('/charges', body)).status).toBe(200);
  await page.getByRole('button', { name: 'Gerar código Pix' }).click();
  await page.getByText('Já existe uma cobrança em aberto.').waitFor();
  await page.reload();
  await panel(page, /^Cobrança nº/)
    .getByRole('img')
    .waitFor();
  await close();
});

test('a live account must send its tax id first; errors are shown by field', async () => {
  const account = await newAccount();
  await setMode(testConsole.platform, account, 'live');
  const { page, close } = await testConsole.viewAs(account.admin, '/credit');
  await page.getByText('Antes da primeira recarga, informe o CPF ou CNPJ').waitFor();
  await setMode(testConsole.platform, account, 'test');
  await page.reload();
  const data = panel(page, 'Dados de cobrança');
  await data.getByLabel('CPF ou CNPJ').fill('111.222.333-44');
  await data.getByRole('button', { name: 'Confirmar' }).click();
  await data.getByText('Este CPF ou CNPJ não é válido.').waitFor();
  await data.getByLabel('CPF ou CNPJ').fill('11.222.333/0001-81');
  await data.getByRole('button', { name: 'Confirmar' }).click();
  await data.getByText('não editável').waitFor();
  expect(await data.textContent()).toContain('11.222.333/0001-81');
  await data.getByLabel('Outros e-mails').fill('not an address');
  await data.getByRole('button', { name: 'Salvar dados de contato' }).click();
  await data.getByText('Informe e-mails válidos, separados por vírgulas.').waitFor();
  await data.getByLabel('Outros e-mails').fill('financeiro@casa.test, dona@casa.test');
  await data.getByLabel('Celular').fill('11987654321');
  await data.getByRole('button', { name: 'Salvar dados de contato' }).click();
  await data.getByText('Salvo.').waitFor();
  const { body } = await account.admin.client.get('/accounts/financial');
  expect(body).toMatchObject({ status: 'ACTIVE', additionalEmails: 'financeiro@casa.test, dona@casa.test' });
  await close();
});

test('CALL-88 quotes show increments and minutes; destinations without a price are rejected', async () => {
  const account = await newAccount();
  await giveCredit(testConsole.platform, account.id, 9);
  const { page, faults, close } = await testConsole.viewAs(account.admin, '/credit');
  const quote = panel(page, 'Preço de uma chamada');
  await quote.getByLabel('Número de destino').fill('(11) 98765-4321');
  await quote.getByRole('button', { name: 'Consultar' }).click();
  await quote.getByText(/R\$\s0,09 por minuto/).waitFor();
  const text = (await quote.textContent()) ?? '';
  expect(text).toContain('Mínimo de 30 s, depois cobrança a cada 6 s');
  expect(text).toContain('até 3\u00a0s são grátis');
  expect(text).toContain('cobre 100 minutos');
  await quote.getByLabel('Número de destino').fill('+1 212 555 0100');
  await quote.getByRole('button', { name: 'Consultar' }).click();
  await quote.getByText('Não há preço para ligações a este número.').waitFor();
  await quote.getByLabel('Número de destino').fill('0800 729 0722');
  await quote.getByRole('button', { name: 'Consultar' }).click();
  await quote.getByText('Números 0800, de emergência e de serviços não podem ser chamados.').waitFor();
  expect(await quote.getByText(/por minuto/).count()).toBe(0);
  await quote.getByLabel('Número de destino').fill('');
  await quote.getByRole('button', { name: 'Consultar' }).click();
  await quote.getByText('Informe o número com + e o código do país, ou com 0 e o DDD.').waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('the statement links to calls, is filtered in the URL, paged and downloaded', async () => {
  const account = await newAccount();
  for (let gift = 0; gift < 104; gift += 1) await giveCredit(testConsole.platform, account.id, 1);
  const call = billingOfCall(testConsole.platform, account);
  await call.hold();
  await call.settle(60);
  await insertCalls(testConsole.platform.database, account, [
    {
      id: call.callId,
      startedAt: testConsole.platform.clock.now(),
      firstName: 'Ana',
      lastName: 'Souza',
      from: '1000',
      to: '5511987654321',
      duration: 60,
    },
  ]);
  const { page, faults, close } = await testConsole.viewAs(account.admin, '/settings');
  // Tests cannot operate the file picker; without it the browser downloads the file.
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  await page.goto('/credit');
  const statement = panel(page, 'Extrato');
  const lines = statement.locator('tbody tr');
  await lines.first().waitFor();
  expect(await lines.count()).toBe(100);
  expect(await lines.first().textContent()).toMatch(
    /Ana Souza \(ramal 1000\) para \+55\s11\s98765-\u20604321 1 min 0 s-R\$\s0,09.*R\$\s103,91$/,
  );
  await statement.getByRole('button', { name: 'Mostrar mais' }).click();
  await expect.poll(() => lines.count()).toBe(105);
  const downloading = page.waitForEvent('download');
  await chooseCsv(page, 'Baixar CSV', 'Excel (Brasil)');
  const file = await readFile(await (await downloading).path(), 'utf8');
  const rows = file.trim().split('\n');
  expect(rows).toHaveLength(106);
  // `trim` removes the byte order mark.
  expect(file.startsWith('\uFEFFData;Tipo;Ramal;Pessoa;Para;')).toBe(true);
  expect(rows.filter((row) => row.includes('Data;'))).toHaveLength(1);
  expect(rows[1]).toMatch(/;Chamada;1000;Ana Souza;\(11\) 98765-4321;60;-0,09;103,91;;/);
  await statement.getByLabel('Tipo').selectOption('call');
  await page.waitForURL('**/credit?type=call');
  await expect.poll(() => lines.count()).toBe(1);
  const month = dayInZone(new Date(), 'America/Sao_Paulo').slice(0, 7);
  await page.goto(`/credit?month=${month}&type=charge`);
  await statement.getByText('Nenhuma movimentação corresponde aos filtros.').waitFor();
  await page.goto(`/credit?month=${month}&type=call`);
  await statement.getByRole('link', { name: 'Ana Souza' }).click();
  await page.waitForURL(`**/calls/${call.callId}`);
  expect(faults).toEqual([]);
  await close();
});

test('non-ADMINs see who manages credit, and nothing is requested', async () => {
  const account = await newAccount();
  const user = await account.addUser('USER');
  const { page, requests, faults, close } = await testConsole.viewAs(user, '/credit');
  await page.getByText('Os administradores cuidam do saldo da conta.').waitFor();
  expect(requests.filter((each) => /charges|statement|financial/.test(each))).toEqual([]);
  expect(faults).toEqual([]);
  await close();
});

test('credit can be bought by keyboard alone', async () => {
  const account = await newAccount();
  const { page, faults, close } = await testConsole.viewAs(account.admin, '/credit');
  await panel(page, 'Adicionar saldo').getByLabel('Valor (R$)').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('75');
  // Skips the preset amounts to reach the payment method.
  for (let pressed = 0; pressed < 5; pressed += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowRight');
  await page.getByRole('button', { name: 'Gerar boleto' }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const charge = panel(page, /^Cobrança nº/);
  await charge.getByRole('link', { name: 'Abrir boleto' }).waitFor();
  await charge.getByRole('button', { name: 'Cancelar cobrança' }).focus();
  await page.keyboard.press('Enter');
  // The button that changes nothing has the focus.
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Não');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await panel(page, 'Cobranças').getByText('Cancelada').waitFor();
  expect(faults).toEqual([]);
  await close();
});
