import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertCalls } from '../../server/test/harness/fixtures/call-rows.ts';
import { insertEvent, numberEvents } from '../../server/test/harness/fixtures/events.ts';
import { createAccount, type TestAccount } from '../../server/test/harness/people.ts';
import { startConsole, type TestConsole } from './harness/console.ts';

let testConsole: TestConsole;
let account: TestAccount;

beforeAll(async () => {
  testConsole = await startConsole({ EVENT_HEARTBEAT_MS: '1000' });
  account = await createAccount(testConsole.platform);
});
afterAll(() => testConsole?.close());

const streams = (requests: string[]): number =>
  requests.filter((each) => each === 'GET /events/stream').length;
const banner = (page: Page) => page.getByText('Sem conexão.');

test('one tab streams the events for all, and another takes over when it closes', async () => {
  const first = await testConsole.viewAs(account.admin, '/settings');
  await expect.poll(() => streams(first.requests)).toBe(1);
  const second = await first.context.newPage();
  const requests: string[] = [];
  second.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await second.goto('/settings');
  await second.getByRole('heading', { level: 1 }).waitFor();
  expect(requests.filter((path) => path.endsWith('/events/stream'))).toEqual([]);
  await first.page.close();
  await expect.poll(() => requests.filter((path) => path.endsWith('/events/stream'))).toHaveLength(1);
  await first.close();
});

test('a new call is counted immediately in every tab, without a request', async () => {
  const { platform } = testConsole;
  const view = await testConsole.viewAs(account.admin, '/settings');
  await view.following();
  const other = await view.context.newPage();
  await other.goto('/settings');
  for (const page of [view.page, other]) await page.getByLabel('0 chamadas em andamento').waitFor();
  const at = platform.clock.now();
  const [callId = ''] = await insertCalls(platform.database, account, [{ startedAt: at, status: 'dialing' }]);
  await insertEvent(platform, account, callId, 'channel-create', 1, at);
  await numberEvents(platform);
  for (const page of [view.page, other]) await page.getByLabel('1 chamada em andamento').waitFor();
  await platform.database.query(`delete from calls where id = $1`, [callId]);
  await view.close();
});

test('shows a lost connection and reconnects automatically', async () => {
  const view = await testConsole.viewAs(account.admin, '/settings');
  // Only an open stream can be closed.
  await view.following();
  await view.context.setOffline(true);
  // Closes the open stream as well.
  testConsole.platform.app.server.closeAllConnections();
  await banner(view.page).waitFor();
  await view.context.setOffline(false);
  await banner(view.page).waitFor({ state: 'hidden' });
  await view.close();
});

test('a console opened while the API is down shows it and recovers automatically', async () => {
  const view = await testConsole.viewAs(account.admin, '/assets/none');
  await view.page.route('**/api/**', (route) => route.abort());
  await view.page.goto('/settings');
  await view.page.getByRole('heading', { name: 'Serviço indisponível' }).waitFor();
  await view.page.unroute('**/api/**');
  await view.page.getByRole('heading', { name: 'Configurações' }).waitFor();
  await view.close();
});

test('a language that is chosen in one tab is shown in the others', async () => {
  const person = await account.addUser();
  const view = await testConsole.viewAs(person, '/settings');
  const other = await view.context.newPage();
  await other.goto('/settings');
  await other.getByRole('heading', { level: 1, name: 'Configurações' }).waitFor();
  await view.page.getByRole('banner').getByRole('button').last().click();
  await view.page.getByText('English', { exact: true }).click();
  for (const page of [view.page, other])
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  expect(view.faults).toEqual([]);
  await view.close();
});
