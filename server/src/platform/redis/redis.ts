import { Redis, type RedisOptions } from 'ioredis';

export type RedisClient = Redis;
export type { RedisOptions };

/**
 * Opens a Redis connection. Redis holds counters and short-lived caches, never the primary copy of data. Commands fail
 * after 50 ms without a reply, and immediately while the connection is down, so that callers use their fallback instead
 * of waiting.
 */
export function openRedis(
  url: string,
  onError: (error: Error) => void,
  options: RedisOptions = {},
): RedisClient {
  const redis = new Redis(url, {
    commandTimeout: 50,
    connectTimeout: 1_000,
    // Commands to a hung server would queue without limit; reconnecting empties the queue.
    socketTimeout: 500,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 50, 500),
    ...options,
  });
  redis.on('error', onError);
  return redis;
}
