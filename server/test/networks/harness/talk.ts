import { readClosedWav, readWav, secondsOf, secondsOfTone } from '../../voice/harness/tones.ts';
import { until } from '../../voice/harness/voice-platform.ts';

const talkSeconds = 2;

/** Until somebody who keeps what is heard in this file has heard enough. */
export const whenTalked = (file: string): Promise<unknown> =>
  until(async () => secondsOf(readWav(file)) > talkSeconds, 'both have talked for a while');

/** How long the tone was heard in a call that has ended. */
export const toneIn = async (file: string, hertz: number): Promise<number> =>
  secondsOfTone(await readClosedWav(file), hertz);
