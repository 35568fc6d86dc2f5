import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount, type TestAccount } from '../../server/test/harness/people.ts';
import { startConsole, type TestConsole } from './harness/console.ts';

let testConsole: TestConsole;
let account: TestAccount;

beforeAll(async () => {
  testConsole = await startConsole();
  account = await createAccount(testConsole.platform);
});
afterAll(() => testConsole?.close());

const flush = async () => await testConsole.platform.api.app.requestLog?.flush();

test('REQLOG-10 a developer finds a refused request by its id, with error, fields and token', async () => {
  const { body } = await account.admin.client.post('/users/accessTokens', { name: 'CRM' });
  const client = account.admin.client.as(body.id);
  await client.patch('/users', { nome: 'Ana' }, { headers: { 'x-request-id': 'lead-4711-call' } });
  await client.patch('/users', { name: 'Ana' }, { headers: { 'x-request-id': 'lead-4712-call' } });
  await flush();
  const { page, requests, faults, settled, close } = await testConsole.viewAs(account.admin, '/requests');
  const entries = page.getByRole('list', { name: 'Requisições' }).getByRole('listitem');
  await entries.filter({ hasText: 'lead-4712-call' }).waitFor();
  await settled();
  expect(requests.length).toBeLessThanOrEqual(6);
  const refused = entries.filter({ hasText: 'lead-4711-call' });
  for (const text of ['422 Recusada', 'PATCH', '/users', 'VALIDATION_ERROR', 'nome', 'Token: CRM'])
    expect(await refused.textContent()).toContain(text);

  await page.getByLabel('Mostrar').selectOption('Somente erros');
  await expect.poll(() => entries.count()).toBe(1);
  await page.getByLabel('Mostrar').selectOption('Escritas');
  await expect.poll(() => entries.count()).toBe(3);
  await page.getByLabel('Mostrar').selectOption('Campos ignorados');
  await page.getByText('Nenhuma requisição corresponde aos filtros.').waitFor();
  await page.getByLabel('Mostrar').selectOption('Todas');
  await page.getByRole('textbox', { name: 'ID da requisição' }).fill('lead-4711-call');
  await page.keyboard.press('Enter');
  await expect.poll(() => entries.count()).toBe(1);
  expect(new URL(page.url()).searchParams.get('request')).toBe('lead-4711-call');
  expect(await refused.getByRole('button', { name: 'Copiar ID da requisição' }).isVisible()).toBe(true);
  expect(faults).toEqual([]);
  await close();
});

test('REQLOG-10 a USER sees no requests of others, and what will appear', async () => {
  const user = await account.addUser('USER');
  await flush();
  const { page, faults, close } = await testConsole.viewAs(user, '/requests');
  await page.getByText('Nenhuma requisição ainda.').waitFor();
  expect(await page.getByText('lead-4711-call').count()).toBe(0);
  expect(faults).toEqual([]);
  await close();
});

test('REQLOG-10 the page says how many requests are not listed', async () => {
  const { platform } = testConsole;
  const busy = await createAccount(platform);
  await platform.database.query(
    `insert into request_counts (account_id, day, total) values ($1, (now() at time zone 'UTC')::date, 101234)`,
    [busy.id],
  );
  const { page, faults, close } = await testConsole.viewAs(busy.admin, '/requests');
  await page.getByText('Mais 1.234 requisições não estão na lista').waitFor();
  expect(faults).toEqual([]);
  await close();
});
