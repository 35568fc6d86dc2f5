import { expect, test } from 'vitest';
import { checkBounds, percentile } from './bounds.ts';
import { hardFaults, isStarved, lateCalls } from './faults.ts';
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
  stalledMs: 0,
});

/** Names of the bounds that are exceeded. */
const exceeded = (results: CallResult[]): string[] =>
  checkBounds(results).flatMap(({ calls, what, isMet }) => (isMet ? [] : `${what}, ${calls}`));

test('a silent call is not judged if a party ran for less than half of it while the machine stood still', () => {
  const starved = resultOf({ isSilent: true, uncertainMs: 3_010, heard: { ...good.heard, voiceMs: 750 } });
  expect(isStarved({ ...starved, stalledMs: 1_000 })).toBe(true);
  expect(isStarved({ ...starved, stalledMs: 999 })).toBe(false);
  expect(isStarved({ ...resultOf({ isSilent: true, uncertainMs: 2_990 }), stalledMs: 1_000 })).toBe(false);
  expect(isStarved({ ...resultOf({ uncertainMs: 3_010 }), stalledMs: 1_000 })).toBe(false);
  const [caller, called] = starved.directions as [Direction, Direction];
  const foreign = { ...starved, directions: [{ ...caller, foreignHertz: [900] }, called], stalledMs: 1_000 };
  expect(isStarved(foreign)).toBe(false);
  const silent = resultOf({ isSilent: true, uncertainMs: 3_010, heard: { ...good.heard, voiceMs: 740 } });
  expect(isStarved({ ...silent, stalledMs: 1_000 })).toBe(false);
});

test('a good call has no faults', () => {
  expect(hardFaults(resultOf({}, 500))).toEqual([]);
  expect(exceeded([resultOf({}, 100, 100)])).toEqual([]);
  expect(lateCalls([resultOf({}, 100, 100)])).toEqual([]);
});

test('AUDIO-01 AUDIO-02 AUDIO-05 silence, distortion, foreign tones and incomplete recordings are faults', () => {
  expect(hardFaults(resultOf({ isSilent: true }))).toHaveLength(1);
  expect(hardFaults(resultOf({ isDistorted: true }))).toHaveLength(1);
  expect(hardFaults(resultOf({ foreignHertz: [700] }))).toHaveLength(1);
  expect(hardFaults(resultOf({}, 510))).toHaveLength(1);
  expect(exceeded([resultOf({}, 110)])).toEqual(['recording lacks (ms), softphones']);
  expect(exceeded([resultOf({}, 0, 110)])).toEqual(['recording in excess (ms), softphones']);
  const failed = { ...resultOf({}), error: 'The call ended early.' };
  expect(hardFaults(failed)).toHaveLength(1);
  expect(hardFaults({ ...failed, isExcused: true })).toEqual([]);
});

test('AUDIO-03 first audio later than 300 ms in more than 1 % of all calls exceeds the bound', () => {
  const results = (late: number) =>
    Array.from({ length: 100 }, (_, index) => resultOf({ firstAudioMs: index < late ? 310 : 290 }));
  expect(exceeded(results(2))).toEqual([]);
  expect(exceeded(results(3))).toEqual(['first audio, p99 (ms), softphones']);
  expect(lateCalls(results(3))).toHaveLength(3);
});

test('AUDIO-04 a gap of more than 60 ms, or more than 2 % of missing audio, exceeds the bound', () => {
  expect(exceeded([resultOf({ largestGapMs: 60, missingShare: 0.02 })])).toEqual([]);
  expect(exceeded([resultOf({ largestGapMs: 70 })])).toEqual(['largest gap (ms), softphones']);
  expect(exceeded([resultOf({ missingShare: 0.03 })])).toEqual(['missing (%), softphones']);
});

test('AUDIO-06 calls with a browser have wider bounds on times, which are checked separately', () => {
  const withBrowser = (direction: Partial<Direction>, recordingMs = 0): CallResult => {
    const result = resultOf(direction, recordingMs);
    return { ...result, planned: { ...result.planned, kind: 'relay' } };
  };
  expect(exceeded([withBrowser({ firstAudioMs: 500, largestGapMs: 100 }, 200)])).toEqual([]);
  expect(exceeded([withBrowser({ firstAudioMs: 510 })])).toHaveLength(1);
  expect(exceeded([withBrowser({ largestGapMs: 110 })])).toHaveLength(1);
  expect(exceeded([withBrowser({}, 210)])).toHaveLength(1);
  const softphones = Array.from({ length: 200 }, () => resultOf({}));
  expect(exceeded([...softphones, withBrowser({ firstAudioMs: 510 })])).toHaveLength(1);
});

test('a call during which the machine stalled is judged by what was heard, not by when', () => {
  const stalled = (result: CallResult, stalledMs: number): CallResult => ({ ...result, stalledMs });
  const late = resultOf({ firstAudioMs: 2_000, largestGapMs: 900 }, 600);
  expect(exceeded([stalled(late, 20)])).toEqual([]);
  expect(lateCalls([stalled(late, 20)])).toEqual([]);
  expect(exceeded([stalled(late, 19)])).not.toEqual([]);
  expect(hardFaults(stalled(late, 99))).toHaveLength(1);
  expect(hardFaults(stalled(late, 100))).toEqual([]);
  expect(hardFaults(stalled(resultOf({}, 1_500), 100))).toHaveLength(1);
  expect(hardFaults(stalled(resultOf({ isSilent: true }), 1_000))).toHaveLength(1);
});

test('percentiles are values that occurred', () => {
  expect(percentile([], 0.5)).toBe(0);
  expect(percentile([3, 1, 2], 0.5)).toBe(2);
  expect(percentile([3, 1, 2], 1)).toBe(3);
});
