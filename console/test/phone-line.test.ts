import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestAccount } from '../../server/test/harness/people.ts';
import { until } from '../../server/test/harness/until.ts';
import { numberEnding } from '../../server/test/harness/voice/lines.ts';
import { whenCall } from '../../server/test/harness/voice/voice-platform.ts';
import { carrierHertz, startVoiceConsole, type VoiceConsole } from './harness/voice.ts';
import { type Agent, addAgent, callTo, isRegistered } from './harness/voice-agent.ts';
import { whenPageHears } from './harness/voice-hearing.ts';
import { phoneIn } from './harness/voice-phone.ts';
import { startWorker } from './harness/worker.ts';

/** The minimum, so that credentials are renewed during the test. */
const sessionSeconds = 60;

let testConsole: VoiceConsole;
let account: TestAccount;
let stopWorker: () => Promise<void>;

beforeAll(async () => {
  testConsole = await startVoiceConsole({ settings: { PHONE_SESSION_SECONDS: String(sessionSeconds) } });
  stopWorker = await startWorker(testConsole.platform);
  account = await testConsole.platform.addAccount();
});
afterAll(async () => {
  await stopWorker?.();
  await testConsole?.close();
});

async function openPhone(agent: Agent) {
  const view = await testConsole.viewAs(agent.person, '/settings');
  const phone = phoneIn(view.page);
  await phone.switchOn();
  return { ...view, phone };
}

const addDeskPhone = ({ extension: { ramal, senha } }: Agent) =>
  testConsole.platform.engines.simulator.addPhone({
    ramal,
    domain: account.domain,
    password: senha,
    edge: testConsole.platform.engines.edgeAddress,
  });

const sessionsOpened = (requests: string[]): number =>
  requests.filter((each) => each.startsWith('POST') && each.endsWith('/phone-sessions')).length;

test('a reload keeps the phone and warns during calls; a new page replaces no desk phone', async () => {
  const agent = await addAgent(testConsole.platform, account);
  const { page, phone, faults, close } = await openPhone(agent);
  await page.reload();
  await phone.when('ready');
  expect(await isRegistered(agent)).toBe(true);

  const to = numberEnding('95');
  await phone.dial(to);
  await phone.talks();
  const warned = page.waitForEvent('dialog');
  void page.evaluate(() => location.reload()).catch(() => undefined);
  const dialog = await warned;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await whenPageHears(page, carrierHertz);
  await phone.press('hangUp');
  await whenCall(account, await callTo(account, to), 'ended');

  await page.goto('/assets/none');
  await until(async () => !(await isRegistered(agent)), 'the closed page unregisters the extension');
  const desk = await addDeskPhone(agent);
  await until(() => isRegistered(agent), 'the desk phone is registered');
  await page.goto('/settings');
  await phone.when('replaced');
  expect(await isRegistered(agent)).toBe(true);
  await desk.remove();
  expect(faults).toEqual([]);
  await close();
});

test('a newer phone takes over; the older one shows it and can take it back', async () => {
  const agent = await addAgent(testConsole.platform, account);
  const { page, phone, close } = await openPhone(agent);
  const desk = await addDeskPhone(agent);
  await until(async () => {
    // The user returns to the tab.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.waitForTimeout(500);
    return await phone.dock.getByText(phone.words.line.replaced, { exact: true }).isVisible();
  }, 'the phone learns that it was replaced');
  await phone.says(phone.words.replaced.replace('{{ramal}}', agent.extension.ramal));
  await phone.press('takeOver');
  await phone.when('ready');
  const { ramal } = agent.extension;
  const order = { caller: ramal, called: numberEnding('95'), extension: ramal };
  const { body } = await account.admin.client.post('/calls', order);
  await phone.press('answer');
  await phone.talks();
  await phone.press('hangUp');
  await whenCall(account, body.id, 'ended');
  await desk.remove();
  await close();
});

