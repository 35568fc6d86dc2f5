import type { Page } from 'playwright-core';
import { until } from '../until.ts';
import { measureLoudness, shareOfTone } from '../voice/tones.ts';
import type { Hearing, PhoneEvent, PhoneLogin, Recording, Tones, Traffic } from './page/messages.ts';

/** The phone in a page, driven through `window.phone`. */
export interface BrowserPhone {
  logIn(login: PhoneLogin): Promise<void>;
  logOff(): Promise<void>;
  /** Makes the page gather UDP candidates later than others. */
  delayUdpCandidates(ms: number): Promise<void>;
  events(): Promise<PhoneEvent[]>;
  /** Returns the number of such events so far. */
  count(what: string): Promise<number>;
  /** Waits for the nth such event and returns it. */
  when(what: string, times?: number): Promise<PhoneEvent>;
  dial(uri: string): Promise<void>;
  press(digits: string): Promise<void>;
  hangUp(): Promise<void>;
  mute(): Promise<void>;
  hold(): Promise<void>;
  resume(): Promise<void>;
  stopSending(): Promise<void>;
  traffic(): Promise<Traffic>;
  /** Prepares for a measured call: plays these tones, records what it hears, and drops earlier events. */
  prepare(tones: Tones): Promise<void>;
  /** Returns what was heard since the answer. */
  recording(): Promise<Recording>;
  /** Waits until the tone has dominated the received audio in several samples. */
  whenHearing(hertz: number): Promise<void>;
}

/** Number of samples. Each is a sixth of a second, and they start at least a twentieth of a second apart. */
const piecesOfTone = 10;

export function browserPhone(page: Page): BrowserPhone {
  const ask = async <T>(name: string, ...args: unknown[]): Promise<T> =>
    (await page.evaluate(askPhone, { name, args })) as T;
  const events = (): Promise<PhoneEvent[]> => ask('events');
  const named = async (what: string): Promise<PhoneEvent[]> =>
    (await events()).filter((event) => event.what === what);
  return {
    logIn: (login) => ask('logIn', login),
    logOff: () => ask('logOff'),
    delayUdpCandidates: (ms) => ask('delayUdpCandidates', ms),
    events,
    count: async (what) => (await named(what)).length,
    when: (what, times = 1) =>
      until(async () => (await named(what))[times - 1], `the browser reports ${what}`),
    dial: (uri) => ask('dial', uri),
    press: (digits) => ask('press', digits),
    hangUp: () => ask('hangUp'),
    mute: () => ask('mute'),
    hold: () => ask('hold'),
    resume: () => ask('resume'),
    stopSending: () => ask('stopSending'),
    traffic: () => ask('traffic'),
    prepare: (tones) => ask('prepare', tones),
    recording: () => ask('recording'),
    async whenHearing(hertz) {
      let pieces = 0;
      const hearsIt = async (): Promise<boolean> => {
        const { rate, samples } = await ask<Hearing>('hearing');
        const sound = { rate, samples: Float64Array.from(samples) };
        // Audio stutters on a busy machine, so the samples need not be consecutive.
        if (measureLoudness(sound) > 0.005 && shareOfTone(sound, hertz) > 0.5) pieces += 1;
        return pieces >= piecesOfTone;
      };
      await until(hearsIt, `the browser hears ${hertz} Hz`).catch(async (error: Error) => {
        const last = (await events()).slice(-10).map(({ what, detail }) => `${what} ${detail}`.trim());
        throw new Error(`${error.message} It reported: ${last.join(', ')}.`);
      });
    },
  };
}

/** Evaluated in the page. */
function askPhone({ name, args }: { name: string; args: unknown[] }): unknown {
  const page = globalThis as unknown as { phone: Record<string, (...args: unknown[]) => unknown> };
  return page.phone[name]?.(...args);
}
