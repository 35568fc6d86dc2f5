import { setTimeout as sleep } from 'node:timers/promises';
import { type Attacker, type Attempt, attacks } from './attacks.ts';

/** The attacking account, in its own process, so that its work is not part of what is measured. */
export interface AttackOptions {
  attacker: Attacker;
  /** Attempts per second on each budget. */
  rate: number;
}

/** Responses by budget, as `status code`. */
export type AttackResult = Record<string, Record<string, number>>;

/** As many attempts on one budget wait for their response at most. */
const maxWaiting = 50;
const timeoutMs = 30_000;

const stopping = new AbortController();
const result: AttackResult = {};
let addresses = 0;

/** A new address for each request, as if the attacker had many: limits per address do not stop it. */
function nextAddress(): string {
  addresses += 1;
  return `198.${18 + ((addresses >> 16) & 1)}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

async function attempt(
  { apiUrl, tokens }: Attacker,
  name: string,
  count: number,
  { isHeld, isOfFirst, ...what }: Attempt,
): Promise<void> {
  const token = tokens[isOfFirst ? 0 : count % tokens.length] ?? '';
  const note = (outcome: string): void => {
    const counts = result[name] ?? {};
    result[name] = { ...counts, [outcome]: (counts[outcome] ?? 0) + 1 };
  };
  try {
    const response = await fetch(`${apiUrl}${what.path}`, {
      method: what.method,
      headers: {
        authorization: token,
        'x-forwarded-for': nextAddress(),
        ...(what.body && { 'content-type': 'application/json' }),
      },
      ...(what.body && { body: JSON.stringify(what.body) }),
      signal: isHeld ? stopping.signal : AbortSignal.any([stopping.signal, AbortSignal.timeout(timeoutMs)]),
    });
    if (response.ok && isHeld) return note('200');
    const text = await response.text();
    note(response.ok ? '200' : `${response.status} ${/"errorCode":"(\w+)"/.exec(text)?.[1]}`);
  } catch {
    if (!stopping.signal.aborted) note('no response');
  }
}

async function attack(
  attacker: Attacker,
  name: string,
  next: (attacker: Attacker, count: number) => Attempt,
  rate: number,
): Promise<void> {
  let waiting = 0;
  for (let count = 0; !stopping.signal.aborted; count += 1) {
    if (waiting < maxWaiting) {
      waiting += 1;
      void attempt(attacker, name, count, next(attacker, count)).finally(() => {
        waiting -= 1;
      });
    }
    await sleep(1_000 / rate, undefined, { signal: stopping.signal }).catch(() => undefined);
  }
}

process.once('message', ({ attacker, rate }: AttackOptions) => {
  for (const [name, next] of Object.entries(attacks))
    if (typeof next !== 'string') void attack(attacker, name, next, rate);
  process.once('message', () => {
    stopping.abort();
    process.send?.(result, () => process.disconnect());
  });
});
process.on('disconnect', () => process.exit());
