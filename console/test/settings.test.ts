import { afterAll, beforeAll, expect, test } from 'vitest';
import { giveCredit } from '../../server/test/harness/fixtures/billing.ts';
import { createAccount, password, type TestAccount } from '../../server/test/harness/people.ts';
import { startConsole, type TestConsole } from './harness/console.ts';

let testConsole: TestConsole;
let account: TestAccount;
const spoken: string[] = [];

beforeAll(async () => {
  testConsole = await startConsole(
    {},
    {
      placeCodeCall: async (_tx, { code }) => {
        spoken.push(code);
      },
    },
  );
  account = await createAccount(testConsole.platform);
  await giveCredit(testConsole.platform, account.id, 100);
});
afterAll(() => testConsole?.close());

test('COMPAT-02 an ADMIN changes the account; errors are shown by field', async () => {
  const { page, requests, faults, close } = await testConsole.viewAs(account.admin, '/settings');
  await page.getByLabel('Nome da empresa').fill('Casa Verde');
  await page.getByLabel('Fuso horário').selectOption('America/Manaus');
  const threshold = page.getByLabel('Alerta de saldo baixo em (R$)');
  expect(await threshold.inputValue()).toBe('10,00');
  await threshold.fill('12,3456');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await page.getByText('Informe um valor de 0 a 1.000.000').waitFor();
  await threshold.fill('1.250,50');
  const compatibility = page.getByRole('switch', { name: 'Modo de compatibilidade' });
  expect(await compatibility.isChecked()).toBe(false);
  await compatibility.click();
  const encrypted = page.getByRole('switch', { name: 'Somente telefones criptografados' });
  expect(await encrypted.isChecked()).toBe(false);
  await encrypted.click();
  const anyMedia = page.getByRole('switch', { name: 'Áudio de qualquer endereço' });
  expect(await anyMedia.isChecked()).toBe(false);
  await anyMedia.click();
  await page.getByRole('button', { name: 'Salvar' }).click();
  await page.getByText('Salvo. Alerta de saldo baixo em R$ 1.250,50.').waitFor();
  const { body } = await account.admin.client.get('/accounts');
  expect(body).toMatchObject({
    name: 'Casa Verde',
    timezone: 'America/Manaus',
    balanceLowThreshold: 1250.5,
    requestHandling: 'lenient',
    encryptedPhonesOnly: true,
    mediaFromAnyAddress: true,
  });
  await page.getByRole('banner').getByText('Casa Verde').waitFor();
  expect(requests.length).toBeLessThanOrEqual(12);
  expect(faults).toEqual([]);
  await close();
});

test('a user can view the account and change only their own password', async () => {
  const user = await account.addUser('USER');
  const { page, requests, close } = await testConsole.viewAs(user, '/settings');
  await page.getByText('Só administradores podem alterar estes dados.').waitFor();
  expect(await page.getByRole('button', { name: 'Salvar' }).count()).toBe(0);
  expect(requests).not.toContain('GET /accounts/limits');
  await page.getByLabel('Senha atual').fill('not the password');
  await page.getByLabel('Nova senha').fill('another long password');
  await page.getByRole('button', { name: 'Alterar senha' }).click();
  await page.getByText('A senha atual está incorreta.').waitFor();
  await page.getByLabel('Senha atual').fill(password);
  await page.getByRole('button', { name: 'Alterar senha' }).click();
  await page.getByText('Senha alterada.').waitFor();
  // The session that changed the password stays valid.
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Configurações' }).waitFor();
  await close();
});

test('limits are shown with their current usage', async () => {
  const { page, close } = await testConsole.viewAs(account.admin, '/settings', { language: 'pt-BR' });
  const panel = page.getByRole('region', { name: 'Limites' });
  await panel.getByText('0 de 10 em uso agora').waitFor();
  expect(await panel.textContent()).toContain('Brasil');
  await panel.getByText('Requisições à API').click();
  await panel
    .getByText(/por endereço IP/)
    .first()
    .waitFor();
  await close();
});

test('LIMIT-19 a budget is shown with its use, and whether it was set for the account', async () => {
  const limited = await createAccount(testConsole.platform);
  await testConsole.platform.database.query(
    "insert into account_budgets (account_id, resource, most) values ($1, 'users', 25)",
    [limited.id],
  );
  const { page, close } = await testConsole.viewAs(limited.admin, '/settings', { language: 'pt-BR' });
  const panel = page.getByRole('region', { name: 'Limites' });
  await panel.getByText('1 de 25').waitFor();
  expect(await panel.textContent()).toMatch(/Usuários1 de 25\s*definido pelo operador/);
  // Resources without a budget are not shown.
  expect(await panel.textContent()).not.toContain('Gravações armazenadas');
  await close();
});

