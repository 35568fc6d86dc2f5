import { setTimeout as sleep } from 'node:timers/promises';
import type { Line } from './line.ts';
import { atRate, numberEnding } from './place-calls.ts';

export interface DialledCall {
  begunAtMs: number;
  /** Why the call was not answered, or what cut it short. */
  fault: string | undefined;
}

const talkMs = 2_000;

/** Softphones dial in rotation, at a steady rate until stopped. */
export const startDialling = (lines: Line[], rate: number): { stop(): Promise<DialledCall[]> } =>
  atRate(lines, rate, dialCall);

async function dialCall({ phone }: Line): Promise<DialledCall> {
  const begunAtMs = Date.now();
  const fault = await talk(phone).catch((error: Error) => error.message);
  return { begunAtMs, fault };
}

async function talk(phone: Line['phone']): Promise<string | undefined> {
  const call = await phone.dial(numberEnding('97'));
  await call.answered();
  await sleep(talkMs);
  const { endedAtMs } = call.seen() ?? {};
  if (endedAtMs !== undefined) return 'The call was cut off.';
  await call.hangUp();
  await call.ended();
  return undefined;
}
