import { firstWord } from '../../../../simulator/voice/tones.ts';
import type { Sound } from '../../harness/voice/tones.ts';
import { amplitudeAt, type Spectrum, spectraOf, windowMs } from './spectrum.ts';

export interface Interval {
  atMs: number;
  ms: number;
}

/** What a party received. Times are in milliseconds from the start of the file, in steps of 10. */
export interface Heard {
  lengthMs: number;
  /** When the expected voice (first word or tone) is heard first and last; undefined if never. */
  firstMs: number | undefined;
  lastMs: number | undefined;
  /** How long the expected voice is heard, and its tone without the first word, which is the same for all parties. */
  voiceMs: number;
  toneMs: number;
  firstWordMs: number;
  /** Interruptions between the first and the last sound of the expected voice. */
  gaps: Interval[];
  /** Silence between the first and the last sound, in steps of 5 ms, so that every lost packet counts in full. */
  silentMs: number;
  foreign: (Interval & { hertz: number })[];
  /** Share of the power that the tone has while it sounds, 0 to 1, median. A wrong codec distorts it. */
  purity: number;
}

export interface Expected {
  hertz: number;
  /** Tones of the calls that ran at the same time or just before: hearing one of them is a fault. */
  others: readonly number[];
  /** Other tones of this call, such as that of the second party in a recording. */
  allowed?: number[];
  /** Foreign tones are sought from here on. Before the answer a caller hears ringback. */
  fromMs?: number;
  /**
   * Duration from the first sound in which a browser was seen to distort and blur tones. Only strong tones that differ
   * from the expected ones by more than 100 Hz are foreign there, and none in overdriven audio.
   */
  settlingMs?: number;
  /**
   * Whether a browser sends or receives the audio, with Opus. Its decoder predicts each packet from those before: after
   * a lost one the level of a tone varies for hundreds of milliseconds, and weak tones beside it appear and vanish.
   * While our tone's level varies, only strong tones are foreign, and none in overdriven audio. Tones near ours must last.
   * After a tone that ended, a weak one near it may ring on; it fades, unlike the tone of another call.
   */
  isOpus?: boolean;
}

/** Distance within which a browser blurs a tone that starts. */
const smearHertz = 100;
/** Distance within which an interrupted tone has sidebands: every second packet lost puts them at 50 and 150 Hz. */
const sidebandHertz = 200;
/** The amplitude of a tone that is not interrupted deviates from the usual one by less than this share. */
const steady = 0.1;

/** Power of a window that is twice as loud as two tones of amplitude 0.22: its frequencies come from the distortion. */
const overdriven = 0.1;

/** Parties play tones of amplitude 0.22. The edge of a tone has at most 0.07 at a neighbouring frequency. */
const audible = 0.09;
/** A quieter foreign tone is detected only if it lasts. */
const faint = 0.02;
const lastingMs = 100;
/** A tone that rings on falls below this share of its amplitude in half of that time. */
const fading = 0.8;
/** Share of the power in one window. The edge of a tone puts at most a quarter into a neighbouring frequency. */
const dominant = 0.45;

/** Measures the received audio of a party that should hear one tone, preceded by a first word. */
export function analyse(sound: Sound, expected: Expected): Heard {
  const { hertz, allowed = [], others } = expected;
  const spectra = spectraOf(sound, [...new Set([hertz, firstWord.hertz, ...allowed, ...others])]);
  const enough = thresholdOf(spectra, hertz);
  const tone = spectra.map((window) => amplitudeAt(window, hertz) >= enough);
  const word = spectra.map((window) => amplitudeAt(window, firstWord.hertz) >= enough);
  const voice = spectra.map((_, index) => tone[index] === true || word[index] === true);
  const first = voice.findIndex(Boolean);
  const last = voice.findLastIndex(Boolean);
  return {
    lengthMs: Math.round((sound.samples.length / sound.rate) * 1000),
    firstMs: first < 0 ? undefined : timeOf(first),
    lastMs: first < 0 ? undefined : timeOf(last),
    voiceMs: durationOf(voice),
    toneMs: durationOf(tone),
    firstWordMs: durationOf(word),
    gaps: first < 0 ? [] : runsOf(voice.slice(0, last + 1), (isHeard, index) => !isHeard && index > first),
    silentMs: first < 0 ? 0 : silentMsBetween(sound, timeOf(first), timeOf(last)),
    foreign: foreignTones(spectra, expected, first < 0 ? 0 : timeOf(first)),
    purity: purityOf(spectra, hertz),
  };
}

/** Two periods of the lowest tone. */
const silenceStepMs = 5;
/** A tenth of the power of a tone of amplitude 0.22. */
const quiet = 0.0024;

function silentMsBetween({ rate, samples }: Sound, fromMs: number, toMs: number): number {
  const step = (rate * silenceStepMs) / 1000;
  let silentMs = 0;
  for (let start = (fromMs * rate) / 1000; start + step <= (toMs * rate) / 1000; start += step) {
    const power = samples.subarray(start, start + step).reduce((sum, sample) => sum + sample ** 2, 0) / step;
    if (power < quiet) silentMs += silenceStepMs;
  }
  return silentMs;
}

