import { expect, test } from 'vitest';
import { firstWord } from '../../../../simulator/voice/tones.ts';
import { readClosedWav } from '../../harness/voice/tones.ts';
import { analyse as analyseAmong, type Expected, type Heard } from './analyse.ts';
import { frequencies } from './frequencies.ts';

const rate = 8_000;
const volume = 0.22;
/** Resolution of the analysis. */
const stepMs = 10;

/** A part of a sound: frequencies in hertz that are played together. */
type Part = [ms: number, ...hertz: number[]];

function soundOf(...parts: Part[]) {
  const samples: number[] = [];
  for (const [ms, ...hertz] of parts) {
    for (let count = 0; count < (ms * rate) / 1000; count += 1) {
      const at = samples.length / rate;
      samples.push(hertz.reduce((sum, each) => sum + volume * Math.sin(2 * Math.PI * each * at), 0));
    }
  }
  return { rate, samples: Float64Array.from(samples) };
}

/** Analyses the sound of a call while every other tone is played in other calls. */
const analyse = (sound: ReturnType<typeof soundOf>, expected: Omit<Expected, 'others'>): Heard =>
  analyseAmong(sound, { ...expected, others: frequencies });

const word: Part = [firstWord.ms, firstWord.hertz];
const near = (value: number | undefined, ms: number): void => {
  expect(value).toBeGreaterThanOrEqual(ms - stepMs);
  expect(value).toBeLessThanOrEqual(ms + stepMs);
};

test('a complete voice has its start, its length, its first word and no fault', () => {
  const heard = analyse(soundOf([130], word, [1_500, 900], [70]), { hertz: 900 });
  near(heard.firstMs, 130);
  near(heard.lastMs, 1_830);
  near(heard.firstWordMs, firstWord.ms);
  near(heard.voiceMs, 1_700);
  expect(heard).toMatchObject({ gaps: [], silentMs: 0, foreign: [], lengthMs: 1_900 });
  expect(heard.purity).toBeGreaterThan(0.98);
});

test('every tone is heard, and none is mistaken for another', () => {
  for (const hertz of frequencies) {
    const sound = soundOf([53], [400, hertz], [47], [200, hertz]);
    expect(analyse(sound, { hertz }).foreign, String(hertz)).toEqual([]);
    const other = frequencies[(frequencies.indexOf(hertz) + 1) % frequencies.length] ?? 0;
    expect(analyse(sound, { hertz: other }).voiceMs, String(hertz)).toBe(0);
  }
});

test.each([20, 60, 65, 300])('a gap of %d ms is measured', (ms) => {
  const { gaps } = analyse(soundOf([333, 1_000], [ms], [500, 1_000]), { hertz: 1_000 });
  expect(gaps).toHaveLength(1);
  near(gaps[0]?.ms, ms);
});

test('every lost packet counts in full, wherever it is', () => {
  for (const hertz of frequencies)
    for (const offset of [0, 3, 10, 17]) {
      const lossy = soundOf(
        [400 + offset, hertz],
        [20],
        [200, hertz],
        [20],
        [200, hertz],
        [20],
        [300, hertz],
      );
      const { silentMs } = analyseAmong(lossy, { hertz, others: [] });
      expect(silentMs, `${hertz} Hz at ${offset} ms`).toBeGreaterThanOrEqual(45);
      expect(silentMs, `${hertz} Hz at ${offset} ms`).toBeLessThanOrEqual(60);
    }
});

test('a clipped first word is measured', () => {
  near(analyse(soundOf([80, firstWord.hertz], [500, 700]), { hertz: 700 }).firstWordMs, 80);
  expect(analyse(soundOf([500, 700]), { hertz: 700 }).firstWordMs).toBe(0);
});

