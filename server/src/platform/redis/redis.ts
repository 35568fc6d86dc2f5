import { Redis, type RedisOptions } from 'ioredis';

export type RedisClient = Redis;
export type { RedisOptions };

/**
 * Redis holds counters and short-lived caches, never the primary copy of data. A command without a reply after 50 ms
 * fails, and while the connection is down commands fail at once, so that callers use their fallback instead of waiting.
 */
export function openRedis(
  url: string,
  onError: (error: Error) => void,
  options: RedisOptions = {},
): RedisClient {
  const redis = new Redis(url, {
    commandTimeout: 50,
    connectTimeout: 1_000,
    // Commands to a hung server would queue without limit; a new connection starts with an empty queue.
    socketTimeout: 500,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 50, 500),
    ...options,
  });
  redis.on('error', onError);
  return redis;
}
