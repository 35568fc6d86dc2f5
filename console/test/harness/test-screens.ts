import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Screen, screens } from '../screens.ts';
import { nothing, openPage, type View } from './browser.ts';
import { checkScreen, showIn } from './check-screen.ts';
import { startConsole, type TestConsole } from './console.ts';
import { createDemoAccount, type DemoAccount } from './demo-account.ts';

const maxRequests = 6;

let testConsole: TestConsole;
let demo: DemoAccount;

/** Opens a browser context in which this role is logged in. */
async function openContext(as: Screen['as']): Promise<View> {
  const person = { ADMIN: demo.admin, USER: demo.user, 'logged-out': undefined }[as];
  return person ? await testConsole.viewAs(person, nothing) : await testConsole.view();
}

const contexts = new Map<Screen['as'], Promise<View>>();

/** Opens a page in the context of the role, which its screens share: the browser loads and compiles the console once. */
async function openShared(as: Screen['as']): Promise<View> {
  const shared = contexts.get(as) ?? openContext(as);
  contexts.set(as, shared);
  return await openPage((await shared).context, testConsole.baseUrl);
}

async function open({ as, path, changesSession, prepare }: Screen): Promise<View> {
  const view = await (changesSession ? openContext(as) : openShared(as));
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

/**
 * Checks one half of the screens. Each half has its own test file, so that two workers share the work. A screen is loaded
 * and prepared once, and shown at every width, in both themes and in both languages.
 */
export function testScreens(half: 0 | 1): void {
  const middle = Math.ceil(screens.length / 2);
  const ours = half === 0 ? screens.slice(0, middle) : screens.slice(middle);

  beforeAll(async () => {
    testConsole = await startConsole({
      EDGE_TLS_ADDRESS: 'sip.disca.example:5061',
      EDGE_SIP_ADDRESS: 'sip.disca.example:5060',
    });
    demo = await createDemoAccount(testConsole.platform);
    contexts.clear();
  });
  afterAll(() => testConsole?.close());

  test.each(ours)(
    '$name is legible at every width and in both languages, and has no axe violations in either theme',
    async (screen) => {
      const { page, faults, requests } = await open(screen);
      if (!screen.prepare) expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(maxRequests);
      const { name } = screen;
      const problems: string[] = [];
      for (const language of ['pt-BR', 'en'] as const) {
        await showIn(page, language);
        problems.push(
          ...(await checkScreen(page, { name, language, axeWidths: [360, 1440], fullPage: true })),
        );
      }
      expect([...problems, ...faults]).toEqual([]);
    },
  );
}
