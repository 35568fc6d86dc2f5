import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount, password, type TestAccount } from '../../server/test/harness/people.ts';
import { startConsole, type TestConsole } from './harness/console.ts';

let testConsole: TestConsole;
let account: TestAccount;

beforeAll(async () => {
  testConsole = await startConsole();
  account = await createAccount(testConsole.platform);
});
afterAll(() => testConsole?.close());

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    return element?.getAttribute('aria-label') ?? element?.getAttribute('name') ?? element?.textContent ?? '';
  });

/** Presses Tab until an element with this name has the focus. */
async function tabTo(page: Page, label: RegExp, maxPresses = 30): Promise<void> {
  const seen: string[] = [];
  for (let pressed = 0; pressed < maxPresses; pressed += 1) {
    await page.keyboard.press('Tab');
    const name = await focused(page);
    if (label.test(name)) return;
    seen.push(name);
  }
  throw new Error(`Tab did not reach ${label}: ${seen.join(' · ')}`);
}

/** Opens the focused menu and waits until its first item has the focus. */
async function openMenu(page: Page): Promise<void> {
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /^menuitem/.test(document.activeElement?.getAttribute('role') ?? ''));
}

/** Returns the focus outline, which must be visible. */
const outline = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!element) return 'none';
    const { outlineStyle, outlineWidth, borderColor } = getComputedStyle(element);
    return element.tagName === 'INPUT' ? borderColor : `${outlineStyle} ${outlineWidth}`;
  });

test('login, navigation, language, theme and logout work by keyboard alone', async () => {
  const { page, faults, close } = await testConsole.view();
  await page.goto('/login');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await tabTo(page, /^email$/);
  await page.keyboard.type(account.admin.email);
  await tabTo(page, /^password$/);
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Início' }).waitFor();

  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Ir para o conteúdo');
  await tabTo(page, /^Ramais$/);
  await expect.poll(() => outline(page)).toBe('solid 2px');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Ramais' }).waitFor();

  await tabTo(page, /^Você: /, 60);
  await openMenu(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Extensions' }).waitFor();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Extensions' }).waitFor();

  await tabTo(page, /^You: /, 60);
  await openMenu(page);
  for (let down = 0; down < 3; down += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => page.evaluate(() => document.documentElement.dataset.mantineColorScheme))
    .toBe('dark');
  await tabTo(page, /^You: /, 60);
  await openMenu(page);
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/login');
  expect(faults).toEqual([]);
  await close();
});

test('the palette finds screens, extensions, calls and numbers, and restores focus', async () => {
  // Separate users, because the other test leaves its users with English as language.
  const { admin } = await createAccount(testConsole.platform);
  await admin.client.post('/extensions', {
    ramal: '1042',
    senha: 'uma senha longa',
    first_name: 'Conceição',
    last_name: 'Lima',
    email_address: admin.email,
    bina: '',
    gravar_audio: 1,
  });
  const { page, requests, faults, close } = await testConsole.viewAs(admin, '/settings');
  await page.getByLabel('Nome da empresa').focus();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('dialog').getByRole('combobox');
  await field.waitFor();
  await page.keyboard.type('cham');
  const options = page.getByRole('dialog').getByRole('option');
  await expect.poll(() => options.allTextContents()).toEqual(['ChamadasTela']);
  await field.fill('conceicao');
  await page
    .getByRole('dialog')
    .getByRole('option', { name: /Ramal 1042, Conceição Lima/ })
    .waitFor();
  await field.fill('+55 11 98765-4321');
  await page
    .getByRole('dialog')
    .getByRole('option', { name: /Chamadas com \+55 11 98765-4321/ })
    .waitFor();
  // A national number: the area code must not be taken for a country code.
  await field.fill('31 98765-4321');
  for (const does of ['Chamadas com', 'Ligar para'])
    await page
      .getByRole('dialog')
      .getByRole('option', { name: `${does} +55 31 98765-4321` })
      .waitFor();
  await field.fill('nothing like it');
  await page.getByText('Nenhum resultado').waitFor();
  expect(requests.filter((each) => each === 'GET /extensions')).toHaveLength(1);
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toBe('name');
  await page.keyboard.press('Control+k');
  await field.fill('0190f5a8-0000-7000-8000-000000000000');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/calls/0190f5a8-0000-7000-8000-000000000000');
  expect(faults).toEqual([]);
  await close();
});

test('the palette creates an extension and changes the theme', async () => {
  const { admin } = await createAccount(testConsole.platform);
  const { page, faults, close } = await testConsole.viewAs(admin, '/settings');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const choose = async (text: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill(text);
    await page.getByRole('dialog').getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
  };
  await choose('tema escuro');
  await page.waitForFunction(() => document.documentElement.dataset.mantineColorScheme === 'dark');
  await choose('criar ramal');
  await page.getByRole('dialog', { name: 'Novo ramal' }).waitFor();
  // The address no longer opens the form, so that reloading the page does not.
  expect(new URL(page.url()).hash).toBe('');
  expect(faults).toEqual([]);
  await close();
});