const durationOf = (windows: boolean[]): number => windows.filter(Boolean).length * windowMs.hop;

/** Returns the amplitude of a tone that fills half of a window. Browsers may play its start louder, so this is not the maximum. */
function thresholdOf(spectra: Spectrum[], hertz: number): number {
  const amplitudes = spectra.map((window) => amplitudeAt(window, hertz)).filter((each) => each >= audible);
  return Math.max(audible, median(amplitudes) * 0.45);
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

function foreignTones(
  spectra: Spectrum[],
  { hertz, others, allowed = [], fromMs = 0, settlingMs = 0, isOpus = false }: Expected,
  firstMs: number,
): Heard['foreign'] {
  const own = [hertz, firstWord.hertz, ...allowed];
  // A foreign tone replaces ours, while the other party of a recording is still heard.
  const beside = allowed.filter((each) => each !== hertz);
  const settledMs = Math.max(fromMs, firstMs + settlingMs);
  const heardFrom = (ms: number) => spectra.map((window, index) => (timeOf(index) < ms ? undefined : window));
  const [heard, settled] = [heardFrom(fromMs), heardFrom(settledMs)];
  const levels = isOpus ? own.map((each) => deviationsOf(spectra, each)) : [];
  const varies = (index: number): boolean =>
    levels.some((deviations) => Math.abs(deviations[index] ?? 0) > steady);
  return others
    .filter((each) => !own.includes(each))
    .flatMap((each) => {
      const within = (distance: number) => own.filter((other) => Math.abs(other - each) <= distance);
      const isSmeared = settlingMs > 0 && within(smearHertz).length > 0;
      const neighbours = within(sidebandHertz).map((other) => deviationsOf(spectra, other));
      const isInterrupted = (index: number): boolean =>
        neighbours.some((deviations) => (deviations[index] ?? 0) < -steady);
      const isStrong = (window: Spectrum | undefined, index: number): boolean =>
        window !== undefined &&
        isDominant(window, each, beside) &&
        !((timeOf(index) < settledMs || varies(index)) && window.power > overdriven);
      // A concealed packet repeats a piece of our tone, which shifts its frequency.
      const leastMs = isOpus && neighbours.length > 0 ? lastingMs : 0;
      const strong = runsOf(isSmeared ? settled : heard, isStrong).filter(({ ms }) => ms >= leastMs);
      const isFaint = (window: Spectrum | undefined, index: number): boolean =>
        window !== undefined && amplitudeAt(window, each) >= faint && !isInterrupted(index) && !varies(index);
      const fades = ({ atMs }: Interval): boolean => {
        const amplitudeAfter = (afterMs: number): number => {
          const window = spectra[indexOf(atMs + afterMs)];
          return window ? amplitudeAt(window, each) : 0;
        };
        return isOpus && neighbours.length > 0 && amplitudeAfter(lastingMs / 2) < amplitudeAfter(0) * fading;
      };
      const lasting = runsOf(settled, isFaint).filter((run) => run.ms >= lastingMs && !fades(run));
      return [...lasting, ...strong].map((run) => ({
        ...run,
        hertz: each,
      }));
    });
}

/**
 * Returns by how much the amplitude of a tone differs from the usual one in each window, as a share of it: a packet is
 * missing, or the tone starts or ends. Where the tone is not heard there is no deviation.
 */
function deviationsOf(spectra: Spectrum[], hertz: number): number[] {
  const amplitudes = spectra.map((window) => amplitudeAt(window, hertz));
  const usual = median(amplitudes.filter((amplitude) => amplitude >= audible));
  return amplitudes.map((amplitude) => (amplitude < faint || usual === 0 ? 0 : amplitude / usual - 1));
}

const isDominant = (window: Spectrum, hertz: number, beside: number[]): boolean =>
  amplitudeAt(window, hertz) >= audible && shareAt(window, hertz, beside) >= dominant;

/** Returns the share of a tone in the power of a window, without the power of the tones beside it. */
function shareAt(window: Spectrum, hertz: number, beside: number[] = []): number {
  const powerAt = (each: number): number => amplitudeAt(window, each) ** 2 / 2;
  const rest = beside.reduce((power, each) => power - powerAt(each), window.power);
  return rest <= 0 ? 0 : powerAt(hertz) / rest;
}

function purityOf(spectra: Spectrum[], hertz: number): number {
  return median(
    spectra.filter((window) => amplitudeAt(window, hertz) >= audible).map((window) => shareAt(window, hertz)),
  );
}

/** The middle of a window, because half of it decides. */
const timeOf = (index: number): number => index * windowMs.hop + windowMs.length / 2;
const indexOf = (ms: number): number => Math.round((ms - windowMs.length / 2) / windowMs.hop);

function runsOf<T>(items: T[], matches: (item: T, index: number) => boolean): Interval[] {
  const runs: Interval[] = [];
  let length = 0;
  items.forEach((item, index) => {
    if (!matches(item, index)) {
      length = 0;
      return;
    }
    length += 1;
    if (length === 1) runs.push({ atMs: timeOf(index), ms: 0 });
    const run = runs.at(-1);
    if (run) run.ms = length * windowMs.hop;
  });
  return runs;
}
