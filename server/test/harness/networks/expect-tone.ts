import { expect } from 'vitest';
import { durationSeconds, measureLoudness, readClosedWav, secondsOfTone } from '../voice/tones.ts';

/** Expects that the tone was received for longer than this, in a call that has ended. */
export async function expectTone(file: string, hertz: number, seconds: number): Promise<void> {
  const sound = await readClosedWav(file);
  const heard = `${hertz} Hz in ${durationSeconds(sound)} s of loudness ${measureLoudness(sound).toFixed(3)}`;
  expect(secondsOfTone(sound, hertz), heard).toBeGreaterThan(seconds);
}
