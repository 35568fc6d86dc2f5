import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestAccount } from '../../server/test/harness/people.ts';
import { numberEnding } from '../../server/test/harness/voice/lines.ts';
import { whenCall } from '../../server/test/harness/voice/voice-platform.ts';
import { texts as english } from '../src/locales/en/index.ts';
import { texts as portuguese } from '../src/locales/pt-BR/index.ts';
import { formatPhone } from '../src/shared/phone-number/format-phone.ts';
import type { Language } from './harness/browser.ts';
import { startVoiceConsole, type VoiceConsole } from './harness/voice.ts';
import { type Agent, addAgent, callTo } from './harness/voice-agent.ts';
import { type PagePhone, phoneIn } from './harness/voice-phone.ts';
import { startWorker } from './harness/worker.ts';

const { notes, common } = portuguese;
const empty = { disposition: null, note: null, tags: [] };
const dispositions = ['Venda', 'Retornar'];

let testConsole: VoiceConsole;
let account: TestAccount;
let stopWorker: () => Promise<void>;

beforeAll(async () => {
  testConsole = await startVoiceConsole();
  stopWorker = await startWorker(testConsole.platform);
  account = await testConsole.platform.addAccount();
  await account.admin.client.request('PUT', '/dispositions', { body: { names: dispositions } });
});
afterAll(async () => {
  await stopWorker?.();
  await testConsole?.close();
});

async function openPhone(agent: Agent, language: Language = 'pt-BR') {
  await agent.person.client.patch('/users', { locale: language });
  const view = await testConsole.viewAs(agent.person, '/calls', { language });
  const phone = phoneIn(view.page, language);
  await phone.switchOn();
  return { ...view, phone };
}

/** Dials a new number and returns the id of the call when it is answered. */
async function talk(phone: PagePhone): Promise<{ id: string; to: string }> {
  const to = numberEnding('95');
  await phone.dial(to);
  await phone.talks();
  return { id: await callTo(account, to), to };
}

/** The question after a call, or the form during it, in the phone. */
function fieldsIn(within: Locator, words: typeof notes = notes) {
  return {
    disposition: within.getByLabel(words.disposition),
    note: within.getByRole('textbox', { name: words.note, exact: true }),
    tags: within.getByRole('textbox', { name: words.tags }),
  };
}

const question = (phone: PagePhone, words: typeof notes = notes): Locator =>
  phone.dock.getByRole('region', { name: words.ask });
const button = (within: Locator | Page, name: string): Locator =>
  within.getByRole('button', { name, exact: true });

async function storedNote(agent: Agent, id: string) {
  const { disposition, note, tags } = (await agent.person.client.get(`/calls/${id}`)).body;
  return { disposition, note, tags };
}

test('NOTE-09 NOTE-10 a note written on the page of the call stays when the wrap-up is saved', async () => {
  const agent = await addAgent(testConsole.platform, account);
  const { page, phone, faults, close } = await openPhone(agent);
  const { id } = await talk(phone);
  await phone.dock.getByRole('link', { name: phone.words.viewCall }).click();
  await page.waitForURL(`**/calls/${id}`);
  await button(page.getByRole('main'), notes.write).click();
  const onPage = fieldsIn(page.getByRole('main'));
  await onPage.disposition.selectOption('Venda');
  await onPage.note.fill('Pediu orçamento.');
  await button(page.getByRole('main'), common.save).click();
  await page.getByRole('main').getByText('Pediu orçamento.').waitFor();
  await phone.press('hangUp');
  const asked = fieldsIn(question(phone));
  await asked.note.waitFor();
  expect(await asked.note.inputValue()).toBe('Pediu orçamento.');
  expect(await asked.disposition.inputValue()).toBe('Venda');
  // A CRM changes what the user does not.
  await asked.tags.fill('VIP');
  const byCrm = { disposition: 'Retornar', note: 'Pediu orçamento.', tags: [] };
  await account.admin.client.request('PUT', `/calls/${id}/note`, { body: byCrm });
  await expect.poll(() => asked.disposition.inputValue()).toBe('Retornar');
  await button(question(phone), common.save).click();
  await question(phone).waitFor({ state: 'detached' });
  expect(await storedNote(agent, id)).toEqual({ ...byCrm, tags: ['vip'] });
  expect(faults).toEqual([]);
  await close();
});

