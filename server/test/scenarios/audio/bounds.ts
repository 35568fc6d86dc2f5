import type { Direction } from './judge.ts';
import type { CallResult } from './measure-call.ts';
import { needsBrowser } from './plan.ts';

interface Bounds {
  firstAudioP99Ms: number;
  gapMs: number;
  missingShare: number;
  recordingMs: number;
}

export const bounds: Bounds = { firstAudioP99Ms: 300, gapMs: 60, missingShare: 0.02, recordingMs: 100 };

/**
 * Bounds of calls with a browser. It negotiates ICE and DTLS after the answer, plays through a jitter buffer that
 * stretches audio, and is sampled in blocks of 16 ms on its audio thread.
 */
export const browserBounds: Bounds = {
  firstAudioP99Ms: 500,
  gapMs: 100,
  missingShare: 0.02,
  recordingMs: 200,
};

export const boundsOf = ({ planned }: CallResult): Bounds => (needsBrowser(planned) ? browserBounds : bounds);

/** The length of a packet. Audio is late if the machine does not run a waiting thread for longer. */
const quietMs = 20;

/** Whether the times of a call say something about Disca: it was connected while the machine kept up. */
export const isQuiet = ({ stalledMs, error }: CallResult): boolean =>
  error === undefined && stalledMs < quietMs;

/** A bound with what was measured in the calls of one group. */
export interface BoundCheck {
  calls: 'softphones' | 'with a browser';
  what: string;
  limit: number;
  values: number[];
  isMet: boolean;
}

/** Compares the calls during which the machine kept up with the bounds. */
export function checkBounds(results: CallResult[]): BoundCheck[] {
  const quiet = results.filter(isQuiet);
  return [
    ...checkGroup(
      'softphones',
      quiet.filter(({ planned }) => !needsBrowser(planned)),
      bounds,
    ),
    ...checkGroup(
      'with a browser',
      quiet.filter(({ planned }) => needsBrowser(planned)),
      browserBounds,
    ),
  ];
}

function checkGroup(calls: BoundCheck['calls'], results: CallResult[], limits: Bounds): BoundCheck[] {
  const directions = results.flatMap((result) => result.directions);
  const recordings = results.flatMap(({ recording }) => recording ?? []);
  const check = (what: string, values: number[], limit: number, share = 1): BoundCheck => ({
    calls,
    what,
    values,
    limit,
    isMet: percentile(values, share) <= limit,
  });
  const inPercent = (share: number): number => Math.round(share * 1_000) / 10;
  return [
    check('first audio, p99 (ms)', firstAudioOf(directions), limits.firstAudioP99Ms, 0.99),
    check(
      'largest gap (ms)',
      directions.map(({ largestGapMs }) => largestGapMs),
      limits.gapMs,
    ),
    check(
      'missing (%)',
      directions.map(({ missingShare }) => inPercent(missingShare)),
      inPercent(limits.missingShare),
    ),
    check(
      'recording lacks (ms)',
      recordings.map(({ shortMs }) => shortMs),
      limits.recordingMs,
    ),
    check(
      'recording in excess (ms)',
      recordings.map(({ excessMs }) => excessMs),
      limits.recordingMs,
    ),
  ];
}

export const firstAudioOf = (directions: Direction[]): number[] =>
  directions.flatMap(({ firstAudioMs }) => firstAudioMs ?? []);

/** Returns the smallest value that this share of the values does not exceed. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
