import type { Locator, Page } from 'playwright-core';
import { texts as english } from '../../src/locales/en/index.ts';
import { texts as portuguese } from '../../src/locales/pt-BR/index.ts';
import type { Language } from './browser.ts';

type Pressed =
  | 'answer'
  | 'reject'
  | 'cancel'
  | 'hangUp'
  | 'mute'
  | 'unmute'
  | 'keypad'
  | 'takeOver'
  | 'minimise';

type HoldCommand = 'start' | 'end';

/** Page object of the browser phone. */
export interface PagePhone {
  dock: Locator;
  /** Enables the phone in this browser and waits until it is registered. */
  switchOn(): Promise<void>;
  /** Waits until the line is in this state. */
  when(line: keyof typeof portuguese.phone.line): Promise<void>;
  dial(number: string): Promise<void>;
  /** Waits until the call is answered. */
  talks(): Promise<void>;
  press(button: Pressed): Promise<void>;
  /** Puts the other party on hold, or resumes the call, and waits until the phone shows it. */
  hold(command: HoldCommand): Promise<void>;
  /** The text that the other party is on hold; screen readers have it twice in the minimised phone. */
  onHold: Locator;
  /** Waits until the phone shows how good the connection is, which depends on the load of the machine. */
  showsQuality(): Promise<void>;
  /** Waits for this text in the phone. */
  says(text: string | RegExp): Promise<void>;
  words: typeof portuguese.phone;
}

export function phoneIn(page: Page, language: Language = 'pt-BR'): PagePhone {
  const { phone: words, calls } = { 'pt-BR': portuguese, en: english }[language];
  const dock = page.getByRole('complementary', { name: words.title, exact: true });
  const button = (name: string): Locator => dock.getByRole('button', { name, exact: true });
  const open = async (): Promise<void> => {
    const closed = dock.getByRole('button', { name: words.open });
    if (await closed.isVisible()) await closed.click();
  };
  const onHold = dock.getByText(calls.hold.on, { exact: true }).first();
  const says = (text: string | RegExp): Promise<void> => dock.getByText(text).first().waitFor();
  return {
    dock,
    words,
    onHold,
    says,
    async switchOn() {
      await button(words.open).click();
      await button(words.on.action).click();
      await says(words.line.ready);
    },
    showsQuality() {
      const { good, fair, poor } = words.quality;
      return says(new RegExp([good, fair, poor].join('|')));
    },
    when: (line) => says(words.line[line]),
    async dial(number) {
      await open();
      await dock.getByRole('textbox', { name: words.number }).fill(number);
      await button(words.call).click();
    },
    talks: () => dock.getByRole('timer').waitFor(),
    press: (name) => button(words[name]).click(),
    async hold(command) {
      await button(calls.hold[command]).click();
      await button(calls.hold[command === 'start' ? 'end' : 'start']).waitFor();
      await onHold.waitFor({ state: command === 'start' ? 'visible' : 'detached' });
    },
  };
}
