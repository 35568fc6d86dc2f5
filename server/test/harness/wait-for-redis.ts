import type { Platform } from './platform.ts';

/**
 * Raises the 50 ms Redis timeout after which the API falls back to local counters, for tests that expect an exact count
 * on a busy machine.
 */
export function waitForRedis({ api }: Platform): void {
  api.redis.options.commandTimeout = 20_000;
  api.redis.options.socketTimeout = 20_000;
}
