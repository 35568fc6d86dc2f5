import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '../../../platform/errors.ts';
import type { RequestLimiter } from '../../limits/index.ts';

interface Endpoint {
  host: string;
  /** Whether it has ever accepted a delivery. */
  isProven: boolean;
}

/** Limits the rate of requests to a host, over all accounts, so that webhooks cannot be used to attack it. */
export interface HostLimit {
  /**
   * Waits until a request may be sent. Returns the seconds after which to ask again if that takes too long, otherwise 0.
   */
  admit(endpoint: Endpoint): Promise<number>;
}

/** Requests to a host's endpoints that have never accepted one, counted over all processes. */
const unproven = { bucket: 'webhook-unproven', max: 10, windowSeconds: 60 };
/** Spreads the next attempts of endpoints that wait for their turn. */
const spreadSeconds = 30;
const maxHosts = 10_000;

/** `perSecond` counts the requests of this process. */
export function createHostLimit(
  limiter: RequestLimiter,
  perSecond: number,
  { now = () => performance.now(), wait = (ms: number): Promise<unknown> => sleep(ms) } = {},
): HostLimit {
  /** When the next request to a host may be sent, in milliseconds. */
  const next = new Map<string, number>();
  const intervalMs = 1_000 / perSecond;

  /** Reserves the next turn of a host, and returns the milliseconds until then. A second's turns may be used at once. */
  function reserve(host: string): number {
    const at = now();
    const turn = Math.max(next.get(host) ?? 0, at - 1_000);
    next.delete(host);
    next.set(host, turn + intervalMs);
    forgetIdle(at);
    return turn - at;
  }

  function forgetIdle(at: number): void {
    for (const [host, turn] of next) {
      if (turn > at - 1_000 && next.size <= maxHosts) return;
      next.delete(host);
    }
  }

  return {
    async admit({ host, isProven }) {
      if (!isProven) {
        const { exceeded, resetSeconds } = await limiter.count(unproven, host);
        if (exceeded) return resetSeconds + Math.random() * spreadSeconds;
      }
      const waitMs = reserve(host);
      if (waitMs > 0) await wait(waitMs);
      return 0;
    },
  };
}

/** Refuses a request that a user wants to be sent at once, if the host's endpoint is over its limit. */
export async function requireAdmission(limit: HostLimit, endpoint: Endpoint): Promise<void> {
  const seconds = Math.ceil(await limit.admit(endpoint));
  if (seconds === 0) return;
  const message = `${endpoint.host} gets at most ${unproven.max} webhooks per minute until one has been accepted. Try again later.`;
  throw new Refusal('CAPACITY_EXCEEDED', message, {
    retryAfterSeconds: seconds,
    details: [{ path: '', code: 'unproven_endpoint', message }],
  });
}
