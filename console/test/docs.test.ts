import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount } from '../../server/test/harness/people.ts';
import { startConsole, type TestConsole } from './harness/console.ts';

let testConsole: TestConsole;

beforeAll(async () => {
  testConsole = await startConsole();
});
afterAll(() => testConsole?.close());

test('MANUAL-03 the console links to the manual in its language', async () => {
  const { admin } = await createAccount(testConsole.platform);
  const { page, faults, close } = await testConsole.viewAs(admin, '/settings');
  const link = page.getByRole('navigation').getByRole('link', { name: 'Documentação' });
  expect(await link.getAttribute('href')).toBe('/manual/pt-BR/');
  await link.click();
  // The manual is not built here, so the API reference is shown instead.
  await page.waitForURL('**/docs/');
  await page.getByRole('heading', { name: 'Disca', exact: false }).first().waitFor();
  expect(faults).toEqual([]);
  await close();

  await admin.client.patch('/users', { locale: 'en' });
  const english = await testConsole.viewAs(admin, '/settings', { language: 'en' });
  expect(await english.page.getByRole('link', { name: 'Docs' }).getAttribute('href')).toBe('/manual/');
  await english.close();
});

test('the API reference has a content security policy that blocks foreign scripts', async () => {
  const { page, faults, close } = await testConsole.view();
  await page.goto('/docs/');
  await page.getByRole('heading', { name: 'Disca', exact: false }).first().waitFor();
  const { margin } = await page.evaluate(() => ({ margin: getComputedStyle(document.body).margin }));
  expect(margin).toBe('0px');
  await page.getByRole('link', { name: 'Extensions' }).first().click();
  await page.getByRole('heading', { name: 'Extensions' }).first().waitFor();
  await page
    .getByRole('button', { name: /Test Request/ })
    .first()
    .click();
  await page.getByRole('button', { name: /^Send/ }).first().waitFor();
  expect(faults).toEqual([]);
  await close();
});
