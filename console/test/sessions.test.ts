import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount, password, type TestAccount } from '../../server/test/harness/people.ts';
import type { View } from './harness/browser.ts';
import { startConsole, type TestConsole } from './harness/console.ts';
import { insertActiveCall } from './harness/insert-call.ts';

let testConsole: TestConsole;
let account: TestAccount;
let otherAccount: TestAccount;

beforeAll(async () => {
  testConsole = await startConsole({ EVENT_HEARTBEAT_MS: '1000' });
  account = await createAccount(testConsole.platform);
  otherAccount = await createAccount(testConsole.platform);
  await account.admin.client.patch('/users', { name: ana });
  await otherAccount.admin.client.patch('/users', { name: nina });
});
afterAll(() => testConsole?.close());

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Você/ }).click();
  await page.getByRole('menuitem', { name: 'Sair' }).click();
}

async function logIn(page: Page, { email }: { email: string }): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Senha', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
}

const isShown = (page: Page) => page.getByRole('heading', { name: 'Configurações' }).waitFor();
const isOut = (page: Page) => page.waitForURL('**/login*');
const isFor = (page: Page, name: string) => page.getByRole('button', { name: `Você: ${name}` }).waitFor();
const ana = 'Ana Alves';
const nina = 'Nina Nunes';

async function otherTab({ context }: View, path = '/settings'): Promise<Page> {
  const page = await context.newPage();
  await page.goto(path);
  return page;
}

/** Ends all console sessions of a user, as another device can. */
async function endSessions({ client }: TestAccount['admin']): Promise<void> {
  const { body } = await client.get('/users/accessTokens');
  for (const { prefix, name } of body)
    if (name === 'Console') await client.delete(`/users/accessTokens/${prefix}`);
}

test('a failed logout is reported, and the user stays logged in until it succeeds', async () => {
  const view = await testConsole.viewAs(account.admin, '/settings');
  const { page, context, faults, close } = view;
  await isShown(page);
  await page.route('**/api/v1/console/session', (route) => route.abort());
  await logOut(page);
  const failure = page.getByRole('dialog', { name: 'Você ainda está conectado' });
  await failure.waitFor();
  expect(new URL(page.url()).pathname).toBe('/settings');
  expect(await context.cookies()).toHaveLength(1);
  await page.unroute('**/api/v1/console/session');
  await failure.getByRole('button', { name: 'Tentar novamente' }).click();
  await isOut(page);
  expect(await context.cookies()).toEqual([]);
  expect(faults).toEqual([]);
  await close();
});

test('logging out and in again immediately works', async () => {
  const { page, close } = await testConsole.viewAs(account.admin, '/settings');
  await isShown(page);
  await logOut(page);
  await isOut(page);
  await logIn(page, account.admin);
  await isFor(page, ana);
  expect(new URL(page.url()).pathname).toBe('/');
  await close();
});

test('logging in immediately after the session expired works', async () => {
  const { page, close } = await testConsole.viewAs(account.admin, '/');
  await isFor(page, ana);
  await endSessions(account.admin);
  await page.goto('/');
  await isOut(page);
  await logIn(page, account.admin);
  await isFor(page, ana);
  await page.getByText('Ao vivo', { exact: true }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/');
  await close();
});

test('all tabs follow a logout and a login', async () => {
  const view = await testConsole.viewAs(account.admin, '/settings');
  const other = await otherTab(view);
  for (const page of [view.page, other]) await isShown(page);
  await logOut(other);
  for (const page of [view.page, other]) await isOut(page);
  await logIn(view.page, account.admin);
  for (const page of [view.page, other]) await isFor(page, ana);
  await view.close();
});

test('a tab reloads when another user logs in in another tab', async () => {
  const view = await testConsole.viewAs(account.admin, '/settings');
  await isFor(view.page, ana);
  const other = await otherTab(view, '/login');
  await logIn(other, otherAccount.admin);
  for (const page of [view.page, other]) await isFor(page, nina);
  await view.close();
});

test('a tab reloads when the session turns out to belong to another user', async () => {
  const view = await testConsole.viewAs(account.admin, '/settings');
  await isFor(view.page, ana);
  await view.following();
  const quiet = await otherTab(view, '/assets/none');
  await quiet.evaluate(
    (body) =>
      fetch('/api/v1/console/session', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body,
      }),
    JSON.stringify({ email: otherAccount.admin.email, password }),
  );
  // The stream still belongs to the first user; its event makes the page refresh the session.
  await insertActiveCall(testConsole.platform, account);
  await isFor(view.page, nina);
  await view.close();
});

test('a session ended elsewhere leads to login; the next user gets their own events', async () => {
  const view = await testConsole.viewAs(account.admin, '/settings');
  const { page, close } = view;
  const other = await otherTab(view);
  const streams: Request[] = [];
  page.on('request', (request) => request.url().endsWith('/events/stream') && streams.push(request));
  for (const each of [page, other]) await isShown(each);
  await insertActiveCall(testConsole.platform, account);
  await endSessions(account.admin);
  testConsole.platform.app.server.closeAllConnections();
  for (const each of [page, other]) {
    await isOut(each);
    await each.getByText('Sua sessão expirou.').waitFor();
  }
  streams.length = 0;
  await other.close();
  await logIn(page, otherAccount.admin);
  await isFor(page, nina);
  await expect.poll(() => streams.length).toBeGreaterThan(0);
  expect(streams[0]?.headers()['last-event-id']).toBeUndefined();
  await close();
});

test('a page over the rate limit waits as long as the response says, instead of showing an error', async () => {
  const { page, faults, close } = await testConsole.viewAs(account.admin, '/settings');
  await isShown(page);
  let refused = 0;
  await page.route(/\/users\/me\/context|\/accounts\/limits/, async (route) => {
    if (refused >= 3) return await route.continue();
    refused += 1;
    const error = { errorCode: 'RATE_LIMITED', message: 'Too many requests.' };
    await route.fulfill({ status: 429, headers: { 'Retry-After': '1' }, json: { error } });
  });
  await page.reload();
  await isShown(page);
  await expect.poll(() => refused).toBe(3);
  expect(await page.getByText('RATE_LIMITED').count()).toBe(0);
  expect(faults.filter((fault) => !fault.includes('429'))).toEqual([]);
  await close();
});
