import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { extensionBody, markRegistered } from '../../server/test/harness/fixtures/extensions.ts';
import type { TestAccount } from '../../server/test/harness/people.ts';
import { numberEnding } from '../../server/test/harness/voice/lines.ts';
import { whenHeard } from '../../server/test/harness/voice/tones.ts';
import { whenCall } from '../../server/test/harness/voice/voice-platform.ts';
import { texts } from '../src/locales/pt-BR/index.ts';
import { formatPhone } from '../src/shared/phone-number/format-phone.ts';
import { violations } from './harness/axe.ts';
import { findIllegibleTexts, resize, widths } from './harness/legible.ts';
import { carrierHertz, phoneHertz, startVoiceConsole, type VoiceConsole } from './harness/voice.ts';
import { addAgent, callTo } from './harness/voice-agent.ts';
import { phoneIn } from './harness/voice-phone.ts';
import { startWorker } from './harness/worker.ts';

const { calls, problems, phone: words, common, shell } = texts;

let testConsole: VoiceConsole;
let account: TestAccount;
let stopWorker: () => Promise<void>;
/** An ended call whose number is shown. */
let past: { id: string; to: string };

beforeAll(async () => {
  testConsole = await startVoiceConsole();
  stopWorker = await startWorker(testConsole.platform);
  account = await testConsole.platform.addAccount();
  // The agents click on the number of a call that an ADMIN placed.
  await account.admin.client.patch('/accounts', { usersSee: 'all' });
  const line = await testConsole.platform.addLine(account);
  const to = numberEnding('95');
  past = { id: await line.call(to), to };
  await whenCall(account, past.id, 'answered');
  await account.admin.client.post(`/calls/${past.id}/hangup`, {});
  await whenCall(account, past.id, 'ended');
});
afterAll(async () => {
  await stopWorker?.();
  await testConsole?.close();
});

/** Dials a number without previous calls through the palette. */
async function dialByPalette(page: Page, number: string): Promise<void> {
  await page
    .getByRole('complementary', { name: words.title, exact: true })
    .getByRole('button')
    .first()
    .waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill(`+${number}`);
  const dial = shell.palette.dial.replace('{{number}}', formatPhone(number));
  await page.getByRole('option', { name: dial }).click();
}

const sentence = (text: string, ramal: string, number: string): string =>
  text.replace('{{ramal}}', ramal).replace('{{number}}', formatPhone(number));

test('CTRL-02 CTRL-03 clicking a number rings the desk phone, connects audio, and holds and resumes', async () => {
  const owner = await account.addUser('USER');
  const line = await testConsole.platform.addLine(account, { owner, phone: { behaviour: 'tone' } });
  const { simulator } = testConsole.platform.engines;
  const { to } = past;
  const { page, faults, requests, settled, close } = await testConsole.viewAs(owner, `/calls/${past.id}`);
  const number = page.getByRole('button', { name: common.call.replace('{{number}}', formatPhone(to)) });
  await number.first().waitFor();
  await settled();
  expect(requests.length).toBeLessThanOrEqual(6);
  expect(requests.filter((each) => each.startsWith('POST'))).toEqual([]);

  await number.first().click();
  const phone = phoneIn(page);
  await phone.says(sentence(words.desk.talking, line.ramal, to));
  const id = await callTo(account, to);
  expect(id).not.toBe(past.id);
  expect(requests.filter((each) => each === 'POST /calls')).toHaveLength(1);
  await whenHeard(simulator.heard(id, 'carrier'), phoneHertz);
  await whenHeard(simulator.heard(id, 'phone'), carrierHertz);
  await phone.hold('start');
  await phone.hold('end');
  await phone.dock.getByRole('link', { name: words.viewCall }).click();
  await page.waitForURL(`**/calls/${id}`);
  await phone.press('hangUp');
  await phone.says(sentence(words.desk.ended, line.ramal, to));
  await whenCall(account, id, 'ended');
  expect(faults).toEqual([]);
  await close();
});

test('the progress of a call from the desk phone is shown until the destination answers', async () => {
  const owner = await account.addUser('USER');
  const line = await testConsole.platform.addLine(account, { owner });
  const { page, close } = await testConsole.viewAs(owner, '/settings');
  const phone = phoneIn(page);
  const to = numberEnding('19');
  await dialByPalette(page, to);
  await phone.says(sentence(words.desk.ringing, line.ramal, to));
  await phone.press('hangUp');
  await phone.says(sentence(words.desk.ended, line.ramal, to));
  await close();
});

