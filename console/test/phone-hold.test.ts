import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestAccount } from '../../server/test/harness/people.ts';
import { until } from '../../server/test/harness/until.ts';
import { numberEnding } from '../../server/test/harness/voice/lines.ts';
import { measureLoudness, readWav, shareOfTone, whenHeard } from '../../server/test/harness/voice/tones.ts';
import { whenCall } from '../../server/test/harness/voice/voice-platform.ts';
import { texts } from '../src/locales/pt-BR/index.ts';
import { carrierHertz, microphoneHertz, startVoiceConsole, type VoiceConsole } from './harness/voice.ts';
import { type Agent, addAgent, callTo } from './harness/voice-agent.ts';
import { getLevels, whenPageHears } from './harness/voice-hearing.ts';
import { phoneIn } from './harness/voice-phone.ts';
import { startWorker } from './harness/worker.ts';

const { calls, common, problems } = texts;

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

async function openPhone(agent: Agent, path = '/settings') {
  const view = await testConsole.viewAs(agent.person, path);
  const phone = phoneIn(view.page);
  await phone.switchOn();
  return { ...view, phone };
}

/** Users see and control internal calls to them only as supervisors: the call belongs to the calling one. */
async function supervise({ person }: Agent): Promise<void> {
  const body = { calls: 'all', recordings: 'own', money: false, webhooks: false, supervision: true };
  await account.admin.client.request('PUT', `/users/${person.uuid}/permissions`, { body });
}

/** The last second that the carrier's party heard. */
function lastSecond(id: string) {
  const { rate, samples } = readWav(testConsole.platform.engines.simulator.heard(id, 'carrier'));
  return { rate, samples: samples.slice(-rate) };
}

/** Waits until the carrier's party hears music, and neither silence nor the microphone. */
const whenMusic = (id: string): Promise<unknown> =>
  until(async () => {
    const sound = lastSecond(id);
    return measureLoudness(sound) > 0.005 && shareOfTone(sound, microphoneHertz) < 0.1;
  }, 'the destination hears music');

const whenMicrophone = (id: string): Promise<unknown> =>
  until(
    async () => shareOfTone(lastSecond(id), microphoneHertz) > 0.5,
    'the destination hears the microphone',
  );

/** Waits until the page receives a second of silence. */
const whenSilent = (page: Page): Promise<unknown> =>
  until(async () => {
    const { energyReceived: before } = await getLevels(page);
    await sleep(1_000);
    return (await getLevels(page)).energyReceived - before < 1e-5;
  }, 'the page hears silence');

test('CTRL-02 CTRL-03 CTRL-07 hold and resume work in every tab, minimised, by keyboard and by API', async () => {
  const agent = await addAgent(testConsole.platform, account);
  const { page, context, phone, faults, close } = await openPhone(agent);
  const { dock, words } = phone;
  const { database } = testConsole.platform;
  const to = numberEnding('95');
  await phone.dial(to);
  await phone.talks();
  const id = await callTo(account, to);
  await whenHeard(testConsole.platform.engines.simulator.heard(id, 'carrier'), microphoneHertz, 1);
  await phone.hold('start');
  await phone.onHold.waitFor();
  await whenMusic(id);
  await whenSilent(page);

  // Another tab shows it and resumes the call.
  const other = await context.newPage();
  await other.goto(`${testConsole.baseUrl}/calls/${id}`);
  const otherPhone = phoneIn(other);
  await otherPhone.onHold.waitFor();
  const details = other.getByRole('main');
  await details.getByText(calls.states.held, { exact: true }).waitFor();
  await details.getByText(calls.steps.putOnHold).waitFor();
  await otherPhone.hold('end');
  await phone.says(words.stage.talking);
  await whenMicrophone(id);
  await whenPageHears(page, carrierHertz);
  await details.getByText(calls.steps.resumed).waitFor();
  // The details of the call hold it as well.
  await details.getByRole('button', { name: calls.hold.start }).click();
  await details.getByRole('button', { name: calls.hold.end }).waitFor();
  await phone.onHold.waitFor();
  await other.close();

  await phone.press('minimise');
  const resume = dock.getByRole('button', { name: calls.hold.end, exact: true });
  const hold = dock.getByRole('button', { name: calls.hold.start, exact: true });
  await phone.onHold.waitFor();
  await resume.focus();
  await page.keyboard.press('Enter');
  await hold.waitFor();
  expect(await hold.evaluate((element) => element === document.activeElement)).toBe(true);
  await phone.onHold.waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await dock.getByRole('button', { name: calls.hold.end, pressed: true }).waitFor();
  await account.admin.client.post(`/calls/${id}/unhold`, {});
  await hold.waitFor();
  await whenMicrophone(id);

  // A refused command opens the phone with the reason.
  await database.query('update media_nodes set controls_calls = false');
  await hold.click();
  await phone.says(problems.codes.SERVICE_UNAVAILABLE);
  await database.query('update media_nodes set controls_calls = true');
  await dock.getByRole('button', { name: common.tryAgain }).click();
  await phone.onHold.waitFor();
  expect(await dock.getByText(problems.codes.SERVICE_UNAVAILABLE).count()).toBe(0);
  await phone.press('hangUp');
  await whenCall(account, id, 'ended');
  const { body } = await account.admin.client.get(`/calls/${id}`);
  expect(body.timeline.filter(({ what }: { what: string }) => what === 'held')).toHaveLength(4);
  expect(faults).toEqual([]);
  await close();
});

test('CTRL-05 an internal call shows who is on hold, and the called user holds the calling one', async () => {
  const agent = await addAgent(testConsole.platform, account);
  await supervise(agent);
  const { page, phone, faults, close } = await openPhone(agent);
  const colleague = await testConsole.platform.addLine(account, { phone: { behaviour: 'tone' } });
  const dialled = await colleague.phone.dial(agent.extension.ramal);
  await phone.press('answer');
  await phone.talks();
  const id = await callTo(account, agent.extension.ramal);
  await whenCall(account, id, 'answered');
  await account.admin.client.post(`/calls/${id}/hold`, { by: 'from' });
  await phone.says(calls.hold.own);
  await account.admin.client.post(`/calls/${id}/unhold`, { by: 'from' });
  await phone.says(phone.words.stage.talking);
  await phone.hold('start');
  await phone.onHold.waitFor();
  expect(await phone.dock.getByText(calls.hold.own).count()).toBe(0);
  await whenSilent(page);
  await phone.hold('end');
  await dialled.hangUp();
  await phone.says(phone.words.ended.them);
  expect(faults).toEqual([]);
  await close();
});
