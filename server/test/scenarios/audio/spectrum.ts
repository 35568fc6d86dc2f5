import type { Sound } from '../../harness/voice/tones.ts';

/** Windows of one RTP packet's length, which overlap by half. */
export const windowMs = { length: 20, hop: 10 };

export interface Spectrum {
  /** Mean square of the samples. */
  power: number;
  amplitudes: ReadonlyMap<number, number>;
}

export const amplitudeAt = ({ amplitudes }: Spectrum, hertz: number): number => amplitudes.get(hertz) ?? 0;

/** Measures the amplitude of each frequency in each window. */
export function spectraOf(sound: Sound, hertz: readonly number[]): Spectrum[] {
  const length = Math.round((sound.rate * windowMs.length) / 1000);
  const hop = Math.round((sound.rate * windowMs.hop) / 1000);
  const spectra: Spectrum[] = [];
  for (let start = 0; start + length <= sound.samples.length; start += hop) {
    const samples = sound.samples.subarray(start, start + length);
    const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / length;
    const isSilent = power < 1e-6;
    const amplitudes = isSilent
      ? []
      : hertz.map((each) => [each, amplitude(samples, each, sound.rate)] as const);
    spectra.push({ power, amplitudes: new Map(amplitudes) });
  }
  return spectra;
}

/** Returns the amplitude of a frequency in the samples (Goertzel algorithm). */
function amplitude(samples: Float64Array, hertz: number, rate: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * hertz) / rate);
  let last = 0;
  let beforeLast = 0;
  for (const sample of samples) {
    const next = sample + coefficient * last - beforeLast;
    beforeLast = last;
    last = next;
  }
  const power = last * last + beforeLast * beforeLast - coefficient * last * beforeLast;
  return (2 * Math.sqrt(Math.max(0, power))) / samples.length;
}
