import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestAccount } from '../../server/test/harness/people.ts';
import { until } from '../../server/test/harness/until.ts';
import { numberEnding } from '../../server/test/harness/voice/lines.ts';
import { texts as english } from '../src/locales/en/index.ts';
import { texts as portuguese } from '../src/locales/pt-BR/index.ts';
import { checkScreen } from './harness/check-screen.ts';
import { startVoiceConsole, type VoiceConsole } from './harness/voice.ts';
import { addAgent } from './harness/voice-agent.ts';
import { phoneIn } from './harness/voice-phone.ts';

let testConsole: VoiceConsole;
let account: TestAccount;

beforeAll(async () => {
  testConsole = await startVoiceConsole();
  account = await testConsole.platform.addAccount();
  const body = { names: ['Venda', 'Retornar ligação'] };
  await account.admin.client.request('PUT', '/dispositions', { body });
});
afterAll(() => testConsole?.close());

test.each(['pt-BR', 'en'] as const)(
  'in %s the phone is legible in every state and has no axe violations',
  async (language) => {
    const agent = await addAgent(testConsole.platform, account, { gravar_audio: 1 });
    await agent.person.client.patch('/users', { locale: language });
    const { page, faults, close } = await testConsole.viewAs(agent.person, '/settings', { language });
    const phone = phoneIn(page, language);
    const { ramal, senha } = agent.extension;
    const { simulator, edgeAddress } = testConsole.platform.engines;
    const words = { 'pt-BR': portuguese, en: english }[language];
    const problems: string[] = [];
    const check = async (state: string): Promise<void> => {
      const options = { name: `phone-${state}`, language, axeWidths: [360], fullPage: false };
      problems.push(...(await checkScreen(page, options)));
    };

    await phone.dock.getByRole('button', { name: phone.words.open }).click();
    await phone.dock.getByRole('button', { name: phone.words.on.action }).waitFor();
    await check('off');
    await phone.dock.getByRole('button', { name: phone.words.on.action }).click();
    await phone.when('ready');
    await check('ready');
    await phone.dock.getByRole('button', { name: phone.words.options }).click();
    await check('options');
    await phone.dock.getByRole('button', { name: phone.words.back }).click();

    const metadata = { name: 'Maria Eduarda Souza de Albuquerque', deal: 'D-1024' };
    const order = { caller: ramal, called: numberEnding('95'), extension: ramal, metadata };
    const { body: shown } = await account.admin.client.post('/calls', order);
    await phone.says(phone.words.stage.placed);
    await check('offered');
    // A call rings for 30 s, which the checks may exceed, so another call is answered.
    await account.admin.client.post(`/calls/${shown.id}/hangup`, {});
    await phone.says(phone.words.ended.notAnswered);
    await account.admin.client.post('/calls', order);
    await phone.press('answer');
    await phone.talks();
    await phone.press('mute');
    await phone.press('keypad');
    await phone.showsQuality();
    await check('talking');
    await phone.press('keypad');
    await phone.hold('start');
    await check('held');
    await phone.dock.getByRole('button', { name: words.notes.write }).click();
    await phone.dock.getByRole('form', { name: words.notes.title }).waitFor();
    await check('note');
    await phone.press('minimise');
    await check('minimised');
    await phone.press('hangUp');
    await phone.says(words.notes.ask);
    await check('asks');
    await phone.dial(numberEnding('17'));
    await phone.says(phone.words.advice.USER_BUSY);
    await check('ended');

    const desk = await simulator.addPhone({
      ramal,
      domain: account.domain,
      password: senha,
      edge: edgeAddress,
    });
    await until(async () => {
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      await page.waitForTimeout(500);
      return await phone.dock.getByText(phone.words.line.replaced, { exact: true }).isVisible();
    }, 'the phone learns that it was replaced');
    await check('replaced');
    await phone.dock.getByRole('button', { name: phone.words.minimise }).click();
    await check('resting');
    await desk.remove();
    expect([...problems, ...faults]).toEqual([]);
    await close();
  },
);
