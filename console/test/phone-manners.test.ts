import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestAccount } from '../../server/test/harness/people.ts';
import { until } from '../../server/test/harness/until.ts';
import { numberEnding } from '../../server/test/harness/voice/lines.ts';
import { whenCall } from '../../server/test/harness/voice/voice-platform.ts';
import { startVoiceConsole, type VoiceConsole } from './harness/voice.ts';
import { type Agent, addAgent, callTo, isRegistered } from './harness/voice-agent.ts';
import { type PagePhone, phoneIn } from './harness/voice-phone.ts';
import { startWorker } from './harness/worker.ts';

let testConsole: VoiceConsole;
let account: TestAccount;
let stopWorker: () => Promise<void>;

beforeAll(async () => {
  // Longer than any wait, so that only the page ends a call whose audio stops.
  testConsole = await startVoiceConsole({
    engines: { rtpTimeoutSeconds: 600, partyRtpTimeoutSeconds: 600 },
  });
  stopWorker = await startWorker(testConsole.platform);
  account = await testConsole.platform.addAccount();
});
afterAll(async () => {
  await stopWorker?.();
  await testConsole?.close();
});

const addDeskPhone = ({ extension: { ramal, senha } }: Agent) =>
  testConsole.platform.engines.simulator.addPhone({
    ramal,
    domain: account.domain,
    password: senha,
    edge: testConsole.platform.engines.edgeAddress,
  });

const opened = (requests: string[]): number =>
  requests.filter((each) => each.startsWith('POST') && each.endsWith('/phone-sessions')).length;

/** Whether the browser holds the registration, by its user agent. */
const isBrowsers = async ({ extension }: Agent): Promise<boolean> => {
  const rows = await testConsole.platform.database.query<{ user_agent: string }>(
    'select user_agent from extension_presence where extension_id = $1 and expires_at > now()',
    [extension.id],
  );
  return rows.some(({ user_agent }) => user_agent.startsWith('Disca console'));
};

/** Returns to the tab, which makes the page refresh its registration, until it learns that it was replaced. */
const whenReplaced = (page: Page, phone: PagePhone) =>
  until(async () => {
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.waitForTimeout(500);
    return await phone.dock.getByText(phone.words.line.replaced, { exact: true }).isVisible();
  }, 'the phone learns that it was replaced');

test('a page that cannot check the registration does not take over the extension', async () => {
  const agent = await addAgent(testConsole.platform, account);
  const { page, requests, close } = await testConsole.viewAs(agent.person, '/settings');
  const phone = phoneIn(page);
  await phone.switchOn();
  await page.goto('/assets/none');
  const desk = await addDeskPhone(agent);
  await until(
    async () => (await isRegistered(agent)) && !(await isBrowsers(agent)),
    'the desk phone is registered',
  );
  const before = opened(requests);
  await page.route(`**/api/v1/extensions/${agent.extension.id}`, (route) => route.fulfill({ status: 503 }));
  await page.goto('/settings');
  await phone.when('lost');
  await page.unroute(`**/api/v1/extensions/${agent.extension.id}`);
  await phone.when('replaced');
  expect(opened(requests)).toBe(before);
  expect(await isBrowsers(agent)).toBe(false);
  await desk.remove();
  await close();
});

