import { setTimeout as sleep } from 'node:timers/promises';
import type { Customer, Line } from './line.ts';

export interface PlacedCall {
  askedAtMs: number;
  tookMs: number;
  id: string | undefined;
  fault: string | undefined;
}

let numbers = 0;

/** Returns a unique mobile number; its last two digits select the simulated carrier's behaviour. */
export function numberEnding(ending: string): string {
  numbers += 1;
  return `55119${String(8_000_000 + numbers).slice(-6)}${ending}`;
}

/** Requests a call, without retries. */
export async function placeCall(
  line: { customer: Customer; ramal: string },
  called = numberEnding('97'),
): Promise<PlacedCall> {
  const askedAtMs = Date.now();
  const body = { caller: line.ramal, called, extension: line.ramal };
  const { status, json, fault } = await line.customer.ask('POST', '/calls', body);
  const refused = status === 200 ? undefined : `POST /calls returned ${status} ${json?.error?.errorCode}`;
  return { askedAtMs, tookMs: Date.now() - askedAtMs, id: json?.id, fault: fault ?? refused };
}

/** Requests calls at a steady rate until stopped. */
export const startCalling = (lines: Line[], rate: number): { stop(): Promise<PlacedCall[]> } =>
  atRate(lines, rate, (line) => placeCall(line));

/** Starts work at this rate per second, with the lines in rotation, and returns all results. */
export function atRate<T>(
  lines: Line[],
  rate: number,
  begin: (line: Line) => Promise<T>,
): { stop(): Promise<T[]> } {
  const stopping = new AbortController();
  const startedAtMs = Date.now();
  const started: Promise<T>[] = [];
  const beginning = (async () => {
    while (!stopping.signal.aborted) {
      const line = lines[started.length % lines.length];
      if (!line) throw new Error('There is no line.');
      started.push(begin(line));
      const dueMs = startedAtMs + (started.length * 1000) / rate - Date.now();
      await sleep(Math.max(dueMs, 0), undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await beginning;
      return await Promise.all(started);
    },
  };
}
