import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong with the page as it is shown now, one line for every element. */
export async function violations(page: Page): Promise<string[]> {
  // Evaluated by the debugger, so that the page's policy does not have to allow it.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  const results = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(options: object): Promise<AxeResults> } };
    // Reading all styles beforehand makes style elements that the page's policy refuses; no rule needs it.
    return await axe.run({ preload: false });
  });
  return results.violations.flatMap(({ id, nodes }) =>
    // What pops up belongs to what opened it, wherever it stands in the document.
    nodes
      .filter(({ html }) => id !== 'region' || !html.includes('data-portal'))
      .map(
        ({ html, failureSummary }) =>
          `${id}: ${html.slice(0, 160)}\n  ${failureSummary?.replaceAll('\n', ' ')}`,
      ),
  );
}
