import { afterAll, beforeAll, expect, test } from 'vitest';
import { assignNumber, freshNumber } from '../../server/test/harness/fixtures/dialled-calls.ts';
import type { TestAccount } from '../../server/test/harness/people.ts';
import { numberEnding } from '../../server/test/harness/voice/lines.ts';
import { whenHeard } from '../../server/test/harness/voice/tones.ts';
import { whenCall } from '../../server/test/harness/voice/voice-platform.ts';
import { texts } from '../src/locales/pt-BR/index.ts';
import { formatPhone } from '../src/shared/phone-number/format-phone.ts';
import { carrierHertz, microphoneHertz, startVoiceConsole, type VoiceConsole } from './harness/voice.ts';
import { type Agent, addAgent } from './harness/voice-agent.ts';
import { whenPageHears } from './harness/voice-hearing.ts';
import { type PagePhone, phoneIn } from './harness/voice-phone.ts';
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

const metadata = { name: 'Maria Souza', deal: 'D-1024' };

/** Places a call for the agent, as a CRM does with the token of an ADMIN. */
async function placeFor({ extension: { ramal } }: Agent, called: string, more: object = {}): Promise<string> {
  const { body } = await account.admin.client.post('/calls', {
    caller: ramal,
    called,
    extension: ramal,
    ...more,
  });
  return body.id;
}

async function openPhone(agent: Agent, path = '/settings') {
  const view = await testConsole.viewAs(agent.person, path);
  const phone = phoneIn(view.page);
  await phone.switchOn();
  return { ...view, phone };
}

/** Waits until the phone offers to answer a call that was placed for its user, and shows who is called. */
async function offers(phone: PagePhone, who: string): Promise<void> {
  await phone.says(phone.words.stage.placed);
  await phone.says(who);
}

test('CALL-90 a call that a CRM placed shows who is called, and talks from the answer of the destination', async () => {
  const agent = await addAgent(testConsole.platform, account);
  const { page, phone, faults, close } = await openPhone(agent, '/calls');
  const { words } = phone;
  const inList = (state: keyof typeof texts.calls.states) =>
    page.getByRole('table').getByText(texts.calls.states[state], { exact: true });
  // Rings for 20 s before it answers.
  const to = numberEnding('91');
  const id = await placeFor(agent, to, { metadata });
  const offer = words.offer.replace('{{who}}', metadata.name);
  await offers(phone, metadata.name);
  await phone.says(formatPhone(to));
  await phone.says(words.deal.replace('{{deal}}', metadata.deal));
  await page.waitForFunction((text) => document.title === text, `☎ ${offer}`);
  expect(await phone.dock.getByText(words.stage.incoming).count()).toBe(0);
  await inList('ringing').waitFor();
  await phone.press('answer');
  await phone.says(words.stage.ringing);
  // The list says the same: the destination is dialled, and the extension no longer rings.
  await inList('dialing').waitFor();
  expect(await inList('ringing').count()).toBe(0);
  expect(await phone.dock.getByRole('timer').count()).toBe(0);
  expect((await whenCall(account, id, 'dialing')).answered_at).toBeNull();
  await phone.talks();
  await phone.says(words.stage.talking);
  await inList('answered').waitFor();
  const shown = await phone.dock.getByRole('timer').textContent();
  const { answered_at } = await whenCall(account, id, 'answered');
  const seconds = Number(/(\d+)\s*s/.exec(shown ?? '')?.[1]);
  expect(seconds).toBeLessThanOrEqual((Date.now() - Date.parse(answered_at)) / 1_000 + 1);
  await phone.press('hangUp');
  await phone.says(words.ended.you);
  expect(await whenCall(account, id, 'ended')).toMatchObject({ ended_by: 'extension' });
  expect(faults).toEqual([]);
  await close();
});

test('a placed call is answered automatically by its own user, with two-way audio', async () => {
  const agent = await addAgent(testConsole.platform, account);
  const { page, phone, close } = await openPhone(agent);
  const { ramal } = agent.extension;
  const order = { caller: ramal, called: numberEnding('95'), extension: ramal };
  const { body } = await agent.person.client.post('/calls', order);
  await phone.talks();
  await whenCall(account, body.id, 'answered');
  await whenPageHears(page, carrierHertz);
  const { simulator } = testConsole.platform.engines;
  await whenHeard(simulator.heard(body.id, 'carrier'), microphoneHertz);
  await simulator.hangUpCarrier(body.id);
  await phone.says(phone.words.ended.them);
  expect(await whenCall(account, body.id, 'ended')).toMatchObject({ ended_by: 'destination' });
  await close();
});

