import type { EngineEnd, LegCounts, LiveCall } from '../call.ts';
import { partyOf } from './end.rules.ts';

export const legVerdicts = ['good', 'fair', 'poor', 'no_audio'] as const;
export const callVerdicts = ['good', 'fair', 'poor', 'one_way', 'no_audio'] as const;
export const legIssues = ['loss', 'jitter', 'delay'] as const;

/** The audio of one leg. `received` is what the party sent to the media node, `sent` what was sent to the party. */
export interface LegQuality {
  verdict: (typeof legVerdicts)[number] | null;
  /** What lowers the estimate most; null if it is good, or if there is none. */
  issue: (typeof legIssues)[number] | null;
  mos: number | null;
  received_packets: number;
  sent_packets: number;
  received_loss_percent: number | null;
  sent_loss_percent: number | null;
  received_jitter_ms: number | null;
  sent_jitter_ms: number | null;
  round_trip_ms: number | null;
  codec: string | null;
}

/** The column `quality` of a call. */
export interface CallQuality {
  verdict: (typeof callVerdicts)[number] | null;
  legs: { extension: LegQuality | null; destination: LegQuality | null };
}

/** Interval of the reports of loss. A shorter call may have none and is not judged. */
const reportSeconds = 5;

/** Returns the quality of an answered call; null if the engine has not reported the first leg, or it has one leg only. */
export function qualityOf(
  call: Pick<LiveCall, 'kind'>,
  { legs, missing = [] }: Pick<EngineEnd, 'legs' | 'missing'>,
  talkedSeconds: number,
): CallQuality | null {
  if (!legs?.first || call.kind === 'code') return null;
  const isJudged = talkedSeconds >= reportSeconds;
  const judged = (['first', 'second'] as const).map((leg) => {
    const other = leg === 'first' ? legs.second : legs.first;
    const isMissing = missing.includes(leg);
    const seconds = leg === 'first' ? firstLegSeconds(call, legs, talkedSeconds) : talkedSeconds;
    return legs[leg] ? judgeLeg(legs[leg], { other, isMissing, isJudged, seconds }) : null;
  });
  const [first = null, second = null] = judged;
  const isFirstOurs = partyOf(call, 'extension') === 'extension';
  return {
    verdict: verdictOf(first, second),
    legs: isFirstOurs ? { extension: first, destination: second } : { extension: second, destination: first },
  };
}

/**
 * Returns for how long the first leg had audio. The first party of a click-to-call answers before the talk; only what it
 * sent in the talk was sent to the second one.
 */
function firstLegSeconds(
  { kind }: Pick<LiveCall, 'kind'>,
  { first, second }: NonNullable<EngineEnd['legs']>,
  talkedSeconds: number,
): number {
  if (kind !== 'click' || !first || !second || second.sent === 0) return talkedSeconds;
  return Math.max((talkedSeconds * first.received) / second.sent, talkedSeconds);
}

interface LegContext {
  other: LegCounts | undefined;
  isMissing: boolean;
  isJudged: boolean;
  /** For how long the leg had audio. */
  seconds: number;
}

function judgeLeg(counts: LegCounts, { other, isMissing, isJudged, seconds }: LegContext): LegQuality {
  const received = isJudged && counts.received > 0 ? receivedLoss(counts, seconds) : null;
  const sent = isJudged ? sentLoss(counts, other, seconds) : null;
  const measured: LegQuality = {
    verdict: null,
    issue: null,
    mos: null,
    received_packets: counts.received,
    sent_packets: counts.sent,
    received_loss_percent: received,
    sent_loss_percent: sent,
    received_jitter_ms: counts.received > 0 ? inMs(counts.receivedJitterSeconds) : null,
    sent_jitter_ms: counts.sentJitterSeconds === null ? null : inMs(counts.sentJitterSeconds),
    round_trip_ms: counts.roundTripSeconds === null ? null : inMs(counts.roundTripSeconds),
    codec: counts.codec,
  };
  if (!isJudged) return measured;
  if (isMissing || counts.received === 0) return { ...measured, verdict: 'no_audio' };
  const jitterMs = Math.max(measured.received_jitter_ms ?? 0, measured.sent_jitter_ms ?? 0);
  const path = {
    lossPercent: Math.max(received ?? 0, sent ?? 0),
    jitterMs,
    roundTripMs: measured.round_trip_ms ?? 0,
  };
  return { ...measured, ...estimate(path) };
}

