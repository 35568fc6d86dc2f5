import type { Page } from 'playwright-core';
import { linkTo } from '../../../server/test/harness/mailbox.ts';
import { password } from '../../../server/test/harness/people.ts';
import { texts as english } from '../../src/locales/en/index.ts';
import { texts as portuguese } from '../../src/locales/pt-BR/index.ts';
import { type Language, openView } from './browser.ts';
import type { VoiceConsole } from './voice.ts';
import { phoneIn } from './voice-phone.ts';

/** Clicks of the mouse; those that a form makes when Enter is pressed do not count. */
async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0;
  await page.exposeFunction('onMouseDown', () => {
    clicks += 1;
  });
  await page.addInitScript(() => {
    const { onMouseDown } = window as unknown as { onMouseDown(): void };
    addEventListener('mousedown', () => onMouseDown(), true);
  });
  return () => clicks;
}

/** Goes from the sign-up page to an answered first call as a new customer. Returns the clicks and the time it took. */
export async function walkDayOne(
  { browser, baseUrl, platform }: VoiceConsole,
  language: Language,
): Promise<{ clicks: number; seconds: number; faults: string[] }> {
  const words = { 'pt-BR': portuguese, en: english }[language];
  const { page, context, faults, close } = await openView(browser, baseUrl, { language });
  await context.grantPermissions(['microphone'], { origin: baseUrl });
  const clicks = await countClicks(page);
  const startedAt = Date.now();
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const email = `day-one-${language}@empresa.test`.toLowerCase();
  await page.goto('/signup');
  for (const [name, value] of Object.entries({
    name: 'Ana Souza',
    organization_name: `Padaria ${language}`,
    domain: `day-one-${language}`.toLowerCase(),
    email,
    phone: '11 98765-4321',
    password,
  }))
    await page.locator(`[name=${name}]`).fill(value);
  await button(words.enter.signUp.submit).click();
  await page.getByText(words.enter.sent.title).waitFor();
  // The click on the link in the mail.
  await page.goto((await linkTo(platform, email, 'confirm-email')).href);
  await page.locator('[name=email]').fill(email);
  await page.locator('[name=password]').fill(password);
  await page.locator('[type=submit]').click();
  const { actions } = words.home.firstSteps;
  await button(actions.credit.test).click();
  await page.locator('[data-step=credit][data-done=true]').waitFor();
  await button(actions.phone).click();
  await phoneIn(page, language).when('ready');
  await page.locator('[data-step=extension][data-done=true]').waitFor();
  await page.locator('[data-step=phone][data-done=true]').waitFor();
  await button(actions.call).click();
  await phoneIn(page, language).talks();
  const seconds = (Date.now() - startedAt) / 1_000;
  await page.locator('[data-step=call][data-done=true]').waitFor();
  await page.getByText(`${words.shell.person}: Ana Souza`, { exact: true }).waitFor({ state: 'attached' });
  await close();
  return { clicks: clicks() + 1, seconds, faults };
}
