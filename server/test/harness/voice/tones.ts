import { readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Sound {
  rate: number;
  /** Samples between -1 and 1. */
  samples: Float64Array;
}

/** Reads mono 16-bit PCM. The header of a file that is still being written has length 0, so all bytes are used. */
export const readWav = (path: string): Sound => soundIn(readFileSync(path), path).sound;

/** Parses a downloaded file in the same way. */
export const parseSound = (file: Buffer): Sound => soundIn(file, 'The download').sound;

const closingMs = 120_000;

/** Reads the audio of a call that has ended. The recorder writes the end and closes the file a little later. */
export async function readClosedWav(path: string): Promise<Sound> {
  const deadline = Date.now() + closingMs;
  for (;;) {
    const { sound, isClosed } = soundIn(readFileSync(path), path);
    if (isClosed) return sound;
    if (Date.now() > deadline) throw new Error(`${path} was not closed.`);
    await sleep(50);
  }
}

function soundIn(file: Buffer, path: string): { sound: Sound; isClosed: boolean } {
  if (file.toString('latin1', 0, 4) !== 'RIFF') throw new Error(`${path} is not a WAV file.`);
  const rate = file.readUInt32LE(24);
  let offset = 12;
  while (file.toString('latin1', offset, offset + 4) !== 'data') {
    offset += 8 + file.readUInt32LE(offset + 4);
    if (offset + 8 > file.length) throw new Error(`${path} contains no audio.`);
  }
  const start = offset + 8;
  const samples = new Float64Array(Math.floor((file.length - start) / 2));
  for (let index = 0; index < samples.length; index += 1) {
    samples[index] = file.readInt16LE(start + index * 2) / 32_768;
  }
  const statedBytes = file.readUInt32LE(offset + 4);
  return { sound: { rate, samples }, isClosed: statedBytes > 0 && statedBytes === file.length - start };
}

export const durationSeconds = (sound: Sound): number => sound.samples.length / sound.rate;

/** Returns the RMS volume of the whole sound. */
export function measureLoudness({ samples }: Sound): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length));
}

/** Returns the share of the power, 0 to 1, at this frequency (Goertzel algorithm). */
export function shareOfTone({ rate, samples }: Sound, hertz: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * hertz) / rate);
  let last = 0;
  let beforeLast = 0;
  let power = 0;
  for (const sample of samples) {
    const next = sample + coefficient * last - beforeLast;
    beforeLast = last;
    last = next;
    power += sample * sample;
  }
  if (power === 0) return 0;
  const atTone = last * last + beforeLast * beforeLast - coefficient * last * beforeLast;
  return Math.min(1, (2 * atTone) / (samples.length * power));
}

const pieceSeconds = 0.1;

/** Returns how long the tone sounds: tenths of a second in which it has most of the power. */
export function secondsOfTone(sound: Sound, hertz: number, share = 0.5): number {
  const length = Math.round(sound.rate * pieceSeconds);
  let pieces = 0;
  for (let start = 0; start + length <= sound.samples.length; start += length) {
    const samples = sound.samples.subarray(start, start + length);
    if (measureLoudness({ ...sound, samples }) > 0.005 && shareOfTone({ ...sound, samples }, hertz) >= share)
      pieces += 1;
  }
  return pieces * pieceSeconds;
}

const toneTimeoutMs = 120_000;
const wavHeaderBytes = 44;

/** The file is created with the first audio. */
const hasAudio = (path: string): boolean =>
  (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > wavHeaderBytes;

/** Waits until the tone was received for `seconds` in a live call; on a busy machine this takes longer. */
export async function whenHeard(path: string, hertz: number, seconds = 2): Promise<void> {
  const deadline = Date.now() + toneTimeoutMs;
  for (;;) {
    const heard = hasAudio(path) ? secondsOfTone(readWav(path), hertz) : 0;
    if (heard >= seconds) return;
    if (Date.now() > deadline) throw new Error(`${heard} s of ${hertz} Hz were heard in ${path}.`);
    await sleep(100);
  }
}
