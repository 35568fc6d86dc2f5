import type { Page } from 'playwright-core';
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

/** Refuses the first requests to a path as the API refuses those over a limit, but for a shorter time. */
async function refuseFirst(page: Page, path: RegExp, count: number): Promise<{ refused: number }> {
  const seen = { refused: 0 };
  await page.route(path, async (route) => {
    if (seen.refused >= count) return await route.fallback();
    seen.refused += 1;
    await route.fulfill({
      status: 429,
      headers: { 'Retry-After': '2' },
      json: { error: { statusCode: 429, errorCode: 'RATE_LIMITED', message: 'Too many requests.' } },
    });
  });
  return seen;
}

test('LIMIT-34 a panel whose request is over a limit counts down and loads again, beside the others', async () => {
  const { page, close } = await testConsole.viewAs(account.admin, '/calls');
  const seen = await refuseFirst(page, /\/api\/v1\/accounts\/limits/, 2);
  await page.getByRole('link', { name: 'Configurações' }).first().click();
  const panel = page.getByRole('region', { name: 'Limites' });
  await panel.getByText(/Muitas requisições em pouco tempo\. Nova tentativa em \d+ segundos?\./).waitFor();
  await page.getByRole('heading', { level: 1, name: 'Configurações' }).waitFor();
  await page.getByLabel('Nome da empresa').waitFor();
  await panel.getByText('Chamadas simultâneas').waitFor();
  expect(seen.refused).toBe(2);
  expect(await page.getByText('Muitas requisições').count()).toBe(0);
  await close();
});

test('LIMIT-34 a page whose session is over a limit waits and opens', async () => {
  const { page, close } = await testConsole.viewAs(account.admin, '/settings');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const seen = await refuseFirst(page, /\/api\/v1\/users\/me\/context/, 5);
  await page.goto('/calls');
  await page.getByText('A página abre automaticamente em instantes.').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Chamadas' }).waitFor();
  expect(seen.refused).toBe(5);
  expect(await page.getByText('Algo deu errado').count()).toBe(0);
  await close();
});