test('one tab runs the phone; others show it, control it and take over', async () => {
  const agent = await addAgent(testConsole.platform, account);
  const { page: first, phone, context, requests, close } = await openPhone(agent);
  const page = await context.newPage();
  const fromSecond: string[] = [];
  page.on('request', (request) => fromSecond.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await page.goto('/');
  const second = phoneIn(page);
  await second.when('ready');
  const to = numberEnding('95');
  await second.dial(to);
  await phone.talks();
  await second.says(second.words.elsewhere);
  await whenPageHears(first, carrierHertz);
  // The first tab may have renewed its session.
  expect(sessionsOpened(requests)).toBeGreaterThan(0);
  expect(sessionsOpened(fromSecond)).toBe(0);
  await second.press('hangUp');
  await phone.says(phone.words.ended.you);
  await whenCall(account, await callTo(account, to), 'ended');
  // Until this tab has the line, it shows the last state of the closed tab.
  const taken = page.waitForResponse('**/phone-sessions');
  await first.close();
  await taken;
  const again = numberEnding('95');
  await second.when('ready');
  await second.dial(again);
  await second.talks();
  await whenPageHears(page, carrierHertz);
  await second.press('hangUp');
  await close();
});

test('credentials are renewed before expiry, and disabling the phone unregisters it', async () => {
  const agent = await addAgent(testConsole.platform, account);
  const { page, phone, requests, close } = await openPhone(agent);
  await until(() => sessionsOpened(requests) === 2, 'a second session is opened');
  // Ends the first session: the registration now depends on the second.
  await testConsole.platform.database.query(
    `update phone_sessions set ended_at = now() where extension_id = $1 and created_at =
       (select min(created_at) from phone_sessions where extension_id = $1)`,
    [agent.extension.id],
  );
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  const to = numberEnding('95');
  await phone.dial(to);
  await phone.talks();
  await phone.press('hangUp');
  expect(await isRegistered(agent)).toBe(true);
  await phone.dock.getByRole('button', { name: phone.words.options }).click();
  await phone.dock.getByRole('button', { name: phone.words.off }).click();
  await until(async () => !(await isRegistered(agent)), 'the extension is unregistered');
  await page.reload();
  await phone.dock.getByRole('button', { name: phone.words.open }).waitFor();
  expect(await isRegistered(agent)).toBe(false);
  await close();
});

// Last, because it stops the shared edge.
test('reconnects after a lost connection; a call continues and is ended through the API', async () => {
  const agent = await addAgent(testConsole.platform, account);
  const { page, phone, faults, close } = await openPhone(agent);
  const to = numberEnding('95');
  await phone.dial(to);
  await phone.talks();
  const { edge } = testConsole.platform.engines;
  await edge.stop('kill');
  await phone.says(phone.words.lost);
  await whenPageHears(page, carrierHertz);
  await phone.press('hangUp');
  const id = await callTo(account, to);
  expect(await whenCall(account, id, 'ended')).toMatchObject({ status: 'ended' });
  await phone.says(phone.words.ended.you);
  await edge.restart('kill');
  await phone.when('ready');
  const again = numberEnding('95');
  await phone.dial(again);
  await phone.talks();
  await whenPageHears(page, carrierHertz);
  // Live events report the remote hang-up while SIP is disconnected.
  await edge.stop('kill');
  await testConsole.platform.engines.simulator.hangUpCarrier(await callTo(account, again));
  await phone.says(phone.words.ended.them);
  await edge.restart('kill');
  expect(faults).toEqual([]);
  await close();
});

test('a call that ends before its events arrive still links to its details', async () => {
  const agent = await addAgent(testConsole.platform, account);
  const { page, context, close } = await testConsole.viewAs(agent.person, '/settings');
  await context.route('**/events/stream', () => undefined);
  await page.reload();
  const phone = phoneIn(page);
  await phone.switchOn();
  const to = numberEnding('95');
  await phone.dial(to);
  await phone.talks();
  await phone.press('hangUp');
  await phone.says(phone.words.ended.you);
  const id = await callTo(account, to);
  await phone.dock.getByRole('link', { name: phone.words.viewCall }).click();
  await page.waitForURL(`**/calls/${id}`);
  await close();
});