test('NOTE-09 the question after a call is answered and skipped by keyboard', async () => {
  const agent = await addAgent(testConsole.platform, account);
  const { page, phone, faults, close } = await openPhone(agent);
  const ended = Promise.withResolvers<void>();
  await page.route(
    '**/api/v1/dispositions',
    async (route) => {
      await ended.promise;
      await route.continue();
    },
    { times: 1 },
  );
  const first = await talk(phone);
  await button(phone.dock, phone.words.hangUp).focus();
  await page.keyboard.press('Enter');
  // The first field takes the focus, although its choices are loaded last.
  await question(phone).waitFor();
  ended.resolve();
  const { disposition, note, tags } = fieldsIn(question(phone));
  const hasFocus = (field: Locator): Promise<boolean> =>
    field.evaluate((element) => element === document.activeElement);
  await expect.poll(() => hasFocus(disposition)).toBe(true);
  await page.keyboard.type('Ven');
  await page.keyboard.press('Tab');
  expect(await hasFocus(note)).toBe(true);
  await page.keyboard.type('Liga em 2027');
  await page.keyboard.press('Tab');
  expect(await hasFocus(tags)).toBe(true);
  await page.keyboard.type('vip');
  await page.keyboard.press('Enter');
  await question(phone).waitFor({ state: 'detached' });
  const written = { disposition: 'Venda', note: 'Liga em 2027', tags: ['vip'] };
  expect(await storedNote(agent, first.id)).toEqual(written);

  const second = await talk(phone);
  await button(phone.dock, phone.words.hangUp).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => hasFocus(disposition)).toBe(true);
  for (let tabs = 0; tabs < 4; tabs += 1) await page.keyboard.press('Tab');
  expect(await hasFocus(button(question(phone), notes.skip))).toBe(true);
  await page.keyboard.press('Enter');
  await question(phone).waitFor({ state: 'detached' });
  expect(await storedNote(agent, second.id)).toEqual(empty);
  expect(faults).toEqual([]);
  await close();
});

test('NOTE-10 a note is written and saved during the call, and what is not saved stays', async () => {
  const agent = await addAgent(testConsole.platform, account);
  const { phone, faults, close } = await openPhone(agent);
  const { id } = await talk(phone);
  await button(phone.dock, notes.write).click();
  const form = phone.dock.getByRole('form', { name: notes.title });
  await fieldsIn(form).note.fill('Mora em Recife.');
  await button(form, common.save).click();
  await form.waitFor({ state: 'detached' });
  expect(await storedNote(agent, id)).toEqual({ ...empty, note: 'Mora em Recife.' });
  await button(phone.dock, notes.write).click();
  // Typed digits are text, not DTMF.
  await fieldsIn(form).note.press('End');
  await fieldsIn(form).note.pressSequentially(' CEP 50000');
  await fieldsIn(form).disposition.selectOption('Retornar');
  await phone.press('minimise');
  await phone.dock.getByRole('button', { name: phone.words.open }).click();
  expect(await fieldsIn(form).note.inputValue()).toBe('Mora em Recife. CEP 50000');
  expect(await phone.dock.getByText(phone.words.keysTyped.replace('{{keys}}', '50000')).count()).toBe(0);
  await phone.press('hangUp');
  const asked = fieldsIn(question(phone));
  await asked.note.waitFor();
  expect(await asked.note.inputValue()).toBe('Mora em Recife. CEP 50000');
  await button(question(phone), common.save).click();
  await question(phone).waitFor({ state: 'detached' });
  const note = { disposition: 'Retornar', note: 'Mora em Recife. CEP 50000', tags: [] };
  expect(await storedNote(agent, id)).toEqual(note);
  expect(faults).toEqual([]);
  await close();
});

