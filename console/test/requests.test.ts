import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { extensionBody, seemRegistered } from '../../server/test/extensions/scene.ts';
import { createAccount } from '../../server/test/harness/people.ts';
import { addIntegration } from '../../server/test/webhooks/harness/webhook-platform.ts';
import { startConsole, type TestConsole } from './harness/console.ts';
import { beginCall } from './harness/insert-call.ts';

let house: TestConsole;

beforeAll(async () => {
  house = await startConsole({ EVENT_HEARTBEAT_MS: '1000' });
});
afterAll(() => house?.close());

/** What the tabs of a browser ask, but for the stream, which is one request. */
function countingIn(context: BrowserContext): string[] {
  const asked: string[] = [];
  context.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/v1/') && !pathname.endsWith('/events/stream')) asked.push(pathname);
  });
  return asked;
}

const showsLive = (page: Page, calls: number) =>
  page.getByRole('link', { name: new RegExp(`^${calls} chamadas? ao vivo$`) }).waitFor();

/** How many events the tabs have told each other. */
async function countingEvents(page: Page, userUuid: string): Promise<() => Promise<number>> {
  const told = await page.evaluateHandle((name) => {
    const events: unknown[] = [];
    new BroadcastChannel(name).onmessage = ({ data }) => data.kind === 'event' && events.push(data);
    return events;
  }, `disca-live-${userUuid}`);
  return () => told.evaluate((events) => events.length);
}

const stepMs = 2_000;
const minuteMs = 60_000;

test('three busy screens at once ask fewer than forty times a minute', async () => {
  const account = await createAccount(house.platform);
  const { id } = await addIntegration(account.admin, 'https://crm.example/hook', ['channel-create']);
  const view = await house.viewAs(account.admin, '/assets/none');
  const { context } = view;
  await context.clock.install();
  const pages = [view.page, await context.newPage(), await context.newPage()];
  const paths = ['/', '/calls', `/integrations?integration=${id}`];
  for (const [place, page] of pages.entries()) {
    page.setDefaultTimeout(60_000);
    await page.goto(paths[place] ?? '');
    await showsLive(page, 0);
  }
  await view.following();
  const heard = await countingEvents(view.page, account.admin.uuid);
  const asked = countingIn(context);
  // Time goes on by itself as well.
  const nowMs = () => view.page.evaluate(() => Date.now());
  const endMs = (await nowMs()) + minuteMs;
  for (let calls = 1; (await nowMs()) < endMs; calls += 1) {
    await beginCall(house.platform, account);
    await expect.poll(heard).toBe(calls);
    await context.clock.runFor(stepMs);
  }
  const counts = Object.entries(Object.groupBy(asked, (path) => path)).map(
    ([path, all]) => `${path} ${all?.length}`,
  );
  expect(asked.length, counts.join('\n')).toBeGreaterThan(10);
  expect(asked.length, counts.join('\n')).toBeLessThan(40);
  expect(asked.filter((path) => path.endsWith('/users/me/context')).length).toBeLessThanOrEqual(7);
  await view.close();
});

test('a tab that nobody looks at asks for nothing, and for everything once when it is looked at', async () => {
  const account = await createAccount(house.platform);
  const view = await house.viewAs(account.admin, '/assets/none');
  const { page, context, following, settled } = view;
  // A day that ends meanwhile would be asked for.
  const noon = new Date();
  noon.setUTCHours(15, 0, 0, 0);
  await context.clock.install({ time: noon });
  await page.goto('/');
  await showsLive(page, 0);
  await following();
  await settled();
  const look = (hidden: boolean) =>
    page.evaluate((isHidden) => {
      Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true });
      Object.defineProperty(document, 'visibilityState', {
        value: isHidden ? 'hidden' : 'visible',
        configurable: true,
      });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  await look(true);
  const asked = countingIn(context);
  for (let step = 1; step <= 3; step += 1) {
    await beginCall(house.platform, account);
    await showsLive(page, step);
    await context.clock.runFor(20_000);
  }
  expect(asked).toEqual([]);
  await look(false);
  await context.clock.runFor(2_000);
  await expect
    .poll(() => asked.toSorted())
    .toEqual(['/api/v1/calls/summary', '/api/v1/calls/summary', '/api/v1/users/me/context']);
  await view.close();
});

test('a day that begins without a call is asked for', async () => {
  const account = await createAccount(house.platform);
  const view = await house.viewAs(account.admin, '/assets/none');
  const { page, context, settled } = view;
  await context.clock.install({ time: new Date('2026-11-15T02:58:00Z') });
  await page.goto('/');
  await showsLive(page, 0);
  const list = await context.newPage();
  const firstRead = list.waitForResponse(/\/calls\/search\?/);
  await list.goto('/calls?period=today');
  await showsLive(list, 0);
  await firstRead;
  await settled();
  const asked: URL[] = [];
  context.on('request', (request) => asked.push(new URL(request.url())));
  const listed = () => asked.find(({ pathname }) => pathname.endsWith('/calls/search'));
  await context.clock.runFor(180_000);
  await expect
    .poll(() => asked.filter(({ pathname }) => pathname.endsWith('/calls/summary')))
    .toHaveLength(2);
  await expect.poll(() => listed()?.searchParams.get('filter')).toContain('2026-11-15T03:00:00.000Z');
  await view.close();
});

test('who is registered is asked for without anything else of the extensions', async () => {
  const account = await createAccount(house.platform);
  const { body } = await account.admin.client.post('/extensions', extensionBody());
  const view = await house.viewAs(account.admin, '/assets/none');
  const { page, context, settled } = view;
  await context.clock.install();
  await page.goto('/extensions');
  await page.getByText('0 registrados').waitFor();
  await settled();
  const filters: string[] = [];
  context.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith('/extensions')) filters.push(searchParams.get('filter') ?? '');
  });
  await seemRegistered(house.platform, body.id);
  await context.clock.runFor(31_000);
  await page.getByText('1 registrado').waitFor();
  expect(filters.map((filter) => JSON.parse(filter).fields)).toEqual([['id', 'registered', 'registered_at']]);
  await view.close();
});