const receivedLoss = ({ received, receivedLost }: LegCounts, seconds: number): number =>
  lossPercent(receivedLost, received + receivedLost, seconds);

/**
 * Returns the loss on the way to the party. The media node forwards packets with their sequence numbers, so the party
 * also reports those that were lost on the way from the other party to the media node.
 */
function sentLoss(counts: LegCounts, other: LegCounts | undefined, seconds: number): number | null {
  if (counts.sentLost === null || counts.sent === 0) return null;
  return lossPercent(Math.max(counts.sentLost - (other?.receivedLost ?? 0), 0), counts.sent, seconds);
}

/** Returns the share of lost packets until the last report, of a leg that had these packets in these seconds. */
function lossPercent(lost: number, packets: number, seconds: number): number {
  const reportedSeconds = Math.floor(seconds / reportSeconds) * reportSeconds;
  const reported = (packets * reportedSeconds) / seconds;
  return Math.min(Math.round((lost / reported) * 1_000) / 10, 100);
}

const inMs = (seconds: number): number => Math.round(seconds * 1_000);

/** Returns the worse of both legs, or whether the parties could hear each other at all. */
function verdictOf(first: LegQuality | null, second: LegQuality | null): CallQuality['verdict'] {
  const verdicts = [first?.verdict, second?.verdict];
  const silent = verdicts.filter((verdict) => verdict === 'no_audio').length;
  if (silent === 2) return 'no_audio';
  if (silent === 1) return 'one_way';
  return (['poor', 'fair', 'good'] as const).find((verdict) => verdicts.includes(verdict)) ?? null;
}

export interface Path {
  lossPercent: number;
  jitterMs: number;
  roundTripMs: number;
}

/** R of G.107 with its default values, for a path without loss and delay. */
const bestR = 93.2;
/** One packet of 20 ms, and the least of a jitter buffer. */
const fixedDelayMs = 40;

/**
 * Robustness against random loss (Bpl) of G.711 with concealment of lost packets, from G.113; its other impairment (Ie)
 * is 0. G.113 has no values for Opus, which conceals loss at least as well, so that these are used for browsers too.
 */
const robustness = 25.1;

/** From this R on, users are satisfied, and below the second one many are not (G.109). */
const leastGoodR = 80;
const leastFairR = 70;

/** Estimates the quality of a path with the E-model of G.107, reduced to delay and loss. */
export function estimate({
  lossPercent: loss,
  jitterMs,
  roundTripMs,
}: Path): Pick<LegQuality, 'verdict' | 'issue' | 'mos'> {
  // A jitter buffer holds packets for about twice the mean deviation.
  const delayMs = fixedDelayMs + roundTripMs / 2 + 2 * jitterMs;
  const byDelay = 0.024 * delayMs + 0.11 * Math.max(delayMs - 177.3, 0);
  const byLoss = (95 * loss) / (loss + robustness);
  const r = Math.max(bestR - byDelay - byLoss, 0);
  const verdict = r >= leastGoodR ? 'good' : r >= leastFairR ? 'fair' : 'poor';
  const byNetwork = 2 * jitterMs > roundTripMs / 2 ? 'jitter' : 'delay';
  return {
    verdict,
    issue: verdict === 'good' ? null : byLoss >= byDelay ? 'loss' : byNetwork,
    mos: mosOf(r),
  };
}

/** Returns the mean opinion score of G.107, Annex B, from 1 to 4.4. */
const mosOf = (r: number): number =>
  Math.max(Math.round((1 + 0.035 * r + r * (r - 60) * (100 - r) * 7e-6) * 10) / 10, 1);