test('NOTE-11 the minimised phone asks after a call; one click skips, the next call replaces it', async () => {
  const agent = await addAgent(testConsole.platform, account);
  const { phone, faults, close } = await openPhone(agent);
  const endMinimised = async () => {
    const call = await talk(phone);
    await phone.press('minimise');
    await phone.press('hangUp');
    await phone.says(notes.ask);
    await phone.says(formatPhone(call.to));
    return call;
  };
  const skipped = await endMinimised();
  await button(phone.dock, notes.skip).click();
  await phone.dock.getByText(notes.ask).waitFor({ state: 'detached' });
  expect(await storedNote(agent, skipped.id)).toEqual(empty);

  const { id } = await endMinimised();
  await phone.dock.getByRole('button', { name: notes.ask }).click();
  const asked = fieldsIn(question(phone));
  await asked.disposition.selectOption('Venda');
  await button(question(phone), common.save).click();
  await question(phone).waitFor({ state: 'detached' });
  expect(await storedNote(agent, id)).toEqual({ ...empty, disposition: 'Venda' });
  await phone.press('minimise');

  await endMinimised();
  const next = await talk(phone);
  expect(await phone.dock.getByText(notes.ask).count()).toBe(0);
  await phone.press('hangUp');
  await whenCall(account, next.id, 'ended');
  expect(faults).toEqual([]);
  await close();
});

const walks: [Language, typeof portuguese, { note: string; tag: string }][] = [
  ['pt-BR', portuguese, { note: 'Ligar na sexta', tag: 'casa' }],
  ['en', english as typeof portuguese, { note: 'Call on Friday', tag: 'house' }],
];
const callCount = 10;
const skippedCall = 3;

test.each(walks)(
  'NOTE-09 an agent makes ten calls with notes and finds them, in %s',
  async (language, words, { note, tag }) => {
    const agent = await addAgent(testConsole.platform, account);
    const { page, phone, faults, close } = await openPhone(agent, language);
    const ids: string[] = [];
    for (let n = 0; n < callCount; n += 1) {
      ids.push((await talk(phone)).id);
      await phone.press('hangUp');
      const asked = fieldsIn(question(phone, words.notes), words.notes);
      await asked.note.waitFor();
      expect(await asked.note.inputValue()).toBe('');
      if (n === skippedCall) {
        await button(question(phone, words.notes), words.notes.skip).click();
      } else {
        await asked.disposition.selectOption(dispositions[n % 2] ?? '');
        await asked.note.fill(`${note} ${n + 1}`);
        await asked.tags.fill(n < 5 ? tag : `${tag}, vip`);
        await button(question(phone, words.notes), words.common.save).click();
      }
      await question(phone, words.notes).waitFor({ state: 'detached' });
    }
    const written = await Promise.all(ids.map((id) => storedNote(agent, id)));
    expect(written).toEqual(
      ids.map((_, n) =>
        n === skippedCall
          ? empty
          : {
              disposition: dispositions[n % 2],
              note: `${note} ${n + 1}`,
              tags: n < 5 ? [tag] : [tag, 'vip'],
            },
      ),
    );
    const shows = async (where: string, expected: string[]): Promise<void> => {
      await page.goto(`/calls?${where}`);
      const rows = page.getByRole('row').locator('a[href^="/calls/"]');
      const found = async () =>
        (await rows.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))).toSorted();
      await expect.poll(found).toEqual(expected.map((id) => `/calls/${id}`).toSorted());
    };
    await shows(
      `disposition=${dispositions[1]}&tags=${tag}`,
      [1, 5, 7, 9].map((n) => ids[n] ?? ''),
    );
    await shows('tags=VIP', ids.slice(5));
    expect(faults).toEqual([]);
    await close();
  },
);
