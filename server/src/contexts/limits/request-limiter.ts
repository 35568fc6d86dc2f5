import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { RedisClient } from '../../platform/redis/redis.ts';
import type { Limit } from './limit-table.ts';

export interface Usage {
  limit: number;
  remaining: number;
  resetSeconds: number;
  exceeded: boolean;
}

type Window = Pick<Limit, 'bucket' | 'max' | 'windowSeconds'>;

/** Counts requests in Redis across all nodes; while Redis is unavailable, each node counts separately. */
export interface RequestLimiter {
  count(limit: Window, key: string): Promise<Usage>;
  /** Returns the number of requests allowed in a window. */
  maxRequests(limit: Pick<Limit, 'max'>): number;
  /** Decrements the counter of a key. */
  forget(limit: Window, key: string): Promise<void>;
}

export function createRequestLimiter(
  redis: RedisClient,
  scale: number,
  onFallback: () => void,
): RequestLimiter {
  const limiters = new Map<string, RateLimiterRedis>();
  const maxRequests = (limit: Pick<Limit, 'max'>): number => limit.max * scale;

  function limiterOf(limit: Window): RateLimiterRedis {
    const existing = limiters.get(limit.bucket);
    if (existing) return existing;
    const options = {
      keyPrefix: `limit:${limit.bucket}`,
      points: maxRequests(limit),
      duration: limit.windowSeconds,
    };
    const fresh = new RateLimiterRedis({
      ...options,
      storeClient: redis,
      rejectIfRedisNotReady: true,
      insuranceLimiter: new ObservedInsurance(options, onFallback),
    });
    limiters.set(limit.bucket, fresh);
    return fresh;
  }

  return {
    maxRequests,
    async count(limit, key) {
      const max = maxRequests(limit);
      try {
        return usage(max, limit, await limiterOf(limit).consume(key), false);
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return usage(max, limit, refused, true);
        throw refused;
      }
    },
    async forget(limit, key) {
      await limiterOf(limit).reward(key, 1);
    },
  };
}

/** Counts in process while Redis is unavailable, and reports each use. */
class ObservedInsurance extends RateLimiterMemory {
  readonly #onFallback: () => void;

  constructor(options: ConstructorParameters<typeof RateLimiterMemory>[0], onFallback: () => void) {
    super(options);
    this.#onFallback = onFallback;
  }

  override consume(...args: Parameters<RateLimiterMemory['consume']>): Promise<RateLimiterRes> {
    this.#onFallback();
    return super.consume(...args);
  }
}

function usage(max: number, limit: Window, result: RateLimiterRes, exceeded: boolean): Usage {
  const seconds = Math.ceil(result.msBeforeNext / 1000);
  return {
    limit: max,
    remaining: Math.max(0, result.remainingPoints),
    resetSeconds: Math.min(Math.max(seconds, 1), limit.windowSeconds),
    exceeded,
  };
}
