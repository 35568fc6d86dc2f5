import { setTimeout as sleep } from 'node:timers/promises';
import type { SimulatedCall } from '../../../../simulator/voice/index.ts';
import { measureLoudness, readClosedWav, type Sound, shareOfTone } from '../../harness/voice/tones.ts';
import { amplitudeAt, spectraOf, windowMs } from '../audio/spectrum.ts';

/** One party of a call. */
export interface Party {
  name: string;
  hertz: number;
  /** Recording of what it heard. */
  file(): string;
  leg(): SimulatedCall;
}

/** Whom a party hears, by name. */
export type Matrix = Record<string, string[]>;

/** A time in which nothing changed, and what the parties should have heard then. */
export interface Phase {
  name: string;
  fromMs: number;
  toMs: number;
  expected: Matrix;
}

/** A change has taken effect after this time, on a busy machine too. */
const settleMs = 1_000;
const listenMs = 1_500;
/** Tones have an amplitude of about 0.2. */
const leastAmplitude = 0.02;

export async function listen(name: string, expected: Matrix): Promise<Phase> {
  await sleep(settleMs);
  const fromMs = Date.now();
  await sleep(listenMs);
  return { name, fromMs, toMs: Date.now(), expected };
}

export interface Heard {
  sound: Sound;
  startedAtMs: number;
  endedAtMs: number;
}

export async function readHeard({ file, leg }: Party): Promise<Heard> {
  const { answeredAtMs: startedAtMs = 0, endedAtMs = 0 } = leg();
  return { sound: await readClosedWav(file()), startedAtMs, endedAtMs };
}

/** Less of a phase shows nothing. */
const leastMs = 200;

/**
 * Returns the part of a recording that is certainly between two times. On a busy machine the recording lacks audio, at
 * unknown times, so that a sample is at most as late as its distance from the start, and at least as late as that from
 * the end.
 */
function between(
  { sound, startedAtMs, endedAtMs }: Heard,
  fromMs: number,
  toMs: number,
  where: string,
): Sound {
  const { rate, samples } = sound;
  const countIn = (ms: number): number => Math.round((ms / 1_000) * rate);
  const first = Math.max(0, countIn(fromMs - startedAtMs));
  const end = Math.min(samples.length, samples.length - countIn(endedAtMs - toMs));
  if (end - first < countIn(leastMs))
    throw new Error(
      `${where}: of ${toMs - fromMs} ms, ${Math.round(((end - first) / rate) * 1_000)} ms are certain.`,
    );
  return { rate, samples: samples.subarray(first, end) };
}

const amplitudeOf = (sound: Sound, hertz: number): number =>
  sound.samples.length === 0 ? 0 : Math.sqrt(2 * shareOfTone(sound, hertz)) * measureLoudness(sound);

/** Returns whose tones a party heard in a phase; `where` names both. */
export function heardIn(
  heard: Heard,
  { fromMs, toMs }: Phase,
  tones: ReadonlyMap<string, number>,
  where: string,
): string[] {
  const sound = between(heard, fromMs, toMs, where);
  return [...tones].flatMap(([name, hertz]) => (amplitudeOf(sound, hertz) >= leastAmplitude ? name : []));
}

/** Returns the longest time without a tone, in milliseconds. */
export function longestGapMs(heard: Heard, hertz: number, fromMs: number, toMs: number): number {
  let longest = 0;
  let current = 0;
  for (const spectrum of spectraOf(between(heard, fromMs, toMs, 'while moved'), [hertz])) {
    current = amplitudeAt(spectrum, hertz) >= leastAmplitude ? 0 : current + windowMs.hop;
    longest = Math.max(longest, current);
  }
  return longest;
}

const pieceSeconds = 0.1;

/** Returns for how long each tone is in a recording, in seconds. */
export function secondsOfTones(sound: Sound, tones: ReadonlyMap<string, number>): Record<string, number> {
  const length = Math.round(sound.rate * pieceSeconds);
  const pieces = new Map([...tones.keys()].map((name) => [name, 0]));
  for (let start = 0; start + length <= sound.samples.length; start += length) {
    const piece = { rate: sound.rate, samples: sound.samples.subarray(start, start + length) };
    for (const [name, hertz] of tones)
      if (amplitudeOf(piece, hertz) >= leastAmplitude) pieces.set(name, (pieces.get(name) ?? 0) + 1);
  }
  return Object.fromEntries(
    [...pieces].map(([name, count]) => [name, Math.round(count * pieceSeconds * 10) / 10]),
  );
}
