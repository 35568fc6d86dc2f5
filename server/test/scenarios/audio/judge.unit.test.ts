import { expect, test } from 'vitest';
import { isSilent } from './judge.ts';

test('a direction that stops halfway is silent', () => {
  expect(isSilent({ voiceMs: 2_900, lastMs: 3_000, lengthMs: 8_000 }, 100, 8_000)).toBe(true);
  expect(isSilent({ voiceMs: 7_800, lastMs: 7_980, lengthMs: 8_000 }, 100, 8_000)).toBe(false);
});

test('a direction in which a party heard less than a second is silent, however short the file', () => {
  expect(isSilent({ voiceMs: 990, lastMs: 1_100, lengthMs: 1_100 }, 100, 1_100)).toBe(true);
});

test('a direction is not silent because the machine ran the recording page for a third of the time', () => {
  // A call during which the host took 70 % of the processor time; the page recorded 4.1 s of 28 s.
  expect(isSilent({ voiceMs: 2_330, lastMs: 4_060, lengthMs: 4_096 }, 0, 28_465)).toBe(false);
  // The same page if the audio had stopped.
  expect(isSilent({ voiceMs: 1_300, lastMs: 1_500, lengthMs: 4_096 }, 0, 28_465)).toBe(true);
});
