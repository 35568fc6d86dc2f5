import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { violations } from './axe.ts';
import type { Language, Theme } from './browser.ts';
import { findIllegibleTexts, resize, widths } from './legible.ts';

/** Output folder of `./dev screenshots`; without it no screenshots are taken. */
const screenshotDir = process.env.DISCA_SCREENSHOTS;

interface ScreenCheck {
  /** Name of the screenshot. */
  name: string;
  language: Language;
  /** Widths for axe, in pt-BR only: its rules do not depend on the language. */
  axeWidths: readonly number[];
  fullPage: boolean;
}

/** Returns all problems of the current page with where they occur. Skips combinations that show nothing new. */
export async function checkScreen(page: Page, options: ScreenCheck): Promise<string[]> {
  const { name, language, axeWidths, fullPage } = options;
  const problems: string[] = [];
  for (const theme of ['light', 'dark'] as const) {
    const checksTexts = theme === 'light';
    const needsAxe = (width: number): boolean => language === 'pt-BR' && axeWidths.includes(width);
    const checked = widths.filter((width) => checksTexts || needsAxe(width) || screenshotDir);
    if (checked.length > 0) await setTheme(page, theme);
    // The dark theme starts at the width at which the light one ends.
    for (const width of theme === 'light' ? checked : checked.toReversed()) {
      await resize(page, width);
      if (screenshotDir && width !== 768) {
        mkdirSync(screenshotDir, { recursive: true });
        await page.screenshot({
          path: join(screenshotDir, `${name}-${language}-${theme}-${width}.png`),
          fullPage,
        });
      }
      const faults = [
        ...(checksTexts ? await findIllegibleTexts(page) : []),
        // A theme changes only colours.
        ...(needsAxe(width) ? await violations(page, theme === 'light' ? 'all' : 'colours') : []),
      ];
      problems.push(...faults.map((fault) => `${name}, ${theme}, ${width} px: ${fault}`));
    }
  }
  return problems;
}

async function setTheme(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  // The page applies the theme asynchronously.
  await page.locator(`html[data-mantine-color-scheme=${theme}]`).waitFor();
}
