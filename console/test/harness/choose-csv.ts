import type { Page } from 'playwright-core';

/** Starts a download of the console in one of its formats. */
export async function chooseCsv(page: Page, button: string, format: string): Promise<void> {
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('menuitem', { name: format }).click();
}
