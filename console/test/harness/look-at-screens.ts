import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Screen, screens } from '../screens.ts';
import { violations } from './axe.ts';
import type { Language, Theme, View } from './browser.ts';
import { startConsole, type TestConsole } from './console.ts';
import { illegible, resize, widths } from './legible.ts';
import { type Scene, setScene } from './scene.ts';

/** Where `./dev screenshots` wants a picture of every screen; without it none is taken. */
const pictures = process.env.DISCA_SCREENSHOTS;
const pictureWidths: number[] = [360, 1440];
const mostRequests = 6;

let house: TestConsole;
let scene: Scene;

async function open(screen: Screen, language: Language): Promise<View> {
  const path = typeof screen.path === 'string' ? screen.path : screen.path(scene);
  const person = { ADMIN: scene.admin, USER: scene.user, nobody: undefined }[screen.as];
  if (person) await person.client.patch('/users', { locale: language });
  const view = person ? await house.viewAs(person, path, { language }) : await house.view({ language });
  if (!person) await view.page.goto(path);
  if (screen.prepare) await screen.prepare(view.page, scene);
  else await view.page.getByRole('heading', { level: 1 }).waitFor();
  await view.settled();
  return view;
}

async function picture(page: Page, screen: Screen, language: Language, theme: Theme, width: number) {
  if (!pictures || !pictureWidths.includes(width)) return;
  mkdirSync(pictures, { recursive: true });
  const path = join(pictures, `${screen.name}-${language}-${theme}-${width}.png`);
  await page.screenshot({ path, fullPage: true });
}

/** Everything wrong with the screen in this language, where it was seen. What shows nothing new is not looked at. */
async function look(page: Page, screen: Screen, language: Language): Promise<string[]> {
  const found: string[] = [];
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    // The page hears of it a moment later.
    await page.locator(`html[data-mantine-color-scheme=${theme}]`).waitFor();
    for (const width of widths) {
      const isRead = theme === 'light';
      // Words do not change what axe looks at, and neither does the middle width.
      const isJudged = language === 'pt-BR' && width !== 768;
      if (!isRead && !isJudged && !pictures) continue;
      await resize(page, width);
      await picture(page, screen, language, theme, width);
      const faults = [...(isRead ? await illegible(page) : []), ...(isJudged ? await violations(page) : [])];
      found.push(...faults.map((fault) => `${theme}, ${width} px: ${fault}`));
    }
  }
  return found;
}

/** All screens in one language. Each language has a file of its own, so that two workers share the work. */
export function lookAtScreens(language: Language): void {
  describe(`in ${language}`, () => {
    beforeAll(async () => {
      house = await startConsole({
        EDGE_TLS_ADDRESS: 'sip.disca.example:5061',
        EDGE_SIP_ADDRESS: 'sip.disca.example:5060',
      });
      scene = await setScene(house.platform);
    });
    afterAll(() => house?.close());

    test.each(screens)(
      '$name is legible at every width and has no violation in either theme',
      async (screen) => {
        const { page, faults, asked, close } = await open(screen, language);
        if (!screen.prepare) expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(mostRequests);
        expect([...(await look(page, screen, language)), ...faults]).toEqual([]);
        await close();
      },
    );
  });
}
