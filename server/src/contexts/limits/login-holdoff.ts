import { createHash } from 'node:crypto';
import type { RedisClient } from '../../platform/redis/redis.ts';
import type { Clock } from '../../platform/time.ts';
import { type Attempts, decideAttempt, forgetAfterMs, freeFailures } from './holdoff.rules.ts';

/** Slows down password guessing from any address; the key is an e-mail or another name. */
export interface LoginHoldoff {
  /**
   * Returns the milliseconds to wait, or 0 if the attempt may be made. An allowed attempt counts as failed until it is
   * forgiven. `free` failures are not held off.
   */
  attempt(guessed: string, free?: number): Promise<number>;
  forgive(guessed: string): Promise<void>;
}

// Makes reading and writing atomic across nodes. The rule itself is in holdoff.rules.ts: the script receives the
// hold-off for every number of failures.
const attemptScript = `
local failures = tonumber(redis.call('HGET', KEYS[1], 'failures') or '0')
local heldUntil = tonumber(redis.call('HGET', KEYS[1], 'heldUntil') or '0')
local now = tonumber(ARGV[1])
if heldUntil > now then return heldUntil - now end
failures = failures + 1
local hold = tonumber(ARGV[2 + math.min(failures, #ARGV - 2)])
redis.call('HSET', KEYS[1], 'failures', failures, 'heldUntil', now + hold)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 0`;

/** More failures are held off like this many. */
const longestCount = 32;
const maxLocal = 10_000;

export function createLoginHoldoff(redis: RedisClient, clock: Clock, onFallback: () => void): LoginHoldoff {
  const local = new Map<string, Attempts>();
  const holdsAfter = (free: number): number[] =>
    Array.from({ length: longestCount }, (_, index) => holdAfter(index + 1, free));

  return {
    async attempt(guessed, free = freeFailures) {
      const key = keyOf(guessed);
      try {
        const waitMs = await redis.eval(
          attemptScript,
          1,
          key,
          clock.now().getTime(),
          forgetAfterMs,
          ...holdsAfter(free),
        );
        return Number(waitMs);
      } catch {
        onFallback();
        return attemptLocally(local, key, clock.now().getTime(), free);
      }
    },
    async forgive(guessed) {
      const key = keyOf(guessed);
      local.delete(key);
      await redis.del(key).catch(onFallback);
    },
  };
}

function holdAfter(failures: number, free: number): number {
  const decision = decideAttempt({ failures: failures - 1, heldUntilMs: 0 }, 0, free);
  return decision.allowed ? decision.next.heldUntilMs : 0;
}

function attemptLocally(local: Map<string, Attempts>, key: string, nowMs: number, free: number): number {
  const decision = decideAttempt(local.get(key) ?? { failures: 0, heldUntilMs: 0 }, nowMs, free);
  if (!decision.allowed) return decision.waitMs;
  local.delete(key);
  local.set(key, decision.next);
  // Evicts the oldest entry, so that memory is bounded however many e-mails are tried.
  if (local.size > maxLocal)
    for (const oldest of local.keys()) {
      local.delete(oldest);
      break;
    }
  return 0;
}

const keyOf = (guessed: string): string =>
  `holdoff:${createHash('sha256').update(guessed.toLowerCase()).digest('base64url')}`;
