import { expect } from 'vitest';
import { loudnessOf, readClosedWav, readWav, secondsOf, secondsOfTone } from '../../voice/harness/tones.ts';
import { until } from '../../voice/harness/voice-platform.ts';

const talkSeconds = 2;

/** Until somebody who keeps what is heard in this file has heard enough. */
export const whenTalked = (file: string): Promise<unknown> =>
  until(async () => secondsOf(readWav(file)) > talkSeconds, 'both have talked for a while');

/** That the tone was heard for longer than this, in a call that has ended. */
export async function expectTone(file: string, hertz: number, seconds: number): Promise<void> {
  const sound = await readClosedWav(file);
  const heard = `${hertz} Hz in ${secondsOf(sound)} s of loudness ${loudnessOf(sound).toFixed(3)}`;
  expect(secondsOfTone(sound, hertz), heard).toBeGreaterThan(seconds);
}
