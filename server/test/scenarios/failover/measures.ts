import type { CallRecord } from '../chaos/records.ts';
import type { Line } from '../many-nodes/line.ts';
import { atRate } from '../many-nodes/place-calls.ts';

/** Sends requests other than calls at a steady rate until stopped. */
export const startAsking = (lines: Line[], rate: number) =>
  atRate(lines, rate, async ({ customer }) => {
    const askedAtMs = Date.now();
    const { status, json, fault } = await customer.ask('GET', '/users/me');
    const refused = status === 200 ? undefined : `GET /users/me returned ${status} ${json?.error?.errorCode}`;
    return { askedAtMs, atMs: Date.now(), fault: fault ?? refused };
  });

/** Returns the longest time between two of these times. */
export function longestGap(times: number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  return Math.max(...sorted.slice(1).map((time, index) => time - (sorted[index] ?? time)));
}

/** Returns a fault if calls were not answered for longer than this. */
export const judgeGap = (gapMs: number, longestMs = Number.POSITIVE_INFINITY): string[] =>
  gapMs > longestMs ? [`no call was answered for ${gapMs} ms, which may be ${longestMs} ms`] : [];

/** Returns the failed attempts, with the seconds since the fault. */
export const refusals = (
  atMs: number,
  attempts: { askedAtMs: number; fault: string | undefined }[],
): string[] =>
  attempts
    .filter(({ fault }) => fault !== undefined)
    .map(({ askedAtMs, fault }) => `${((askedAtMs - atMs) / 1_000).toFixed(1)} s: ${fault}`);

export const isTalkingAt = ({ answeredAtMs, endedAtMs }: CallRecord, atMs: number): boolean =>
  answeredAtMs !== null && endedAtMs !== null && answeredAtMs < atMs && atMs < endedAtMs;
