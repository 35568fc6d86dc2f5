import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertCalls } from '../../server/test/harness/fixtures/call-rows.ts';
import { createAccount, type TestAccount } from '../../server/test/harness/people.ts';
import { addIntegration } from '../../server/test/harness/webhooks/webhook-platform.ts';
import { startConsole, type TestConsole } from './harness/console.ts';
import { plainCall } from './harness/demo-calls.ts';

let testConsole: TestConsole;
let account: TestAccount;

beforeAll(async () => {
  testConsole = await startConsole();
  account = await createAccount(testConsole.platform);
});
afterAll(() => testConsole?.close());

test('empty lists have a button that leads to what fills them', async () => {
  const { id } = await addIntegration(account.admin, 'https://hooks.example.com/');
  const { page, faults, close } = await testConsole.viewAs(account.admin, '/calls');
  await page.getByRole('link', { name: 'Configurar um telefone' }).click();
  await page.waitForURL('**/extensions');

  await page.goto('/credit');
  for (const name of ['Extrato', 'Cobranças']) {
    await page.getByRole('region', { name }).getByRole('button', { name: 'Adicionar saldo' }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('amount');
    await page.getByRole('heading', { level: 1 }).click();
  }

  await page.goto('/audit?by=unknown');
  await page.getByRole('button', { name: 'Limpar filtros' }).click();
  await page.getByRole('list', { name: 'Alterações na conta' }).waitFor();

  await page.goto(`/integrations?integration=${id}`);
  await page.locator('main').getByRole('button', { name: 'Enviar teste' }).click();
  await page.waitForURL(/part=test/);
  await page.goto(`/integrations?integration=${id}&state=failed`);
  await page.getByRole('button', { name: 'Limpar filtros' }).click();
  await page.getByText('Nada foi enviado nos últimos 30 dias').waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('a list that loads has rows of the height of those that come, so that nothing moves', async () => {
  const other = await createAccount(testConsole.platform);
  const nowMs = testConsole.platform.clock.now().getTime();
  const calls = Array.from({ length: 12 }, (_, n) => plainCall(n, nowMs));
  await insertCalls(testConsole.platform.database, other, calls);
  const { page, faults, close } = await testConsole.viewAs(other.admin, '/settings');
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/calls\/search/, async (route) => {
    await released;
    await route.continue();
  });
  await page.getByRole('link', { name: 'Chamadas', exact: true }).first().click();
  const waiting = page.locator('main').getByRole('status', { name: 'Carregando' }).locator('> div > div');
  await expect.poll(() => waiting.count()).toBe(12);
  const expected = (await waiting.first().boundingBox())?.height;
  release();
  const row = page.locator('tbody tr').first();
  await row.waitFor();
  expect((await row.boundingBox())?.height).toBe(expected);
  expect(faults).toEqual([]);
  await close();
});
