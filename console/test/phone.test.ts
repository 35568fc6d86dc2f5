import { afterAll, beforeAll, expect, test } from 'vitest';
import { setCaps, suspendCalling } from '../../server/src/contexts/calls/index.ts';
import { inAccount } from '../../server/src/platform/db/database.ts';
import { extensionBody } from '../../server/test/harness/fixtures/extensions.ts';
import { expectTone } from '../../server/test/harness/networks/expect-tone.ts';
import { openOperator } from '../../server/test/harness/operator.ts';
import type { TestAccount } from '../../server/test/harness/people.ts';
import { until } from '../../server/test/harness/until.ts';
import { atCarrier, numberEnding } from '../../server/test/harness/voice/lines.ts';
import { measureLoudness, readWav, whenHeard } from '../../server/test/harness/voice/tones.ts';
import { whenCall } from '../../server/test/harness/voice/voice-platform.ts';
import { formatPhone } from '../src/shared/phone-number/format-phone.ts';
import { walkDayOne } from './harness/day-one.ts';
import { carrierHertz, microphoneHertz, startVoiceConsole, type VoiceConsole } from './harness/voice.ts';
import { type Agent, addAgent, callTo, isRegistered } from './harness/voice-agent.ts';
import { getLevels, whenPageHears } from './harness/voice-hearing.ts';
import { phoneIn } from './harness/voice-phone.ts';
import { startWorker } from './harness/worker.ts';

let testConsole: VoiceConsole;
let account: TestAccount;
let stopWorker: () => Promise<void>;

beforeAll(async () => {
  testConsole = await startVoiceConsole();
  stopWorker = await startWorker(testConsole.platform);
  account = await testConsole.platform.addAccount();
});
afterAll(async () => {
  await stopWorker?.();
  await testConsole?.close();
});

const heardByCarrier = (id: string): string => testConsole.platform.engines.simulator.heard(id, 'carrier');

async function openPhone(agent: Agent, path = '/settings') {
  const view = await testConsole.viewAs(agent.person, path);
  const phone = phoneIn(view.page);
  await phone.switchOn();
  return { ...view, phone };
}

test('a phone registers, dials a customer, and both sides hear each other', async () => {
  const agent = await addAgent(testConsole.platform, account);
  const { page, faults, requests, close } = await testConsole.viewAs(agent.person);
  const phone = phoneIn(page);
  await phone.dock.getByRole('button').waitFor();
  expect(requests.filter((each) => each.includes('phone-sessions'))).toEqual([]);
  expect(await isRegistered(agent)).toBe(false);
  await phone.switchOn();
  expect(await isRegistered(agent)).toBe(true);
  const to = numberEnding('95');
  await phone.dial(`(${to.slice(2, 4)}) ${to.slice(4, 9)}-${to.slice(9)}`);
  await phone.talks();
  const id = await callTo(account, to);
  await whenPageHears(page, carrierHertz);
  expect((await getLevels(page)).energyReceived).toBeGreaterThan(0);
  await whenHeard(heardByCarrier(id), microphoneHertz);
  await phone.showsQuality();
  await phone.press('hangUp');
  await phone.says(phone.words.ended.you);
  expect(await whenCall(account, id, 'ended')).toMatchObject({
    ended_by: 'extension',
    call_type: 'outbound',
  });
  await expectTone(heardByCarrier(id), microphoneHertz, 1);
  // The call id comes from live events.
  await phone.dock.getByRole('link', { name: phone.words.viewCall }).click();
  await page.waitForURL(`**/calls/${id}`);
  expect(faults).toEqual([]);
  await close();
});

