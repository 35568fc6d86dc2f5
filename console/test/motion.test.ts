import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { extensionBody } from '../../server/test/harness/fixtures/extensions.ts';
import { createAccount, type TestAccount } from '../../server/test/harness/people.ts';
import { startConsole, type TestConsole } from './harness/console.ts';

const sources = join(import.meta.dirname, '../src');
const longestMs = 200;
/** Properties whose change does not move other elements. */
const harmless = /^(opacity|translate|transform|color|background-color|border-color)$/;

let testConsole: TestConsole;
let account: TestAccount;

beforeAll(async () => {
  testConsole = await startConsole();
  account = await createAccount(testConsole.platform);
  await account.admin.client.post('/extensions', extensionBody({ ramal: '1000', first_name: 'Recepção' }));
});
afterAll(() => testConsole?.close());

/** Opens an extension while animations stand still, and returns the running ones of its panel. */
async function openPanel(page: Page): Promise<{ property: string; duration: number }[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Animation.enable');
  await session.send('Animation.setPlaybackRate', { playbackRate: 0 });
  await page.locator('main').getByRole('link', { name: /1000/ }).first().click();
  const panel = page.locator('[data-appears=beside]');
  await panel.waitFor({ state: 'attached' });
  const running = await panel.evaluate((element) =>
    element.getAnimations().map((animation) => ({
      property: (animation as CSSTransition).transitionProperty,
      duration: Number(animation.effect?.getTiming().duration),
    })),
  );
  await session.send('Animation.setPlaybackRate', { playbackRate: 1 });
  await expect.poll(() => panel.evaluate((element) => getComputedStyle(element).opacity)).toBe('1');
  return running;
}

test('a panel fades in briefly from its list, and without motion for users who prefer that', async () => {
  const { page, faults, close } = await testConsole.viewAs(account.admin, '/extensions');
  await page.getByText('Recepção').first().waitFor();
  expect(await openPanel(page)).toEqual([]);
  await page.goto('/extensions');
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.getByText('Recepção').first().waitFor();
  const running = await openPanel(page);
  expect(running.map(({ property }) => property).sort()).toEqual(['opacity', 'translate']);
  for (const { duration } of running) expect(duration).toBeLessThanOrEqual(longestMs);
  expect(faults).toEqual([]);
  await close();
});

test('transitions change only properties that move no other element', () => {
  const sheets = globSync('**/*.css', { cwd: sources });
  const properties = sheets.flatMap((file) =>
    [...readFileSync(join(sources, file), 'utf8').matchAll(/transition:\s*([^;]+);/g)].flatMap(
      ([, all = '']) => all.split(',').map((each) => each.trim().split(/\s/)[0] ?? ''),
    ),
  );
  expect(properties).toContain('translate');
  expect(properties.filter((property) => property !== 'none' && !harmless.test(property))).toEqual([]);
});
