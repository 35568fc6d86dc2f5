import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../calls-list.ts';

/** Places calls and measures the time until the destination's answer is known. */
export interface Caller {
  name: string;
  /** Requests one call; resolves when the request is done, successful or not. */
  place(index: number): Promise<void>;
  /**
   * Returns, for the calls since the last collection, the times from the request until the answer is known, and the
   * number of calls without an answer.
   */
  collect(): Promise<{ tookMs: number[]; failed: number; why: string }>;
  /** Resolves when the engine has no calls left; returns how many channels had to be ended. */
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

const tickMs = 5;

let placed = 0;

/** Places calls at a constant rate, whether or not earlier ones were answered. */
export async function runRound(caller: Caller, rate: number, lengthMs: number): Promise<Round> {
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
