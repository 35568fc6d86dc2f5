import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { extensionBody, markRegistered } from '../../server/test/harness/fixtures/extensions.ts';
import { createAccount } from '../../server/test/harness/people.ts';
import { addIntegration } from '../../server/test/harness/webhooks/webhook-platform.ts';
import { startConsole, type TestConsole } from './harness/console.ts';
import { insertActiveCall } from './harness/insert-call.ts';

let testConsole: TestConsole;

beforeAll(async () => {
  testConsole = await startConsole({ EVENT_HEARTBEAT_MS: '1000' });
});
afterAll(() => testConsole?.close());

/** Collects the requests of all tabs of a browser, without the event stream. */
function collectRequests(context: BrowserContext): string[] {
  const requests: string[] = [];
  context.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/v1/') && !pathname.endsWith('/events/stream')) requests.push(pathname);
  });
  return requests;
}

const waitForLiveCalls = (page: Page, calls: number) =>
  page.getByRole('link', { name: new RegExp(`^${calls} chamadas? em andamento$`) }).waitFor();

/** Counts the events exchanged between tabs. */
async function countEvents(page: Page, userUuid: string): Promise<() => Promise<number>> {
  const events = await page.evaluateHandle((name) => {
    const events: unknown[] = [];
    new BroadcastChannel(name).onmessage = ({ data }) => data.kind === 'event' && events.push(data);
    return events;
  }, `disca-live-${userUuid}`);
  return () => events.evaluate(({ length }) => length);
}

const stepMs = 2_000;
const minuteMs = 60_000;

test('three busy screens make fewer than 40 requests per minute', async () => {
  const account = await createAccount(testConsole.platform);
  const { id } = await addIntegration(account.admin, 'https://crm.example/hook', ['channel-create']);
  const view = await testConsole.viewAs(account.admin, '/assets/none');
  const { context } = view;
  await context.clock.install();
  const pages = [view.page, await context.newPage(), await context.newPage()];
  const paths = ['/', '/calls', `/integrations?integration=${id}`];
  for (const [index, page] of pages.entries()) {
    await page.goto(paths[index] ?? '');
    await waitForLiveCalls(page, 0);
  }
  await view.following();
  const eventCount = await countEvents(view.page, account.admin.uuid);
  const requests = collectRequests(context);
  // The clock also advances by the time that passes.
  const nowMs = () => view.page.evaluate(() => Date.now());
  const endMs = (await nowMs()) + minuteMs;
  for (let calls = 1; (await nowMs()) < endMs; calls += 1) {
    await insertActiveCall(testConsole.platform, account);
    await expect.poll(eventCount).toBe(calls);
    await context.clock.runFor(stepMs);
  }
  const counts = Object.entries(Object.groupBy(requests, (path) => path)).map(
    ([path, all]) => `${path} ${all?.length}`,
  );
  expect(requests.length, counts.join('\n')).toBeGreaterThan(10);
  expect(requests.length, counts.join('\n')).toBeLessThan(40);
  expect(requests.filter((path) => path.endsWith('/users/me/context')).length).toBeLessThanOrEqual(7);
  await view.close();
});

test('a hidden tab makes no requests, and refreshes once when visible again', async () => {
  const account = await createAccount(testConsole.platform);
  const view = await testConsole.viewAs(account.admin, '/assets/none');
  const { page, context, following, settled } = view;
  // A new day would cause a request.
  const noon = new Date();
  noon.setUTCHours(15, 0, 0, 0);
  await context.clock.install({ time: noon });
  await page.goto('/');
  await waitForLiveCalls(page, 0);
  await following();
  await settled();
  const setHidden = (hidden: boolean) =>
    page.evaluate((isHidden) => {
      Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true });
      Object.defineProperty(document, 'visibilityState', {
        value: isHidden ? 'hidden' : 'visible',
        configurable: true,
      });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  await setHidden(true);
  const requests = collectRequests(context);
  for (let step = 1; step <= 3; step += 1) {
    await insertActiveCall(testConsole.platform, account);
    await waitForLiveCalls(page, step);
    await context.clock.runFor(20_000);
  }
  expect(requests).toEqual([]);
  await setHidden(false);
  await context.clock.runFor(2_000);
  await expect
    .poll(() => requests.toSorted())
    .toEqual(['/api/v1/calls/summary', '/api/v1/calls/summary', '/api/v1/users/me/context']);
  await view.close();
});

test('the summary is refreshed when a new day starts without calls', async () => {
  const account = await createAccount(testConsole.platform);
  const view = await testConsole.viewAs(account.admin, '/assets/none');
  const { page, context, settled } = view;
  await context.clock.install({ time: new Date('2026-11-15T02:58:00Z') });
  await page.goto('/');
  await waitForLiveCalls(page, 0);
  const list = await context.newPage();
  const firstRead = list.waitForResponse(/\/calls\/search\?/);
  await list.goto('/calls?period=today');
  await waitForLiveCalls(list, 0);
  await firstRead;
  await settled();
  const requests: URL[] = [];
  const summaries: string[] = [];
  context.on('request', (request) => {
    const url = new URL(request.url());
    requests.push(url);
    if (url.pathname.endsWith('/calls/summary'))
      summaries.push(request.frame().page() === list ? 'list' : 'home');
  });
  const listed = () => requests.find(({ pathname }) => pathname.endsWith('/calls/search'));
  await context.clock.runFor(180_000);
  // Home compares two periods; the list counts the outcomes of its own.
  await expect.poll(() => summaries.toSorted()).toEqual(['home', 'home', 'list']);
  await expect.poll(() => listed()?.searchParams.get('filter')).toContain('2026-11-15T03:00:00.000Z');
  await view.close();
});

test('registration polling requests no other extension data', async () => {
  const account = await createAccount(testConsole.platform);
  const { body } = await account.admin.client.post('/extensions', extensionBody());
  const view = await testConsole.viewAs(account.admin, '/assets/none');
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
  await markRegistered(testConsole.platform, body.id);
  await context.clock.runFor(31_000);
  await page.getByText('1 registrado').waitFor();
  // Once or, on a slow machine, more often.
  expect(filters).not.toEqual([]);
  for (const filter of filters)
    expect(JSON.parse(filter).fields).toEqual(['id', 'registered', 'registered_at']);
  await view.close();
});
