import { Redis, type RedisOptions } from 'ioredis';

export type RedisClient = Redis;
export type { RedisOptions };

/**
 * Redis holds counters and short caches, never the truth. A command that has no answer in 50 ms fails, and while the
 * connection is down commands fail at once, so that callers fall back instead of waiting.
 */
export function openRedis(
  url: string,
  onError: (error: Error) => void,
  options: RedisOptions = {},
): RedisClient {
  const redis = new Redis(url, {
    commandTimeout: 50,
    connectTimeout: 1_000,
    // Commands to a server that froze would queue without end; a fresh connection starts with none.
    socketTimeout: 500,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 50, 500),
    ...options,
  });
  redis.on('error', onError);
  return redis;
}