test('the sidebands of a tone with lost packets are no foreign tones; a faint tone beside it is one', () => {
  const lossy = Array.from({ length: 20 }, (): Part[] => [
    [40, 750, 2_700],
    [20, 750],
  ]).flat();
  const expected = { hertz: 750, allowed: [750, 2_700] };
  expect(analyse(soundOf(...lossy), expected).foreign).toEqual([]);
  const sound = soundOf(...lossy, [300, 750, 2_700]);
  const mixed = sound.samples.map(
    (sample, at) => sample + 0.04 * Math.sin((2 * Math.PI * 2_650 * at) / rate),
  );
  const { foreign } = analyse({ rate, samples: mixed }, expected);
  expect(foreign.map(({ hertz }) => hertz)).toContain(2_650);
});

test('a foreign tone is found: one packet instead of ours, or mixed with ours', () => {
  for (const offset of [0, 3, 7]) {
    const replaced = soundOf([300 + offset, 700], [20, 1_300], [300, 700]);
    const found = analyse(replaced, { hertz: 700 }).foreign.map(({ hertz }) => hertz);
    expect(found).toContain(1_300);
  }
  const mixed = analyse(soundOf([300, 700], [200, 700, 750], [300, 700]), { hertz: 700 });
  expect(mixed.foreign.map(({ hertz }) => hertz)).toContain(750);
});

test('the sidebands of a tone of which every second packet is lost are no foreign tones', () => {
  for (const hertz of [700, 1_850, 2_500]) {
    const parts = Array.from({ length: 15 }, (): Part[] => [[20, hertz], [20]]).flat();
    const sound = soundOf([500, hertz], ...parts, [500, hertz]);
    expect(analyse(sound, { hertz }).foreign, String(hertz)).toEqual([]);
  }
});

test('a foreign tone is found in a recording while the other party is heard', () => {
  const expected = { hertz: 700, allowed: [700, 1_200] };
  for (const offset of [0, 3, 7]) {
    const sound = soundOf([300 + offset, 700, 1_200], [40, 1_900, 1_200], [300, 700, 1_200]);
    expect(analyse(sound, expected).foreign.map(({ hertz }) => hertz)).toEqual([1_900]);
    const interrupted = soundOf([300 + offset, 700, 1_200], [25], [300, 700, 1_200], [15, 700], [90, 1_200]);
    expect(analyse(interrupted, expected).foreign).toEqual([]);
  }
});

test('a packet that a browser conceals by repeating 2.5 ms of the tone is not the tone of a distant call', () => {
  const sound = soundOf([600, 3_150], [40, 3_150], [600, 3_150]);
  const period = rate / 400;
  for (let at = 0.6 * rate; at < 0.64 * rate; at += 1) {
    sound.samples[at] = sound.samples[at - period] ?? 0;
  }
  const hertz = 3_150;
  expect(analyse(sound, { hertz }).foreign.map((found) => found.hertz)).toContain(3_200);
  const others = frequencies.filter((each) => Math.abs(each - hertz) > 200);
  expect(analyseAmong(sound, { hertz, others }).foreign).toEqual([]);
});

test('a foreign tone is no fault before the answer, nor if it is allowed', () => {
  const sound = soundOf([300, 1_300], [300, 700]);
  expect(analyse(sound, { hertz: 700, fromMs: 320 }).foreign).toEqual([]);
  expect(analyse(sound, { hertz: 700, allowed: [1_300] }).foreign).toEqual([]);
  expect(analyse(sound, { hertz: 700 }).foreign).not.toEqual([]);
});

test('a louder start does not hide the rest of a tone', () => {
  const sound = soundOf([100], [300, 700], [1_500, 700]);
  sound.samples.subarray(800, 3_200).forEach((sample, index) => {
    sound.samples[800 + index] = sample * 2.4;
  });
  near(analyse(sound, { hertz: 700 }).voiceMs, 1_800);
});

