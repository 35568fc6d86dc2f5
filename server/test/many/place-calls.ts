import { setTimeout as sleep } from 'node:timers/promises';
import type { Customer, Line } from './line.ts';

export interface PlacedCall {
  askedAtMs: number;
  tookMs: number;
  id: string | undefined;
  /** Why it was not accepted. */
  fault: string | undefined;
}

let numbers = 0;

/** A mobile number that nobody else calls; its last two digits tell the simulated carrier what to do. */
export function numberEnding(ending: string): string {
  numbers += 1;
  return `55119${String(8_000_000 + numbers).slice(-6)}${ending}`;
}

/** Asks for a call once: a request that fails has failed. */
export async function placeCall(
  line: { customer: Customer; ramal: string },
  called = numberEnding('97'),
): Promise<PlacedCall> {
  const askedAtMs = Date.now();
  const body = { caller: line.ramal, called, extension: line.ramal };
  const { status, json, fault } = await line.customer.ask('POST', '/calls', body);
  const refused = status === 200 ? undefined : `POST /calls was answered ${status} ${json?.error?.errorCode}`;
  return { askedAtMs, tookMs: Date.now() - askedAtMs, id: json?.id, fault: fault ?? refused };
}

/** Calls at a steady rate, from the lines in turn, until told to stop. */
export function startCalling(lines: Line[], rate: number): { stop(): Promise<PlacedCall[]> } {
  const stopping = new AbortController();
  const startedAtMs = Date.now();
  const placed: Promise<PlacedCall>[] = [];
  const calling = (async () => {
    while (!stopping.signal.aborted) {
      const line = lines[placed.length % lines.length];
      if (!line) throw new Error('There is no line.');
      placed.push(placeCall(line));
      const dueMs = startedAtMs + (placed.length * 1000) / rate - Date.now();
      await sleep(Math.max(dueMs, 0), undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await calling;
      return await Promise.all(placed);
    },
  };
}
