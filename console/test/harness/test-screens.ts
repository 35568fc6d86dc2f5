import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Screen, screens } from '../screens.ts';
import { type Language, nothing, openPage, type View } from './browser.ts';
import { checkScreen } from './check-screen.ts';
import { startConsole, type TestConsole } from './console.ts';
import { createDemoAccount, type DemoAccount } from './demo-account.ts';

const maxRequests = 6;

let testConsole: TestConsole;
let demo: DemoAccount;

/** Opens a browser context in which this role is logged in. */
async function openContext(as: Screen['as'], language: Language): Promise<View> {
  const person = { ADMIN: demo.admin, USER: demo.user, 'logged-out': undefined }[as];
  await person?.client.patch('/users', { locale: language });
  return person
    ? await testConsole.viewAs(person, nothing, { language })
    : await testConsole.view({ language });
}

const contexts = new Map<Screen['as'], Promise<View>>();

/** Opens a page in the context of the role, which its screens share: the browser loads and compiles the console once. */
async function openShared(as: Screen['as'], language: Language): Promise<View> {
  const shared = contexts.get(as) ?? openContext(as, language);
  contexts.set(as, shared);
  return await openPage((await shared).context, testConsole.baseUrl);
}

async function open({ as, path, changesSession, prepare }: Screen, language: Language): Promise<View> {
  const view = await (changesSession ? openContext(as, language) : openShared(as, language));
  const { page } = view;
  onTestFinished(async () => {
    await page.evaluate(() => localStorage.clear());
    await view.close();
  });
  await page.goto(typeof path === 'string' ? path : path(demo));
  if (prepare) await prepare(page, demo);
  else await page.getByRole('heading', { level: 1 }).waitFor();
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
      contexts.clear();
    });
    afterAll(() => testConsole?.close());

    test.each(screens)(
      '$name is legible at every width and has no axe violations in either theme',
      async (screen) => {
        const { page, faults, requests } = await open(screen, language);
        if (!screen.prepare) expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(maxRequests);
        const { name } = screen;
        const problems = await checkScreen(page, { name, language, axeWidths: [360, 1440], fullPage: true });
        expect([...problems, ...faults]).toEqual([]);
      },
    );
  });
}
