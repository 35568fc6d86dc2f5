import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount, type TestAccount } from '../../server/test/harness/people.ts';
import { startConsole, type TestConsole } from './harness/console.ts';

let testConsole: TestConsole;
let account: TestAccount;

beforeAll(async () => {
  testConsole = await startConsole();
  account = await createAccount(testConsole.platform);
});
afterAll(() => testConsole?.close());

/** Opens the console, then removes all chunks not loaded yet; `page` is the new index page, if any. */
async function openWithout(page: string | undefined) {
  const view = await testConsole.viewAs(account.admin, '/people');
  await view.page.getByRole('heading', { name: 'Pessoas e tokens', level: 1 }).waitFor();
  await view.settled();
  let loads = 0;
  view.page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  await view.page.route('**/assets/**', (route) =>
    loads === 0 ? route.fulfill({ status: 404 }) : route.continue(),
  );
  await view.page.route('/', (route) =>
    page !== undefined && route.request().resourceType() === 'fetch'
      ? route.fulfill({ contentType: 'text/html', body: page })
      : route.continue(),
  );
  return { ...view, loads: () => loads };
}

const toSettings = () => history.pushState({}, '', '/settings');

test('a tab of an older build reloads when it opens the next screen', async () => {
  const { page, loads, close } = await openWithout('<script type="module" src="/assets/newer.js"></script>');
  await page.evaluate(toSettings);
  await page.getByRole('heading', { name: 'Configurações', level: 1 }).waitFor();
  expect(loads()).toBe(1);
  await close();
});

test('a missing chunk of the same build is reported without a reload', async () => {
  const { page, loads, close } = await openWithout(undefined);
  await page.evaluate(toSettings);
  await page.getByRole('heading', { name: 'Algo deu errado' }).waitFor();
  await page.waitForTimeout(500);
  expect(loads()).toBe(0);
  await close();
});
