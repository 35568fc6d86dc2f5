import type { Page } from 'playwright-core';
import { storageKey } from '../../src/locales/texts.ts';
import { violations } from './axe.ts';
import type { Language, Theme } from './browser.ts';
import { findIllegibleTexts, findSmallTargets, resize, widths } from './legible.ts';
import { takeScreenshots, takesScreenshots } from './screenshots.ts';

const [narrowest] = widths;

interface ScreenCheck {
  /** Name of the screenshot. */
  name: string;
  language: Language;
  /** Widths for axe, in pt-BR only: its rules do not depend on the language. */
  axeWidths: readonly number[];
  fullPage: boolean;
}

/**
 * Returns all problems of the current page with where they occur. Skips combinations that show nothing new. For
 * `./dev screenshots` only takes the pictures.
 */
export async function checkScreen(page: Page, options: ScreenCheck): Promise<string[]> {
  const { name, language, axeWidths, fullPage } = options;
  const problems: string[] = [];
  for (const theme of ['light', 'dark'] as const) {
    if (takesScreenshots) {
      await setTheme(page, theme);
      await takeScreenshots(page, { name, language, theme, fullPage });
      continue;
    }
    const checksTexts = theme === 'light';
    const needsAxe = (width: number): boolean => language === 'pt-BR' && axeWidths.includes(width);
    const checked = widths.filter((width) => checksTexts || needsAxe(width));
    if (checked.length > 0) await setTheme(page, theme);
    // The dark theme starts at the width at which the light one ends.
    for (const width of theme === 'light' ? checked : checked.toReversed()) {
      await resize(page, width);
      const faults = [
        ...(checksTexts ? await findIllegibleTexts(page) : []),
        ...(checksTexts && width === narrowest ? await findSmallTargets(page) : []),
        // A theme changes only colours.
        ...(needsAxe(width) ? await violations(page, theme === 'light' ? 'all' : 'colours') : []),
      ];
      problems.push(...faults.map((fault) => `${name}, ${theme}, ${width} px: ${fault}`));
    }
  }
  return problems;
}

/** Shows the page in a language as if it was chosen in another tab. */
export async function showIn(page: Page, language: Language): Promise<void> {
  await page.evaluate(
    ([key, newValue]) => {
      localStorage.setItem(key, newValue);
      dispatchEvent(new StorageEvent('storage', { key, newValue }));
    },
    [storageKey, language] as const,
  );
  await page.locator(`html[lang=${language}]`).waitFor();
}

async function setTheme(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  // The page applies the theme asynchronously.
  await page.locator(`html[data-mantine-color-scheme=${theme}]`).waitFor();
}