test('CALL-90 a call that is answered before the response to its request is shown as answered', async () => {
  const owner = await account.addUser('USER');
  const line = await testConsole.platform.addLine(account, { owner, phone: { behaviour: 'tone' } });
  const { page, settled, close } = await testConsole.viewAs(owner, '/calls');
  await settled();
  const phone = phoneIn(page);
  const to = numberEnding('95');
  const talking = page.getByRole('table').getByText(calls.states.answered);
  await page.route('**/api/v1/calls', async (route) => {
    const response = await route.fetch();
    await talking.waitFor();
    await route.fulfill({ response });
  });
  await dialByPalette(page, to);
  await phone.says(sentence(words.desk.talking, line.ramal, to));
  await phone.press('hangUp');
  await phone.says(sentence(words.desk.ended, line.ramal, to));
  await close();
});

test('click-to-call, errors and switching to the browser phone work by keyboard', async () => {
  const agent = await addAgent(testConsole.platform, account);
  const { page, faults, close } = await testConsole.viewAs(agent.person, '/calls');
  const phone = phoneIn(page);
  const number = page.getByRole('table').getByRole('button').first();
  await number.focus();
  await page.keyboard.press('Enter');
  await phone.says(problems.codes.EXTENSION_NOT_REGISTERED);
  await phone.says('EXTENSION_NOT_REGISTERED');
  const issues: string[] = [];
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await page.locator(`html[data-mantine-color-scheme=${theme}]`).waitFor();
    for (const width of widths) {
      await resize(page, width);
      issues.push(...(await findIllegibleTexts(page)), ...(await violations(page)));
    }
  }
  expect(issues).toEqual([]);

  const isAt = (name: string): Promise<boolean> =>
    page.evaluate((text) => {
      const { activeElement: at } = document;
      return at?.textContent === text || at?.getAttribute('aria-label') === text;
    }, name);
  const tabTo = async (name: string): Promise<void> => {
    for (let tabs = 0; tabs < 10 && !(await isAt(name)); tabs += 1) await page.keyboard.press('Tab');
    expect(await isAt(name)).toBe(true);
  };
  await tabTo(words.minimise);
  await page.keyboard.press('Enter');
  await phone.dock.getByRole('button', { name: words.open }).waitFor();
  await expect.poll(() => number.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  await phone.says('EXTENSION_NOT_REGISTERED');
  await tabTo(words.on.action);
  await page.keyboard.press('Enter');
  await phone.says(words.on.text);
  await tabTo(words.on.action);
  await page.keyboard.press('Enter');
  await phone.when('ready');
  expect(faults).toEqual([]);
  await close();
});

test('CALL-88 a rejected call shows the reason and what to do', async () => {
  const poor = await testConsole.platform.addAccount(0);
  const { person } = await addAgent(testConsole.platform, poor);
  await poor.admin.client.patch('/users', { uuid: person.uuid, role: 'ADMIN' });
  const { page, faults, close } = await testConsole.viewAs(person, '/settings');
  const phone = phoneIn(page);
  await dialByPalette(page, numberEnding('95'));
  await phone.says(problems.codes.INSUFFICIENT_CREDIT);
  await dialByPalette(page, '12025550123');
  await phone.says(problems.causes.country_disabled);
  await dialByPalette(page, numberEnding('95'));
  await phone.dock.getByRole('button', { name: words.topUp.action }).click();
  await page.waitForURL('**/credit');
  expect(faults).toEqual([]);
  await close();
});

test('with several extensions the user picks one; registered ones come first', async () => {
  const { person, extension } = await addAgent(testConsole.platform, account);
  const { body: other } = await account.admin.client.post(
    '/extensions',
    extensionBody({ email_address: person.email }),
  );
  await markRegistered(testConsole.platform, other.id);
  const { page, requests, faults, close } = await testConsole.viewAs(person, '/settings');
  await dialByPalette(page, numberEnding('95'));
  const dock = page.getByRole('complementary', { name: words.title, exact: true });
  await dock.getByText(words.desk.choose).waitFor();
  const offered = await dock.getByRole('button', { name: /^Ramal/ }).allTextContents();
  expect(offered).toEqual([
    words.desk.registered.replace('{{ramal}}', other.ramal),
    words.desk.unregistered.replace('{{ramal}}', extension.ramal),
  ]);
  expect(requests.filter((each) => each === 'POST /calls')).toEqual([]);
  await dock.getByRole('button', { name: offered[1] ?? '' }).click();
  await dock.getByText(problems.codes.EXTENSION_NOT_REGISTERED).waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('users without an extension cannot click to call', async () => {
  const { page, settled, close } = await testConsole.viewAs(account.admin, '/calls');
  await page.getByRole('table').getByRole('link').first().waitFor();
  await settled();
  expect(await page.getByRole('table').getByRole('button').count()).toBe(0);
  await close();
});