test('a caller ID is verified by a spoken code, and can be removed', async () => {
  const { page, faults, close } = await testConsole.viewAs(account.admin, '/settings');
  const panel = page.getByRole('region', { name: 'Identificador de chamadas' });
  await panel.getByText('Nenhum número verificado').waitFor();
  await panel.getByLabel('Número com DDD').fill('123');
  await panel.getByRole('button', { name: 'Receber código por ligação' }).click();
  await panel.getByText('Informe um número válido').waitFor();
  await panel.getByLabel('Número com DDD').fill('(11) 98765-4321');
  await panel.getByRole('button', { name: 'Receber código por ligação' }).click();
  await panel.getByText('Aguardando código').waitFor();
  const code = spoken.at(-1) ?? '';
  const field = panel.getByLabel('Código para +55 11 98765-4321');
  await field.fill(code === '000000' ? '000001' : '000000');
  await panel.getByRole('button', { name: 'Verificar' }).click();
  await panel.getByText('Código incorreto.').waitFor();
  await field.fill(code);
  await panel.getByRole('button', { name: 'Verificar' }).click();
  await panel.getByText('Verificado').waitFor();
  await panel.getByRole('button', { name: 'Remover +55 11 98765-4321' }).click();
  await panel.getByRole('button', { name: 'Remover', exact: true }).click();
  await panel.getByText('Nenhum número verificado').waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('time zones start with those of Brazil', async () => {
  const { page, close } = await testConsole.viewAs(account.admin, '/settings');
  const groups = page.getByLabel('Fuso horário').locator('optgroup');
  await groups.first().waitFor({ state: 'attached' });
  expect(await groups.evaluateAll((each) => each.map((group) => group.getAttribute('label')))).toEqual([
    'Brasil',
    'Outros países',
  ]);
  expect(await groups.first().locator('option').first().textContent()).toBe('São Paulo, Brasília (GMT-3)');
  expect(await groups.first().locator('option').count()).toBe(16);
  expect(await groups.last().locator('option').allTextContents()).toContain('Africa/Abidjan (GMT+0)');
  await close();
});

test('LIMIT-33 the settings show how long data is kept', async () => {
  const { body } = await account.admin.client.get('/accounts/limits');
  expect(body.retention).toEqual({
    callMonths: 60,
    recordingDays: 90,
    eventDays: 90,
    deliveryDays: 30,
    requestDays: 7,
  });
  const { page, faults, close } = await testConsole.viewAs(account.admin, '/settings');
  const panel = page.getByRole('region', { name: 'Armazenamento e auditoria' });
  await panel.getByText('60 meses completos').waitFor();
  expect(await panel.getByRole('definition').allTextContents()).toEqual([
    '60 meses completos',
    '90 dias',
    '90 dias',
    '30 dias',
    '7 dias',
    'sem prazo',
  ]);
  await panel.getByRole('link', { name: 'Ver alterações na conta' }).click();
  await page.getByRole('heading', { level: 1, name: 'Alterações na conta' }).waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('ACCT-06 an ADMIN reads the changes of the account with their authors, by subject, author and period', async () => {
  const own = await createAccount(testConsole.platform);
  const colleague = await own.addUser('ADMIN');
  await colleague.client.patch('/accounts', { name: 'Casa Azul' });
  const { page, faults, close } = await testConsole.viewAs(own.admin, '/audit');
  const entries = page.getByRole('list', { name: 'Alterações na conta' }).locator(':scope > li');
  const changed = entries.filter({ hasText: 'Conta alterada' });
  await changed.getByText(colleague.email).waitFor();
  await changed.getByText('Casa Azul').waitFor();
  await page.getByLabel('Assunto').selectOption('Usuários');
  await expect.poll(() => changed.count()).toBe(0);
  await entries.filter({ hasText: 'Usuário criado' }).waitFor();
  await page.getByLabel('Assunto').selectOption('Todos');
  await page.getByLabel('Período').selectOption('Últimos 7 dias');
  await page.getByLabel('Autor').fill(colleague.email.slice(0, 12));
  await page.getByRole('button', { name: 'Buscar', exact: true }).click();
  await changed.waitFor();
  await expect.poll(() => entries.filter({ hasText: 'Usuário criado' }).count()).toBe(0);
  expect(new URL(page.url()).searchParams.get('by')).toBe(colleague.email.slice(0, 12));
  await page.getByLabel('Autor').fill('100%_none');
  await page.getByRole('button', { name: 'Buscar', exact: true }).click();
  await page.getByText('Nenhuma alteração corresponde').waitFor();
  expect(faults).toEqual([]);
  await close();
  const user = await own.addUser();
  const other = await testConsole.viewAs(user, '/audit');
  await other.page.getByText('Só administradores podem ver as alterações').waitFor();
  await other.close();
});

test('ACCT-10 an ADMIN of a test account requests live mode in the settings', async () => {
  const own = await createAccount(testConsole.platform);
  const { page, faults, close } = await testConsole.viewAs(own.admin, '/settings');
  await page.getByRole('button', { name: 'Pedir modo de produção' }).click();
  await page.getByText(/Modo de produção pedido em \d{2}\/\d{2}\/\d{4}/).waitFor();
  expect((await own.admin.client.get('/accounts')).body.liveRequestedAt).toEqual(expect.any(String));
  await page.reload();
  await page.getByText('Modo de produção pedido em').waitFor();
  expect(await page.getByRole('button', { name: 'Pedir modo de produção' }).count()).toBe(0);
  expect(faults).toEqual([]);
  await close();
});