test('an incoming call rings, is shown in the tab title, and is answered', async () => {
  const agent = await addAgent(testConsole.platform, account);
  const { page, phone, faults, close } = await openPhone(agent);
  const colleague = await testConsole.platform.addLine(account);
  const dialled = await colleague.phone.dial(agent.extension.ramal);
  await phone.says(phone.words.stage.incoming);
  const title = `☎ ${phone.words.ringing.replace('{{who}}', colleague.ramal)}`;
  await page.waitForFunction((text) => document.title === text, title);
  await phone.press('answer');
  await phone.talks();
  await phone.says(phone.words.stage.talking);
  expect(await page.title()).not.toContain('☎');
  await dialled.hangUp();
  await phone.says(phone.words.ended.them);
  const missed = await colleague.phone.dial(agent.extension.ramal);
  await phone.says(phone.words.stage.incoming);
  await missed.hangUp();
  await phone.says(phone.words.ended.missed);
  await colleague.phone.dial(agent.extension.ramal);
  await phone.press('reject');
  await phone.says(phone.words.ended.rejected);
  expect(faults).toEqual([]);
  await close();
});

/** Loudness of the last second of the recording at the far end. */
function lastSecondLoudness(path: string): number {
  const { rate, samples } = readWav(path);
  return measureLoudness({ rate, samples: samples.slice(-rate) });
}

test('muting silences the far end until unmuted', async () => {
  const agent = await addAgent(testConsole.platform, account);
  const { phone, close } = await openPhone(agent);
  const to = numberEnding('95');
  await phone.dial(to);
  await phone.talks();
  const heard = heardByCarrier(await callTo(account, to));
  await whenHeard(heard, microphoneHertz, 1);
  await phone.press('mute');
  await phone.says(phone.words.muted);
  await until(() => lastSecondLoudness(heard) < 0.005, 'the far end hears nothing');
  await phone.press('unmute');
  await until(() => lastSecondLoudness(heard) > 0.05, 'the far end hears the tone again');
  await phone.press('hangUp');
  await close();
});

test('pressed and typed keys arrive as DTMF, unless they are typed into a field', async () => {
  const agent = await addAgent(testConsole.platform, account);
  const { page, phone, close } = await openPhone(agent, '/calls');
  const to = numberEnding('94');
  await phone.dial(to);
  await phone.talks();
  // Without the keypad, wherever the focus is.
  await page.keyboard.type('1*', { delay: 50 });
  await phone.says(phone.words.keysTyped.replace('{{keys}}', '1*'));
  await page.getByRole('textbox', { name: 'Buscar chamadas' }).focus();
  await page.keyboard.type('55');
  await phone.press('keypad');
  await phone.dock.getByRole('button', { name: /^4/ }).click();
  await phone.dock.getByRole('textbox', { name: phone.words.keys }).focus();
  await page.keyboard.type('079', { delay: 50 });
  const id = await callTo(account, to);
  await until(() => atCarrier(testConsole.platform, id)[0]?.keys === '1*4079', 'the keys arrive');
  await phone.press('hangUp');
  await close();
});

test('the icon beside a number dials it, and the number itself does not', async () => {
  const agent = await addAgent(testConsole.platform, account);
  const { page, phone, close } = await openPhone(agent, '/calls');
  const to = numberEnding('17');
  await phone.dial(to);
  await phone.says(phone.words.advice.USER_BUSY);
  await page.reload();
  await phone.when('ready');
  const table = page.getByRole('table');
  // The link of the row, which covers the number, gets the click.
  await table.getByText(formatPhone(to)).first().click({ force: true });
  await page.waitForURL(/calls.*[0-9a-f-]{36}/);
  expect(atCarriersCalled(to)).toBe(1);
  await table
    .getByRole('button', { name: formatPhone(to) })
    .first()
    .click();
  await until(async () => atCarriersCalled(to) === 2, 'the number is called again');
  await phone.says(phone.words.advice.USER_BUSY);
  await close();
});

const atCarriersCalled = (to: string): number =>
  testConsole.platform.engines.simulator.carrierCalls().filter((call) => call.number.endsWith(to)).length;

test('a call without credit shows what to do', async () => {
  const poor = await testConsole.platform.addAccount(0);
  const { phone, close } = await openPhone(await addAgent(testConsole.platform, poor));
  await phone.dial(numberEnding('95'));
  await phone.says(phone.words.ended.credit);
  await phone.dial('abc');
  await phone.says(phone.words.numberFault);
  await phone.dial('0800 729 0722');
  await phone.says(phone.words.specialNumber);
  await close();
});

