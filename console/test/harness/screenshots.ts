import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Language, Theme } from './browser.ts';
import { resize } from './legible.ts';

/** Output folder of `./dev screenshots`; without it no screenshots are taken. */
const directory = process.env.DISCA_SCREENSHOTS;
/** Takes the images of the README only. */
const takesReadme = process.env.DISCA_SCREENSHOTS_OF === 'readme';

export const takesScreenshots = directory !== undefined;

/** A telephone, a tablet and a computer, in CSS pixels. */
const screenshotWidths = [390, 768, 1440] as const;

/** Images of the README: name of the screenshot, file, and the height where a long page is cut. */
const readmeImages: Record<string, { file: string; height?: number }> = {
  'home-en-dark-1440': { file: 'home.png' },
  'call-en-light-1440': { file: 'call.png', height: 1172 },
  'phone-talking-en-light-390': { file: 'phone.png' },
};

interface Screenshot {
  name: string;
  language: Language;
  theme: Theme;
  /** Whether the whole page is shown, or the viewport. */
  fullPage: boolean;
}

/** Saves the current page at each width. */
export async function takeScreenshots(page: Page, screenshot: Screenshot): Promise<void> {
  const { name, language, theme, fullPage } = screenshot;
  if (directory === undefined) return;
  mkdirSync(directory, { recursive: true });
  for (const width of screenshotWidths) {
    const key = `${name}-${language}-${theme}-${width}`;
    const { file, height } = takesReadme ? (readmeImages[key] ?? {}) : { file: `${key}.png` };
    if (file === undefined) continue;
    await resize(page, width);
    const isCovered = (await page.locator('dialog[open]').count()) > 0;
    // The bars at the edges of the viewport would be in the middle of a page that is taller than it.
    if (fullPage && !isCovered) {
      await resize(page, width, height ?? (await heightOf(page)));
      await page.evaluate(() => window.scrollTo(0, 0));
    }
    await page.screenshot({ path: join(directory, file) });
  }
}

const heightOf = (page: Page): Promise<number> =>
  page.evaluate(() => (document.scrollingElement ?? document.body).scrollHeight);
