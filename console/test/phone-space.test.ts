import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertCalls } from '../../server/test/harness/fixtures/call-rows.ts';
import { createAccount, type TestAccount } from '../../server/test/harness/people.ts';
import { texts } from '../src/locales/pt-BR/index.ts';
import { startConsole, type TestConsole } from './harness/console.ts';
import { resize } from './harness/legible.ts';

let testConsole: TestConsole;
let account: TestAccount;

beforeAll(async () => {
  testConsole = await startConsole();
  account = await createAccount(testConsole.platform);
  const calls = Array.from({ length: 40 }, (_, index) => ({
    startedAt: new Date(Date.now() - index * 60_000),
  }));
  await insertCalls(testConsole.platform.database, account, calls);
});
afterAll(() => testConsole?.close());

/** Scrolls to the end, and returns the texts and controls of the page that are behind the phone. */
const findCovered = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    window.scrollTo({ top: document.documentElement.scrollHeight });
    await new Promise((resolve) => setTimeout(resolve, 300));
    const phone = document.querySelector('aside[aria-label="Telefone"]')?.getBoundingClientRect();
    if (!phone) return ['there is no phone'];
    return [...document.querySelectorAll('main a, main button, main td, main p')]
      .filter((each) => {
        const box = each.getBoundingClientRect();
        const isBeside = box.right <= phone.left || box.left >= phone.right;
        return box.height > 0 && !isBeside && box.bottom > phone.top && box.top < phone.bottom;
      })
      .map((each) => `${each.tagName} ${each.textContent?.trim()}`);
  });

/** Returns by how much the content of a button is taller than it. The area around it that takes touches does not count. */
function contentBeyond(button: Element): number {
  const content = document.createRange();
  content.selectNodeContents(button);
  return content.getBoundingClientRect().height - button.clientHeight;
}

test.each([1440, 1024, 768, 360])(
  'at %i px the phone covers nothing at the end of a page, open or minimised, and the search is one line',
  async (width) => {
    const { page, faults, close } = await testConsole.viewAs(account.admin, '/calls');
    await page.getByRole('table').getByRole('link').first().waitFor();
    await resize(page, width);
    expect(await findCovered(page)).toEqual([]);
    await page.getByRole('button', { name: texts.phone.open }).click();
    await page.getByRole('button', { name: texts.phone.minimise }).waitFor();
    await resize(page, width);
    expect(await findCovered(page)).toEqual([]);
    const search = page.getByRole('button', { name: texts.shell.palette.open });
    expect(await search.evaluate(contentBeyond)).toBeLessThanOrEqual(0);
    expect(faults).toEqual([]);
    await close();
  },
);
