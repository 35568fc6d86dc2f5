import { expect, test } from 'vitest';
import { durationSeconds, measureLoudness, type Sound, secondsOfTone, shareOfTone } from './tones.ts';

const rate = 8_000;

function sound(seconds: number, ...hertz: number[]): Sound {
  const samples = Float64Array.from({ length: seconds * rate }, (_, index) =>
    hertz.reduce((sum, each) => sum + 0.2 * Math.sin((2 * Math.PI * each * index) / rate), 0),
  );
  return { rate, samples };
}

test('detects a tone and no other', () => {
  expect(shareOfTone(sound(1, 440), 440)).toBeGreaterThan(0.99);
  expect(shareOfTone(sound(1, 440), 1_000)).toBeLessThan(0.01);
  expect(shareOfTone(sound(1), 440)).toBe(0);
});

test('two simultaneous tones have half of the power each', () => {
  const both = sound(1, 440, 1_000);
  expect(shareOfTone(both, 440)).toBeCloseTo(0.5, 1);
  expect(shareOfTone(both, 1_000)).toBeCloseTo(0.5, 1);
});

test('measures the duration of a tone', () => {
  const { samples } = sound(2, 1_000);
  const later = { rate, samples: Float64Array.from([...sound(1).samples, ...samples]) };
  expect(durationSeconds(later)).toBe(3);
  expect(secondsOfTone(later, 1_000)).toBeCloseTo(2, 1);
  expect(secondsOfTone(later, 440)).toBe(0);
  expect(measureLoudness(sound(1))).toBe(0);
});
