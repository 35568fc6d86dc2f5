import type { Direction } from './judge.ts';
import type { CallResult } from './measure-call.ts';
import { needsBrowser } from './plan.ts';

/** Bounds on an idle machine, in milliseconds. */
export const bounds = { firstAudioP99Ms: 300, gapMs: 60, missingShare: 0.02, recordingMs: 100 };

/**
 * Bounds of calls with a browser. It negotiates ICE and DTLS after the answer, plays through a jitter buffer that
 * stretches audio, and is sampled in blocks of 16 ms on its audio thread.
 */
export const browserBounds: typeof bounds = {
  firstAudioP99Ms: 500,
  gapMs: 100,
  missingShare: 0.02,
  recordingMs: 200,
};

const boundsOf = ({ planned }: CallResult): typeof bounds => (needsBrowser(planned) ? browserBounds : bounds);

/** A recording that lacks more has lost a part of the call. A busy media node loses single packets. */
const lostRecordingMs = 500;

/** Faults that no load explains: a call without audio one way, foreign audio, or a recording that lacks a part. */
export function hardFaults({ name, error, isExcused, directions, recording }: CallResult): string[] {
  if (isExcused) return [];
  if (error !== undefined) return [`${name}: ${error}`];
  const heard = directions.flatMap((direction) => [
    ...(direction.isSilent ? [`the ${direction.to} party heard ${direction.heard.voiceMs} ms`] : []),
    ...foreign(`the ${direction.to} party`, direction.foreignHertz),
    ...(direction.isDistorted ? [`the ${direction.to} party heard a distorted tone`] : []),
  ]);
  const recorded = [
    ...foreign('the recording', recording?.foreignHertz ?? []),
    ...((recording?.lostMs ?? 0) > lostRecordingMs
      ? [`the recording lacks ${recording?.lostMs} ms that a party heard`]
      : []),
  ];
  return [...heard, ...recorded].map((fault) => `${name}: ${fault}`);
}

const foreign = (where: string, hertz: number[]): string[] =>
  hertz.length === 0 ? [] : [`${where} contains foreign tones: ${hertz.join(', ')} Hz`];

/** Faults that a busy machine can cause as well. */
export const timingFaults = (results: CallResult[]): string[] => [
  ...results.flatMap(timingFaultsOf),
  ...lateFirstAudio(
    '',
    results.filter(({ planned }) => !needsBrowser(planned)),
    bounds,
  ),
  ...lateFirstAudio(
    ' in calls with a browser',
    results.filter(({ planned }) => needsBrowser(planned)),
    browserBounds,
  ),
];

function timingFaultsOf(result: CallResult): string[] {
  const { name, directions, recording } = result;
  const { gapMs, missingShare, recordingMs } = boundsOf(result);
  const heard = directions.flatMap((direction) => [
    ...(direction.largestGapMs > gapMs
      ? [`a gap of ${direction.largestGapMs} ms at the ${direction.to} party`]
      : []),
    ...(direction.missingShare > missingShare
      ? [`${percent(direction.missingShare)} of the audio is missing at the ${direction.to} party`]
      : []),
  ]);
  const { excessMs = 0, shortMs = 0 } = recording ?? {};
  const recorded = [
    // A busy simulator loses part of what it hears, so that the recording contains more.
    ...(excessMs > recordingMs ? [`a party lacks ${excessMs} ms that were recorded`] : []),
    ...(shortMs > recordingMs ? [`the recording lacks ${shortMs} ms that a party heard`] : []),
  ];
  return [...heard, ...recorded].map((fault) => `${name}: ${fault}`);
}

function lateFirstAudio(where: string, results: CallResult[], { firstAudioP99Ms }: typeof bounds): string[] {
  const p99 = percentile(firstAudioOf(results.flatMap(({ directions }) => directions)), 0.99);
  return p99 > firstAudioP99Ms ? [`first audio after ${p99} ms (p99)${where}`] : [];
}

export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

export const firstAudioOf = (directions: Direction[]): number[] =>
  directions.flatMap(({ firstAudioMs }) => firstAudioMs ?? []);

/** Returns the smallest value that this share of the values does not exceed. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
