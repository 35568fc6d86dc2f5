import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestAccount } from '../../server/test/harness/people.ts';
import { until } from '../../server/test/harness/until.ts';
import { numberEnding } from '../../server/test/voice/harness/scene.ts';
import { violations } from './harness/axe.ts';
import type { Language } from './harness/browser.ts';
import { illegible, resize, widths } from './harness/legible.ts';
import { startVoiceConsole, type VoiceConsole } from './harness/voice.ts';
import { addAgent } from './harness/voice-agent.ts';
import { phoneIn } from './harness/voice-phone.ts';

/** Where `./dev screenshots` wants a picture of every screen; without it none is taken. */
const pictures = process.env.DISCA_SCREENSHOTS;

let house: VoiceConsole;
let account: TestAccount;

beforeAll(async () => {
  house = await startVoiceConsole();
  account = await house.platform.addAccount();
});
afterAll(() => house?.close());

/** Everything wrong with what the phone shows now. */
async function look(page: Page, name: string, language: Language): Promise<string[]> {
  const found: string[] = [];
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await page.locator(`html[data-mantine-color-scheme=${theme}]`).waitFor();
    for (const width of widths) {
      const isRead = theme === 'light';
      const isJudged = language === 'pt-BR' && width === 360;
      if (!isRead && !isJudged && !pictures) continue;
      await resize(page, width);
      if (pictures && width !== 768) {
        mkdirSync(pictures, { recursive: true });
        await page.screenshot({ path: join(pictures, `phone-${name}-${language}-${theme}-${width}.png`) });
      }
      const faults = [...(isRead ? await illegible(page) : []), ...(isJudged ? await violations(page) : [])];
      found.push(...faults.map((fault) => `${name}, ${theme}, ${width} px: ${fault}`));
    }
  }
  return found;
}

test.each(['pt-BR', 'en'] as const)(
  'in %s the phone is legible in every state and has no violation',
  async (language) => {
    const agent = await addAgent(house.platform, account);
    await agent.person.client.patch('/users', { locale: language });
    const { page, faults, close } = await house.viewAs(agent.person, '/settings', { language });
    const phone = phoneIn(page, language);
    const { ramal, senha } = agent.extension;
    const { simulator, edgeAddress } = house.platform.engines;
    const found: string[] = [];
    const see = async (name: string): Promise<void> => void found.push(...(await look(page, name, language)));

    await phone.dock.getByRole('button', { name: phone.words.open }).click();
    await phone.dock.getByRole('button', { name: phone.words.on.action }).waitFor();
    await see('off');
    await phone.dock.getByRole('button', { name: phone.words.on.action }).click();
    await phone.when('ready');
    await see('ready');
    await phone.dock.getByRole('button', { name: phone.words.options }).click();
    await see('options');
    await phone.dock.getByRole('button', { name: phone.words.back }).click();

    const order = { caller: ramal, called: numberEnding('95'), extension: ramal };
    const { body: shown } = await account.admin.client.post('/calls', order);
    await phone.says(phone.words.stage.incoming);
    await see('incoming');
    // A call rings for 30 s, and looking may have taken longer: another one is answered.
    await account.admin.client.post(`/calls/${shown.id}/hangup`, {});
    await phone.says(phone.words.ended.missed);
    await account.admin.client.post('/calls', order);
    await phone.press('answer');
    await phone.talks();
    await phone.press('mute');
    await phone.press('keypad');
    await phone.says(phone.words.quality.good);
    await see('talking');
    await phone.press('hangUp');
    await phone.dial(numberEnding('17'));
    await phone.says(phone.words.ended.busy);
    await see('ended');

    const desk = await simulator.addPhone({
      ramal,
      domain: account.domain,
      password: senha,
      edge: edgeAddress,
    });
    await until(async () => {
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      await page.waitForTimeout(500);
      return await phone.dock.getByText(phone.words.line.replaced).isVisible();
    }, 'the phone learns that it was replaced');
    await see('replaced');
    await phone.dock.getByRole('button', { name: phone.words.minimise }).click();
    await see('resting');
    await desk.remove();
    expect([...found, ...faults]).toEqual([]);
    await close();
  },
);
