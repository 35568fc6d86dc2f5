import { expect, test } from 'vitest';
import { hardFaults, percentile, timingFaults } from './faults.ts';
import type { Direction } from './judge.ts';
import type { CallResult } from './measure-call.ts';

const good: Direction = {
  to: 'caller',
  kind: 'udp',
  heard: {
    lengthMs: 3_000,
    firstMs: 100,
    lastMs: 3_000,
    voiceMs: 2_900,
    toneMs: 2_700,
    firstWordMs: 200,
    gaps: [],
    silentMs: 0,
    foreign: [],
    purity: 1,
  },
  isSilent: false,
  firstAudioMs: 100,
  largestGapMs: 20,
  missingShare: 0.01,
  clippedMs: 0,
  tailMs: 0,
  foreignHertz: [],
  isDistorted: false,
  uncertainMs: 10,
};

const resultOf = (direction: Partial<Direction>, shortMs = 0, excessMs = 0): CallResult => ({
  name: 'call',
  planned: {
    shape: 'dialled',
    kind: 'udp',
    other: 'tls',
    isRecorded: true,
    talkMs: 3_000,
    endedBy: 'caller',
    node: 0,
  },
  directions: [good, { ...good, ...direction }],
  recording: { shortMs, lostMs: shortMs, excessMs, foreignHertz: [] },
  error: undefined,
  isExcused: false,
});

test('a good call has no faults', () => {
  expect(hardFaults(resultOf({}, 500))).toEqual([]);
  expect(timingFaults([resultOf({}, 100, 100)])).toEqual([]);
});

test('AUDIO-01 AUDIO-02 AUDIO-05 silence, distortion, foreign tones and incomplete recordings are faults', () => {
  expect(hardFaults(resultOf({ isSilent: true }))).toHaveLength(1);
  expect(hardFaults(resultOf({ isDistorted: true }))).toHaveLength(1);
  expect(hardFaults(resultOf({ foreignHertz: [700] }))).toHaveLength(1);
  expect(hardFaults(resultOf({}, 510))).toHaveLength(1);
  expect(timingFaults([resultOf({}, 110)])).toHaveLength(1);
  expect(timingFaults([resultOf({}, 0, 110)])).toHaveLength(1);
  const failed = { ...resultOf({}), error: 'The call ended early.' };
  expect(hardFaults(failed)).toHaveLength(1);
  expect(hardFaults({ ...failed, isExcused: true })).toEqual([]);
});

test('AUDIO-03 first audio later than 300 ms in more than 1 % of all calls is a fault', () => {
  const results = (late: number) =>
    Array.from({ length: 100 }, (_, index) => resultOf({ firstAudioMs: index < late ? 310 : 290 }));
  expect(timingFaults(results(2))).toEqual([]);
  expect(timingFaults(results(3))).toHaveLength(1);
});

test('AUDIO-04 a gap of more than 60 ms, or more than 2 % of missing audio, is a fault', () => {
  expect(timingFaults([resultOf({ largestGapMs: 60, missingShare: 0.02 })])).toEqual([]);
  expect(timingFaults([resultOf({ largestGapMs: 70 })])).toHaveLength(1);
  expect(timingFaults([resultOf({ missingShare: 0.03 })])).toHaveLength(1);
});

test('AUDIO-06 calls with a browser have wider bounds on times, which are checked separately', () => {
  const withBrowser = (direction: Partial<Direction>, recordingMs = 0): CallResult => {
    const result = resultOf(direction, recordingMs);
    return { ...result, planned: { ...result.planned, kind: 'relay' } };
  };
  expect(timingFaults([withBrowser({ firstAudioMs: 500, largestGapMs: 100 }, 200)])).toEqual([]);
  expect(timingFaults([withBrowser({ firstAudioMs: 510 })])).toHaveLength(1);
  expect(timingFaults([withBrowser({ largestGapMs: 110 })])).toHaveLength(1);
  expect(timingFaults([withBrowser({}, 210)])).toHaveLength(1);
  const softphones = Array.from({ length: 200 }, () => resultOf({}));
  expect(timingFaults([...softphones, withBrowser({ firstAudioMs: 510 })])).toHaveLength(1);
});

test('percentiles are values that occurred', () => {
  expect(percentile([], 0.5)).toBe(0);
  expect(percentile([3, 1, 2], 0.5)).toBe(2);
  expect(percentile([3, 1, 2], 1)).toBe(3);
});
