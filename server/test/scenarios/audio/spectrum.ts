import type { Sound } from '../../harness/voice/tones.ts';

/** Windows of one RTP packet's length, which overlap by half. */
export const windowMs = { length: 20, hop: 10 };

export interface Spectrum {
  /** Mean square of the samples. */
  power: number;
  /** Amplitudes in the order of the frequencies; empty in silence. */
  amplitudes: Float64Array;
  /** Positions of the frequencies. */
  positions: ReadonlyMap<number, number>;
}

export const amplitudeAt = ({ amplitudes, positions }: Spectrum, hertz: number): number =>
  amplitudes[positions.get(hertz) ?? -1] ?? 0;

const silence = new Float64Array(0);

/** Measures the amplitude of each frequency in each window. */
export function spectraOf(sound: Sound, hertz: readonly number[]): Spectrum[] {
  const length = Math.round((sound.rate * windowMs.length) / 1000);
  const hop = Math.round((sound.rate * windowMs.hop) / 1000);
  const positions = new Map(hertz.map((each, position) => [each, position]));
  const coefficients = Float64Array.from(hertz, (each) => 2 * Math.cos((2 * Math.PI * each) / sound.rate));
  const spectra: Spectrum[] = [];
  for (let start = 0; start + length <= sound.samples.length; start += hop) {
    const samples = sound.samples.subarray(start, start + length);
    const power = powerOf(samples);
    const amplitudes =
      power < 1e-6 ? silence : coefficients.map((coefficient) => amplitude(samples, coefficient));
    spectra.push({ power, amplitudes, positions });
  }
  return spectra;
}

function powerOf(samples: Float64Array): number {
  let sum = 0;
  // An indexed loop is several times as fast as an iterator, and long runs analyse hours of audio.
  for (let index = 0; index < samples.length; index += 1) sum += (samples[index] as number) ** 2;
  return sum / samples.length;
}

/** Returns the amplitude of a frequency in the samples (Goertzel algorithm). */
function amplitude(samples: Float64Array, coefficient: number): number {
  let last = 0;
  let beforeLast = 0;
  for (let index = 0; index < samples.length; index += 1) {
    const next = (samples[index] as number) + coefficient * last - beforeLast;
    beforeLast = last;
    last = next;
  }
  const power = last * last + beforeLast * beforeLast - coefficient * last * beforeLast;
  return (2 * Math.sqrt(Math.max(0, power))) / samples.length;
}
