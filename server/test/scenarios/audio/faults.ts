import { boundsOf, isQuiet } from './bounds.ts';
import type { CallResult } from './measure-call.ts';
import type { RecordingCheck } from './recording.ts';

/** A recording that lacks more has lost a part of the call. */
const lostRecordingMs = 500;
/** A machine that stalls for longer loses packets of the recording. Then it may lack up to half of what was heard. */
const losingStallMs = 100;

/** Faults that no load explains: a call without audio one way, foreign audio, or a recording that lacks a part. */
export function hardFaults(result: CallResult): string[] {
  const { name, error, isExcused, directions, recording } = result;
  if (isExcused) return [];
  if (error !== undefined) return [`${name}: ${error}`];
  const heard = directions.flatMap((direction) => [
    ...(direction.isSilent ? [`the ${direction.to} party heard ${direction.heard.voiceMs} ms`] : []),
    ...foreign(`the ${direction.to} party`, direction.foreignHertz),
    ...(direction.isDistorted ? [`the ${direction.to} party heard a distorted tone`] : []),
  ]);
  const recorded = [
    ...foreign('the recording', recording?.foreignHertz ?? []),
    ...(recording && isIncomplete(result, recording)
      ? [`the recording lacks ${recording.lostMs} ms that a party heard`]
      : []),
  ];
  return [...heard, ...recorded].map((fault) => `${name}: ${fault}`);
}

/** A machine that stands still for this long may prevent a call, or keep a party from hearing and sending. */
export const leastPreventingMs = 1_000;

/** A party that heard the other in less than this share of what it recorded is judged in any case. */
const leastHeardShare = 0.25;

/**
 * Returns whether a call cannot be judged: a party heard the other, but not for long, because its program ran for less
 * than half of the call while the machine stood still.
 */
export const isStarved = ({ directions, stalledMs }: CallResult): boolean =>
  stalledMs >= leastPreventingMs &&
  directions.some(({ isSilent }) => isSilent) &&
  directions.every(
    ({ isSilent, heard, uncertainMs, foreignHertz }) =>
      foreignHertz.length === 0 &&
      (!isSilent || (uncertainMs > heard.lengthMs && heard.voiceMs >= leastHeardShare * heard.lengthMs)),
  );

function isIncomplete({ directions, stalledMs }: CallResult, { lostMs }: RecordingCheck): boolean {
  if (stalledMs < losingStallMs) return lostMs > lostRecordingMs;
  const heardMs = Math.max(...directions.map(({ heard }) => heard.toneMs));
  return lostMs > Math.max(lostRecordingMs, heardMs / 2);
}

const foreign = (where: string, hertz: number[]): string[] =>
  hertz.length === 0 ? [] : [`${where} contains foreign tones: ${hertz.join(', ')} Hz`];

/** Single calls that exceeded a bound while the machine kept up. */
export const lateCalls = (results: CallResult[]): string[] => results.filter(isQuiet).flatMap(lateIn);

function lateIn(result: CallResult): string[] {
  const { name, directions, recording } = result;
  const { gapMs, missingShare, recordingMs, firstAudioP99Ms } = boundsOf(result);
  const heard = directions.flatMap((direction) => [
    ...((direction.firstAudioMs ?? 0) > firstAudioP99Ms
      ? [`first audio after ${direction.firstAudioMs} ms at the ${direction.to} party`]
      : []),
    ...(direction.largestGapMs > gapMs
      ? [`a gap of ${direction.largestGapMs} ms at the ${direction.to} party`]
      : []),
    ...(direction.missingShare > missingShare
      ? [`${percent(direction.missingShare)} of the audio is missing at the ${direction.to} party`]
      : []),
  ]);
  const { excessMs = 0, shortMs = 0 } = recording ?? {};
  const recorded = [
    ...(excessMs > recordingMs ? [`a party lacks ${excessMs} ms that were recorded`] : []),
    ...(shortMs > recordingMs ? [`the recording lacks ${shortMs} ms that a party heard`] : []),
  ];
  return [...heard, ...recorded].map((fault) => `${name}: ${fault}`);
}

export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