test('a denied microphone shows what to do, and nothing registers', async () => {
  const agent = await addAgent(testConsole.platform, account);
  const view = await testConsole.viewAs(agent.person, '/settings', { microphone: 'refused' });
  const phone = phoneIn(view.page);
  await phone.dock.getByRole('button', { name: phone.words.open }).click();
  await phone.dock.getByRole('button', { name: phone.words.on.action }).click();
  await phone.says(phone.words.microphone.refused);
  expect(await isRegistered(agent)).toBe(false);
  await view.context.grantPermissions(['microphone'], { origin: testConsole.baseUrl });
  await phone.dock.getByRole('button', { name: phone.words.on.action }).click();
  await phone.when('ready');
  // Permission revoked later: reported when the microphone is needed.
  await view.context.clearPermissions();
  await phone.dial(numberEnding('95'));
  await phone.says(phone.words.microphone.refused);
  await view.close();
});

test('the phone works by keyboard alone', async () => {
  const agent = await addAgent(testConsole.platform, account);
  const { page, close } = await testConsole.viewAs(agent.person, '/settings');
  const phone = phoneIn(page);
  await phone.dock.getByRole('button').waitFor();
  // The phone is the last element of the page.
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  const isAt = (name: string): Promise<boolean> =>
    page.evaluate((text) => document.activeElement?.textContent === text, name);
  await expect.poll(() => isAt(phone.words.on.action)).toBe(true);
  await page.keyboard.press('Enter');
  await phone.when('ready');
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
  const to = numberEnding('95');
  await page.keyboard.type(to);
  await page.keyboard.press('Enter');
  await phone.talks();
  for (let tabs = 0; tabs < 10 && !(await isAt(phone.words.hangUp)); tabs += 1)
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await phone.says(phone.words.ended.you);
  await whenCall(account, await callTo(account, to), 'ended');
  await close();
});

test.each(['pt-BR', 'en'] as const)(
  'day one takes under 3 minutes and 15 clicks from sign-up to the first call (%s)',
  async (language) => {
    const { clicks, seconds, faults } = await walkDayOne(testConsole, language);
    expect(clicks).toBeGreaterThanOrEqual(6);
    expect(clicks).toBeLessThanOrEqual(15);
    expect(seconds).toBeLessThan(180);
    expect(faults).toEqual([]);
  },
);

test('a call without credit names this cause and offers an ADMIN to add credit', async () => {
  const poor = await testConsole.platform.addAccount(0);
  const { person } = await addAgent(testConsole.platform, poor);
  await poor.admin.client.post('/extensions', extensionBody({ email_address: poor.admin.email }));
  for (const each of [person, poor.admin]) {
    const view = await testConsole.viewAs(each, '/settings');
    const phone = phoneIn(view.page);
    await phone.switchOn();
    await phone.dial(numberEnding('95'));
    await phone.says(phone.words.ended.credit);
    const buy = phone.dock.getByRole('button', { name: phone.words.topUp.action });
    expect(await buy.count()).toBe(each === person ? 0 : 1);
    if (each === person) await phone.says(phone.words.topUp.ask);
    else {
      await buy.click();
      await view.page.waitForURL('**/credit');
    }
    await view.close();
  }
});

test('CALL-87 a suspended account, its limit of calls and a busy line are different causes', async () => {
  const limited = await testConsole.platform.addAccount();
  const agent = await addAgent(testConsole.platform, limited);
  const { phone, close } = await openPhone(agent);
  const { platform } = testConsole;
  await phone.dial(numberEnding('17'));
  await phone.says(phone.words.advice.USER_BUSY);
  await setCaps(openOperator(platform), limited.id, { callsPerSecond: 0 });
  await phone.dial(numberEnding('95'));
  await phone.says(phone.words.ended.capacity);
  await inAccount(platform.api.base.db, limited.id, (tx) =>
    suspendCalling(tx, { accountId: limited.id, reason: 'A test.', at: platform.clock.now() }),
  );
  await phone.dial(numberEnding('95'));
  await phone.says(phone.words.ended.suspended);
  await close();
});
