import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { violations } from './axe.ts';
import type { Language } from './browser.ts';
import { illegible, resize, widths } from './legible.ts';

/** Output folder of `./dev screenshots`; without it no screenshots are taken. */
const pictures = process.env.DISCA_SCREENSHOTS;

interface Looked {
  /** Name of the screenshot. */
  name: string;
  language: Language;
  /** Widths for axe, in pt-BR only: its rules do not depend on the language. */
  judgedWidths: readonly number[];
  fullPage: boolean;
}

/** Returns all problems of the current page with where they occur. Skips combinations that show nothing new. */
export async function look(page: Page, looked: Looked): Promise<string[]> {
  const { name, language, judgedWidths, fullPage } = looked;
  const found: string[] = [];
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    // The page applies the theme asynchronously.
    await page.locator(`html[data-mantine-color-scheme=${theme}]`).waitFor();
    for (const width of widths) {
      const isRead = theme === 'light';
      const isJudged = language === 'pt-BR' && judgedWidths.includes(width);
      if (!isRead && !isJudged && !pictures) continue;
      await resize(page, width);
      if (pictures && width !== 768) {
        mkdirSync(pictures, { recursive: true });
        await page.screenshot({
          path: join(pictures, `${name}-${language}-${theme}-${width}.png`),
          fullPage,
        });
      }
      const faults = [...(isRead ? await illegible(page) : []), ...(isJudged ? await violations(page) : [])];
      found.push(...faults.map((fault) => `${name}, ${theme}, ${width} px: ${fault}`));
    }
  }
  return found;
}