test('while a browser settles, only strong tones that are not near ours are foreign', () => {
  const smeared = soundOf([40, 3_200], [400, 700], [600, 700]);
  expect(analyse(smeared, { hertz: 700, settlingMs: 500 }).foreign).toEqual([]);
  expect(analyse(smeared, { hertz: 700 }).foreign).not.toEqual([]);
  const foreign = soundOf([200, 700], [40, 1_300], [600, 700]);
  expect(analyse(foreign, { hertz: 700, settlingMs: 500 }).foreign).not.toEqual([]);
  const later = soundOf([600, 700], [40, 3_200], [300, 700]);
  expect(analyse(later, { hertz: 700, settlingMs: 500 }).foreign).not.toEqual([]);
});

test('while a browser settles, the frequencies of overdriven audio are not foreign', () => {
  const sound = soundOf([200, 700], [100, 1_300], [600, 700]);
  const expected = { hertz: 700, settlingMs: 500 };
  expect(analyse(sound, expected).foreign).not.toEqual([]);
  const loud = sound.samples.map((sample, index) => {
    const ms = (index / rate) * 1_000;
    return ms >= 180 && ms < 320 ? Math.max(-1, Math.min(1, sample * 8)) : sample;
  });
  expect(analyse({ rate, samples: loud }, expected).foreign).toEqual([]);
  expect(analyse({ rate, samples: loud }, { hertz: 700 }).foreign).not.toEqual([]);
});

test('tones that an Opus decoder adds after a lost packet, or shifts to conceal it, or that ring on, are not foreign', async () => {
  // From real calls in which the foreign tone was that of another call.
  for (const [name, hertz, foreign] of [
    ['lost-packet', 1_800, 2_250],
    ['concealed-packets', 3_150, 3_100],
    ['ringing-word', 1_200, 3_200],
  ] as const) {
    const sound = await readClosedWav(new URL(`opus/${name}.wav`, import.meta.url).pathname);
    const find = (isOpus: boolean) =>
      analyseAmong(sound, { hertz, others: [foreign], isOpus }).foreign.map((found) => found.hertz);
    expect(find(false)).toContain(foreign);
    expect(find(true)).toEqual([]);
  }
});

test('a foreign tone is found in audio that was coded with Opus: strong at once, near ours or faint if it lasts', () => {
  const find = (...parts: Part[]) =>
    analyse(soundOf(...parts), { hertz: 700, isOpus: true }).foreign.map(({ hertz }) => hertz);
  expect(find([300, 700], [20, 1_300], [300, 700])).toContain(1_300);
  expect(find([300, 700], [120, 800], [300, 700])).toContain(800);
  for (const other of [800, 1_300]) {
    const samples = soundOf([600, 700]).samples.map(
      (sample, at) => sample + 0.04 * Math.sin((2 * Math.PI * other * at) / rate),
    );
    const { foreign } = analyse({ rate, samples }, { hertz: 700, isOpus: true });
    expect(foreign.map(({ hertz }) => hertz)).toEqual([other]);
  }
});

test('silence is not a voice', () => {
  expect(analyse(soundOf([500]), { hertz: 700 })).toMatchObject({
    firstMs: undefined,
    lastMs: undefined,
    voiceMs: 0,
    gaps: [],
  });
});

/** Encodes as A-law and decodes as µ-law, as a party with the wrong codec does. */
function asWrongCodec(sample: number): number {
  const clamped = Math.min(0.999, Math.abs(sample)) * 4_096;
  const exponent = Math.max(0, Math.floor(Math.log2(Math.max(clamped, 1))) - 4);
  const mantissa = Math.floor(clamped / 2 ** Math.max(exponent, 1)) & 15;
  const encoded = ((exponent << 4) | mantissa) ^ 0x55;
  const inverted = ~encoded & 0x7f;
  const magnitude = (((inverted & 15) << 3) + 132) * 2 ** (inverted >> 4) - 132;
  return (Math.sign(sample) * magnitude) / 32_768;
}

test('a wrong codec distorts the tone', () => {
  const { samples } = soundOf([800, 700]);
  const heard = analyse({ rate, samples: samples.map(asWrongCodec) }, { hertz: 700 });
  expect(heard.purity).toBeLessThan(0.9);
});
