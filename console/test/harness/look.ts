import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { violations } from './axe.ts';
import type { Language } from './browser.ts';
import { illegible, resize, widths } from './legible.ts';

/** Where `./dev screenshots` wants a picture of every screen; without it none is taken. */
const pictures = process.env.DISCA_SCREENSHOTS;

interface Looked {
  /** The picture's name. */
  name: string;
  language: Language;
  /** The widths at which axe judges it, in pt-BR: words do not change what it looks at. */
  judgedWidths: readonly number[];
  fullPage: boolean;
}

/** Everything wrong with what the page shows now, where it was seen. What shows nothing new is not looked at. */
export async function look(page: Page, looked: Looked): Promise<string[]> {
  const { name, language, judgedWidths, fullPage } = looked;
  const found: string[] = [];
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    // The page hears of it a moment later.
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
