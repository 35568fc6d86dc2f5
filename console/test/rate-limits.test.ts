import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount, type TestAccount } from '../../server/test/harness/people.ts';
import { violations } from './harness/axe.ts';
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

test('LIMIT-34 a page whose session is over a limit shows its frame with a countdown, and opens', async () => {
  const { page, close } = await testConsole.viewAs(account.admin, '/settings');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const seen = await refuseFirst(page, /\/api\/v1\/users\/me\/context/, 5);
  await page.goto('/calls');
  await page
    .getByRole('status')
    .getByText(/Nova tentativa em \d+ segundos?\./)
    .waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Chamadas' }).first().waitFor();
  await page.getByRole('banner').waitFor();
  expect(await violations(page, 'all')).toEqual([]);
  await page.getByLabel('Buscar chamadas').waitFor();
  expect(seen.refused).toBe(5);
  expect(await page.getByText('Algo deu errado').count()).toBe(0);
  await close();
});

test('LIMIT-32 LIMIT-34 LIMIT-35 40 page loads stay within the limits, and one over them shows the frame', async () => {
  const limited = await startConsole({ RATE_LIMIT_SCALE: '1' });
  const { admin } = await createAccount(limited.platform);
  const { page, faults, close } = await limited.viewAs(admin, '/calls');
  const paths = ['/', '/calls', '/extensions', '/settings', '/people', '/calls', '/integrations', '/credit'];
  for (let load = 0; load < 40; load += 1) {
    await page.goto(paths[load % paths.length] as string);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByText(/Algo deu errado|Muitas requisições/).count()).toBe(0);
  }
  await page.goto('/calls?period=7d');
  await page.getByText('0 chamadas', { exact: true }).waitFor();
  expect(faults).toEqual([]);

  const isOver = await page.evaluate(async () => {
    const headers = { 'X-Disca-Console': '1' };
    for (let sent = 0; sent < 300; sent += 1)
      if ((await fetch('/api/v1/users/me/context', { headers })).status === 429) return true;
    return false;
  });
  expect(isOver).toBe(true);
  await page.goto('/calls');
  await page
    .getByRole('status')
    .getByText(/Nova tentativa em \d+ segundos?\./)
    .waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Ramais' }).first().waitFor();
  expect(await page.getByText('Algo deu errado').count()).toBe(0);
  await close();
  await limited.platform.close();
});
