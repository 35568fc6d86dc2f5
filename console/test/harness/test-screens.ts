import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Screen, screens } from '../screens.ts';
import type { Language, View } from './browser.ts';
import { checkScreen } from './check-screen.ts';
import { startConsole, type TestConsole } from './console.ts';
import { createDemoAccount, type DemoAccount } from './demo-account.ts';

const maxRequests = 6;

let testConsole: TestConsole;
let demo: DemoAccount;

async function open(screen: Screen, language: Language): Promise<View> {
  const path = typeof screen.path === 'string' ? screen.path : screen.path(demo);
  const person = { ADMIN: demo.admin, USER: demo.user, 'logged-out': undefined }[screen.as];
  if (person) await person.client.patch('/users', { locale: language });
  const view = person
    ? await testConsole.viewAs(person, path, { language })
    : await testConsole.view({ language });
  if (!person) await view.page.goto(path);
  if (screen.prepare) await screen.prepare(view.page, demo);
  else await view.page.getByRole('heading', { level: 1 }).waitFor();
  await view.settled();
  return view;
}

/** Checks all screens in one language. Each language has its own test file, so that two workers share the work. */
export function testScreens(language: Language): void {
  describe(`in ${language}`, () => {
    beforeAll(async () => {
      testConsole = await startConsole({
        EDGE_TLS_ADDRESS: 'sip.disca.example:5061',
        EDGE_SIP_ADDRESS: 'sip.disca.example:5060',
      });
      demo = await createDemoAccount(testConsole.platform);
    });
    afterAll(() => testConsole?.close());

    test.each(screens)(
      '$name is legible at every width and has no axe violations in either theme',
      async (screen) => {
        const { page, faults, requests, close } = await open(screen, language);
        if (!screen.prepare) expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(maxRequests);
        const { name } = screen;
        const problems = await checkScreen(page, { name, language, axeWidths: [360, 1440], fullPage: true });
        expect([...problems, ...faults]).toEqual([]);
        await close();
      },
    );
  });
}
