import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from './calls-list.ts';

/** Places calls and knows how long each took until its destination's answer was known. */
export interface Caller {
  name: string;
  /** Asks for one call; resolves once the request is settled, whatever came of it. */
  place(index: number): Promise<void>;
  /** The milliseconds from request to known answer of the calls since the last time, and how many had none. */
  collect(): Promise<{ tookMs: number[]; failed: number; why: string }>;
  /** Resolves when the engine has no call any more, and tells how many channels nobody had ended. */
  idle(): Promise<number>;
}

export interface Round {
  rate: number;
  calls: number;
  failed: number;
  why: string;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
}

const roundMs = 12_000;
const tickMs = 5;
const slowestP95Ms = 1_000;
const stepRate = 20;
const mostRate = 400;

let placed = 0;

/** Calls at an even pace, whether or not those before have been answered. */
export async function runRound(caller: Caller, rate: number, lengthMs = roundMs): Promise<Round> {
  const startedAtMs = performance.now();
  const requests: Promise<void>[] = [];
  const count = Math.round((rate * lengthMs) / 1000);
  while (requests.length < count) {
    const due = Math.min(count, Math.floor(((performance.now() - startedAtMs) * rate) / 1000) + 1);
    while (requests.length < due) requests.push(caller.place(placed++));
    await sleep(tickMs);
  }
  await Promise.all(requests);
  const left = await caller.idle();
  const { tookMs, failed: unanswered, why } = await caller.collect();
  const failed = unanswered + left;
  const at = (share: number) => percentile(tookMs, share);
  return { rate, calls: count, failed, why, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) };
}

const isClean = ({ failed, p95Ms }: Round): boolean => failed === 0 && p95Ms <= slowestP95Ms;

/**
 * The highest rate without a failure and with 95 of 100 answers within a second, to ten calls a second. A rate is missed
 * when it is missed twice: on a shared machine others have their moments.
 */
export async function findSaturation(caller: Caller, tell: (round: Round) => void): Promise<number> {
  const isCleanAt = async (rate: number): Promise<boolean> => {
    const round = await runRound(caller, rate);
    tell(round);
    return isClean(round);
  };
  const passes = async (rate: number): Promise<boolean> => (await isCleanAt(rate)) || (await isCleanAt(rate));
  let best = 0;
  while (best < mostRate && (await passes(best + stepRate))) best += stepRate;
  return (await passes(best + stepRate / 2)) ? best + stepRate / 2 : best;
}
