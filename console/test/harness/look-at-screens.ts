import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Screen, screens } from '../screens.ts';
import type { Language, View } from './browser.ts';
import { startConsole, type TestConsole } from './console.ts';
import { look } from './look.ts';
import { type Scene, setScene } from './scene.ts';

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

/** Checks all screens in one language. Each language has its own test file, so that two workers share the work. */
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
      '$name is legible at every width and has no axe violations in either theme',
      async (screen) => {
        const { page, faults, asked, close } = await open(screen, language);
        if (!screen.prepare) expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(mostRequests);
        const { name } = screen;
        const seen = await look(page, { name, language, judgedWidths: [360, 1440], fullPage: true });
        expect([...seen, ...faults]).toEqual([]);
        await close();
      },
    );
  });
}