test('a placed call that is canceled, not answered or not connected says so', async () => {
  const agent = await addAgent(testConsole.platform, account);
  const { phone, close } = await openPhone(agent);
  const { words } = phone;
  const to = numberEnding('17');
  const canceled = await placeFor(agent, to);
  await offers(phone, formatPhone(to));
  await phone.press('cancel');
  await phone.says(words.ended.cancelled);
  expect(await whenCall(account, canceled, 'ended')).toMatchObject({ ended_by: 'extension' });
  const unanswered = await placeFor(agent, to);
  await offers(phone, formatPhone(to));
  await account.admin.client.post(`/calls/${unanswered}/hangup`, {});
  await phone.says(words.ended.notAnswered);
  expect(await phone.dock.getByText(words.ended.missed).count()).toBe(0);
  const busy = await placeFor(agent, to);
  await phone.press('answer');
  await phone.says(words.advice.USER_BUSY);
  expect(await whenCall(account, busy, 'ended')).toMatchObject({ hangup_cause: 'USER_BUSY' });
  await close();
});

test('the minimised phone shows the number, the time and the recording, and mutes and hangs up', async () => {
  const agent = await addAgent(testConsole.platform, account, { gravar_audio: 1 });
  const { page, phone, close } = await openPhone(agent);
  const { words, dock } = phone;
  const to = numberEnding('95');
  const id = await placeFor(agent, to);
  await phone.press('answer');
  await phone.talks();
  await dock.getByRole('img', { name: words.recording }).waitFor();
  await phone.press('minimise');
  await phone.says(formatPhone(to));
  await phone.says(/\d+\s*s$/);
  await dock.getByRole('img', { name: words.recording }).waitFor();
  await phone.press('mute');
  await dock.getByRole('button', { name: words.unmute, pressed: true }).waitFor();
  // The open phone shows the same state.
  await dock.getByRole('button', { name: words.open }).click();
  await phone.says(words.muted);
  await phone.press('minimise');
  await phone.press('hangUp');
  expect(await whenCall(account, id, 'ended')).toMatchObject({ ended_by: 'extension' });
  await page.close();
  await close();
});

const contact = { name: 'Marina Alves', deal: 'Proposta 4711' };

const save = (number: string) =>
  account.admin.client.request('PUT', '/contacts', { body: { number, ...contact } });

test('CONTACT-14 an incoming call shows the name and the deal of its contact', async () => {
  const number = freshNumber();
  await assignNumber(testConsole.platform, account, number);
  const agent = await addAgent(testConsole.platform, account, { bina: number });
  const from = numberEnding('16');
  await save(from);
  const { page, phone, faults, close } = await openPhone(agent);
  const { simulator, node } = testConsole.platform.engines;
  const call = await simulator.callFromCarrier({ to: `+${number}`, from, node: node.sipAddress });
  await phone.says(phone.words.stage.incoming);
  await phone.says(contact.name);
  await phone.says(formatPhone(from));
  await phone.says(phone.words.deal.replace('{{deal}}', contact.deal));
  const title = `☎ ${phone.words.ringing.replace('{{who}}', contact.name)}`;
  await page.waitForFunction((text) => document.title === text, title);
  await phone.press('answer');
  await phone.talks();
  await phone.press('minimise');
  await phone.says(contact.name);
  await call.hangUp();
  await phone.says(formatPhone(from));
  expect(faults).toEqual([]);
  await close();
});

test('CONTACT-14 a dialled number shows its contact before and during the call', async () => {
  const agent = await addAgent(testConsole.platform, account);
  const to = numberEnding('95');
  await save(to);
  const { phone, faults, close } = await openPhone(agent);
  await phone.dial(`+${to}`);
  await phone.talks();
  await phone.says(contact.name);
  await phone.says(phone.words.deal.replace('{{deal}}', contact.deal));
  await phone.press('hangUp');
  await phone.says(phone.words.ended.you);
  await phone.dock.getByRole('textbox', { name: phone.words.number }).fill(`+${to}`);
  await phone.says(`${contact.name} · ${contact.deal}`);
  expect(faults).toEqual([]);
  await close();
});

test('CONTACT-14 the metadata of a call is shown instead of the contact', async () => {
  const agent = await addAgent(testConsole.platform, account);
  const to = numberEnding('17');
  await save(to);
  const { phone, faults, close } = await openPhone(agent);
  const { ramal } = agent.extension;
  const place = (metadata: object) =>
    account.admin.client.post('/calls', { caller: ramal, called: to, extension: ramal, metadata });
  await place({ name: 'Maria Souza' });
  await offers(phone, 'Maria Souza');
  await phone.says(phone.words.deal.replace('{{deal}}', contact.deal));
  expect(await phone.dock.getByText(contact.name).count()).toBe(0);
  await phone.press('cancel');
  await phone.says(phone.words.ended.cancelled);
  await place({});
  await offers(phone, contact.name);
  await phone.press('cancel');
  expect(faults).toEqual([]);
  await close();
});
