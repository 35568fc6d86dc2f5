import { setTimeout as sleep } from 'node:timers/promises';
import { readWav, secondsOfTone } from '../../harness/voice/tones.ts';
import type { Leg } from './phone.ts';

/** A party that heard less of the other than this did not hear it. */
export const leastHeardMs = 1_000;
/** The wait measures in steps of 100 ms and less exactly than the analysis. */
const enoughSeconds = 1.2;
const pollMs = 200;

/**
 * Waits until the party has heard enough of a tone, its leg has ended or the deadline has passed. On a busy machine
 * parties send only a part of their audio, so that a call must last longer.
 */
export async function untilHeard(leg: Leg, hertz: number, deadlineMs: number): Promise<void> {
  while (Date.now() < deadlineMs && !(await isHeard(leg, hertz))) await sleep(pollMs);
}

async function isHeard(leg: Leg, hertz: number): Promise<boolean> {
  if ((await leg.state())?.endedAtMs !== undefined) return true;
  try {
    return secondsOfTone(readWav((await leg.heard()).file), hertz) >= enoughSeconds;
  } catch {
    // The file is written with the first audio.
    return false;
  }
}
