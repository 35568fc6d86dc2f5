import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules whose result depends on the colours. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/**
 * Returns the axe violations of the current page, one line per element: of all rules, or only of those that depend on
 * the colours.
 */
export async function violations(page: Page, rules: 'all' | 'colours' = 'all'): Promise<string[]> {
  // Evaluated by the debugger, which bypasses the content security policy.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  return await page.evaluate(
    async (runOnly) => {
      const { axe } = window as unknown as { axe: { run(options: object): Promise<AxeResults> } };
      // Preloading styles creates style elements that the content security policy blocks; no rule needs it. Describing
      // elements without violations would take most of the time.
      const found = await axe.run({
        preload: false,
        resultTypes: ['violations'],
        ...(runOnly && { runOnly }),
      });
      return found.violations.flatMap(({ id, nodes }) =>
        // The region rule does not apply to portals: a popover belongs to the element that opened it.
        nodes
          .filter(({ html }) => id !== 'region' || !html.includes('data-portal'))
          .map(
            ({ html, failureSummary }) =>
              `${id}: ${html.slice(0, 160)}\n  ${failureSummary?.replaceAll('\n', ' ')}`,
          ),
      );
    },
    rules === 'colours' && colourRules,
  );
}
