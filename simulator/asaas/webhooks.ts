import { setTimeout as wait } from 'node:timers/promises';
import type { FakeEvent } from './payment.ts';

export interface DeliverOptions {
  /** Fraction of events sent twice, from 0 to 1. */
  duplicate?: number;
  /** Fraction of events that are never delivered. */
  drop?: number;
  /** Sends events in random order; by default they are sent one by one, in order. */
  shuffle?: boolean;
  /** Maximum random delay of an event, in milliseconds. */
  delayMs?: number;
  atOnce?: number;
  retryDelayMs?: number;
  /** Seed of the random choices. */
  seed?: number;
  /** Delivers an event by other means than a POST to the webhook URL; returns the status. */
  via?: (event: FakeEvent, headers: Record<string, string>) => Promise<number>;
}

export interface DeliveryReport {
  /** Events answered with 200; duplicates count twice. */
  delivered: number;
  lost: number;
  /** Attempts with a status other than 200 or without a response. */
  failures: number;
  /** Events held because one was rejected 15 times, as in the real queue. Calling `deliver` again continues. */
  left: number;
}

const triesAnEvent = 15;
const answerTimeoutMs = 10_000;

/** Delivers the events in `queue` at least once each, except those it is configured to drop. */
export async function deliverEvents(
  queue: FakeEvent[],
  webhook: { url: string | undefined; token: string },
  options: DeliverOptions,
): Promise<DeliveryReport> {
  const random = randomFrom(options.seed ?? 1);
  const report: DeliveryReport = { delivered: 0, lost: 0, failures: 0, left: 0 };
  const headers = { 'content-type': 'application/json', 'asaas-access-token': webhook.token };
  const post = options.via ?? postTo(webhook.url);
  const outbound: FakeEvent[] = [];
  for (const event of queue.splice(0)) {
    if (random() < (options.drop ?? 0)) report.lost += 1;
    else outbound.push(...(random() < (options.duplicate ?? 0) ? [event, event] : [event]));
  }
  if (options.shuffle) shuffle(outbound, random);

  let paused = false;
  async function send() {
    for (let event = outbound.shift(); event; event = outbound.shift()) {
      if (options.delayMs) await wait(random() * options.delayMs);
      if (!paused && (await arrives(event))) report.delivered += 1;
      else {
        paused = true;
        queue.push(event);
      }
    }
  }

  async function arrives(event: FakeEvent): Promise<boolean> {
    for (let tries = 0; tries < triesAnEvent; tries += 1) {
      const status = await post(event, headers).catch(() => 0);
      if (status === 200) return true;
      report.failures += 1;
      await wait(options.retryDelayMs ?? 20);
    }
    return false;
  }

  const senders = options.atOnce ?? (options.shuffle ? 8 : 1);
  await Promise.all(Array.from({ length: senders }, send));
  report.left = queue.length;
  return report;
}

function postTo(url: string | undefined) {
  if (url === undefined) throw new Error('The fake gateway has no webhook URL');
  return async (event: FakeEvent, headers: Record<string, string>) => {
    const signal = AbortSignal.timeout(answerTimeoutMs);
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(event), signal });
    await response.body?.cancel();
    return response.status;
  };
}

function shuffle(items: unknown[], random: () => number) {
  for (let last = items.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [items[last], items[other]] = [items[other], items[last]];
  }
}

/** Creates a Mulberry32 generator, which is small and deterministic. */
function randomFrom(seed: number) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