test('a new leader tab checks the registration again', async () => {
  const agent = await addAgent(testConsole.platform, account);
  const { page: first, context, close } = await testConsole.viewAs(agent.person, '/settings');
  const page = await context.newPage();
  await page.goto('/settings');
  const requests: string[] = [];
  page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`));
  const second = phoneIn(page);
  await second.dock.waitFor();
  // A tab that has been open for a while does not become the phone when it is enabled in another tab.
  await page.waitForFunction(() => performance.now() > 5_000);
  const phone = phoneIn(first);
  await phone.switchOn();
  await second.when('ready');
  expect(opened(requests)).toBe(0);
  const desk = await addDeskPhone(agent);
  await whenReplaced(first, phone);
  await first.close();
  await until(
    () => requests.includes(`GET /api/v1/extensions/${agent.extension.id}`),
    'the second tab checks the registration',
  );
  await second.when('replaced');
  expect(opened(requests)).toBe(0);
  expect(await isBrowsers(agent)).toBe(false);
  await desk.remove();
  await close();
});

test('a replaced phone neither renews credentials nor registers again automatically', async () => {
  const agent = await addAgent(testConsole.platform, account);
  const { page, context, requests, close } = await testConsole.viewAs(agent.person, '/settings');
  const phone = phoneIn(page);
  const lifeMs = 30_000;
  await page.route('**/phone-sessions', async (route) => {
    const answer = await route.fetch();
    const session = { ...(await answer.json()), expires_at: new Date(Date.now() + lifeMs).toISOString() };
    await route.fulfill({ response: answer, json: session });
  });
  await phone.switchOn();
  const desk = await addDeskPhone(agent);
  await whenReplaced(page, phone);
  const before = opened(requests);
  // The edge rejects replaced phones for a limited time only.
  await testConsole.platform.database.query('delete from edge.replaced_logins');
  await context.setOffline(true);
  await page.waitForTimeout(500);
  await context.setOffline(false);
  await page.waitForTimeout(lifeMs / 2 + 2_000);
  await phone.when('replaced');
  expect(opened(requests)).toBe(before);
  expect(await isBrowsers(agent)).toBe(false);
  await desk.remove();
  await close();
});

const logOut = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^Você/ }).click();
  await page.getByRole('menuitem', { name: 'Sair' }).click();
  await page.waitForURL('**/login');
};

test('logout unregisters first', async () => {
  const agent = await addAgent(testConsole.platform, account);
  const { page, requests, close } = await testConsole.viewAs(agent.person, '/settings');
  await phoneIn(page).switchOn();
  await logOut(page);
  const ends = requests.filter((each) => each.startsWith('DELETE'));
  expect(ends[0]).toMatch(/\/phone-sessions\//);
  expect(ends).toContain('DELETE /console/session');
  await until(async () => !(await isRegistered(agent)), 'the extension is unregistered');
  await close();
});

test('logout stops a phone in another tab', async () => {
  const agent = await addAgent(testConsole.platform, account);
  const { page, context, close } = await testConsole.viewAs(agent.person, '/settings');
  await phoneIn(page).switchOn();
  const other = await context.newPage();
  await other.goto('/settings');
  await phoneIn(other).when('ready');
  await logOut(other);
  await until(async () => !(await isRegistered(agent)), 'the phone of the first tab has stopped');
  await close();
});

test('a failed logout keeps the phone registered', async () => {
  const agent = await addAgent(testConsole.platform, account);
  const { page, close } = await testConsole.viewAs(agent.person, '/settings');
  const phone = phoneIn(page);
  await phone.switchOn();
  await page.route('**/console/session', (route) => route.fulfill({ status: 503 }));
  await page.getByRole('button', { name: /^Você/ }).click();
  await page.getByRole('menuitem', { name: 'Sair' }).click();
  await page.getByRole('dialog').waitFor();
  await until(() => isBrowsers(agent), 'the phone is registered again');
  await close();
});

// Last, because it stops the shared edge.
test('closing the tab ends the call, even without a SIP connection', async () => {
  const agent = await addAgent(testConsole.platform, account);
  const { page, close } = await testConsole.viewAs(agent.person, '/settings');
  const phone = phoneIn(page);
  await phone.switchOn();
  const to = numberEnding('95');
  await phone.dial(to);
  await phone.talks();
  await testConsole.platform.engines.edge.stop('kill');
  await phone.says(phone.words.lost);
  page.on('dialog', (dialog) => dialog.accept());
  await page.goto('/assets/none');
  expect(await whenCall(account, await callTo(account, to), 'ended')).toMatchObject({ status: 'ended' });
  await close();
});
