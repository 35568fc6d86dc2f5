import type { Direction } from './judge.ts';
import type { CallResult } from './run.ts';

/** Bounds on an idle machine, in milliseconds. */
export const bounds = { firstAudioP99Ms: 300, gapMs: 60, missingShare: 0.02, recordingMs: 100 };

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
    ...((recording?.shortMs ?? 0) > lostRecordingMs
      ? [`the recording lacks ${recording?.shortMs} ms that a party heard`]
      : []),
  ];
  return [...heard, ...recorded].map((fault) => `${name}: ${fault}`);
}

const foreign = (where: string, hertz: number[]): string[] =>
  hertz.length === 0 ? [] : [`${where} contains foreign tones: ${hertz.join(', ')} Hz`];

/** Faults that a busy machine can cause as well. */
export function timingFaults(results: CallResult[]): string[] {
  const gaps = results.flatMap(({ name, directions }) =>
    directions
      .filter(({ largestGapMs }) => largestGapMs > bounds.gapMs)
      .map(({ to, largestGapMs }) => `${name}: a gap of ${largestGapMs} ms at the ${to} party`),
  );
  const missing = results.flatMap(({ name, directions }) =>
    directions
      .filter(({ missingShare }) => missingShare > bounds.missingShare)
      .map(
        ({ to, missingShare }) =>
          `${name}: ${percent(missingShare)} of the audio is missing at the ${to} party`,
      ),
  );
  // A busy simulator loses part of what it hears, so that the recording contains more.
  const excess = results
    .filter(({ recording }) => (recording?.excessMs ?? 0) > bounds.recordingMs)
    .map(({ name, recording }) => `${name}: a party lacks ${recording?.excessMs} ms that were recorded`);
  const short = results
    .filter(({ recording }) => (recording?.shortMs ?? 0) > bounds.recordingMs)
    .map(({ name, recording }) => `${name}: the recording lacks ${recording?.shortMs} ms that a party heard`);
  const p99 = percentile(firstAudioOf(results.flatMap(({ directions }) => directions)), 0.99);
  return [
    ...gaps,
    ...missing,
    ...excess,
    ...short,
    ...(p99 > bounds.firstAudioP99Ms ? [`first audio after ${p99} ms (p99)`] : []),
  ];
}

export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

export const firstAudioOf = (directions: Direction[]): number[] =>
  directions.flatMap(({ firstAudioMs }) => firstAudioMs ?? []);

/** Returns the smallest value that this share of the values does not exceed. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
